import { scenarios } from './scenarios/all.ts';
import { webkitTest } from './support/webkit-test.ts';

webkitTest.describe.configure({ retries: 0 });
scenarios(webkitTest);
