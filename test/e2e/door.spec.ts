import { doorJourneys } from './door-journeys.ts';
import { doorTest, PHONES } from './support/door-test.ts';
import { playwrightTab, type Tab } from './support/tab.ts';

for (const name of PHONES) {
  doorTest.describe(name, () =>
    doorJourneys(
      doorTest.extend<{ computer: Tab; phone: Tab }>({
        computer: async ({ openComputer }, use) => use(playwrightTab(await openComputer())),
        phone: async ({ openPhone }, use) => use(playwrightTab(await openPhone(name))),
      }),
    ),
  );
}
