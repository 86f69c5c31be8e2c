import { shopJourneys } from './shop-journeys.ts';
import { webkitTest } from './support/webkit-test.ts';

shopJourneys(webkitTest);
