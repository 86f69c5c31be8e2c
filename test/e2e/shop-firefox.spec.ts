import { shopJourneys } from './shop-journeys.ts';
import { playwrightTab, type Tab } from './support/tab.ts';
import { test } from './support/test.ts';

shopJourneys(test.extend<{ tab: Tab }>({ tab: async ({ page }, use) => use(playwrightTab(page)) }));
