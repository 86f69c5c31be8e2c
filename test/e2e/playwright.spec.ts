import { scenarios } from './scenarios/all.ts';
import { playwrightTab, type Tab } from './support/tab.ts';
import { test } from './support/test.ts';

test.describe.configure({ retries: 0 });
scenarios(test.extend<{ tab: Tab }>({ tab: async ({ page }, use) => use(playwrightTab(page)) }));
