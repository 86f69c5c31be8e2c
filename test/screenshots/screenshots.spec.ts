import { fileURLToPath } from 'node:url';
import { test } from '@playwright/test';
import { consoleStates } from '../e2e/support/console-states.ts';
import { hostedStates } from '../e2e/support/hosted-states.ts';
import { labsStates } from '../e2e/support/labs-states.ts';
import { startProvider } from '../e2e/support/provider.ts';
import { shopStates } from '../e2e/support/shop-states.ts';

const PAGES = {
  shop: shopStates,
  hosted: hostedStates,
  console: consoleStates,
  labs: labsStates,
};

const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

for (const [name, states] of Object.entries(PAGES)) {
  for (const state of states) {
    test(`${name}: ${state.name}`, async ({ page, hasTouch }, { project }) => {
      test.skip(state.name === 'handoff' && hasTouch, 'Only computers offer another device');
      // Each state gets a new provider, because it may move the clock or pause an endpoint.
      const provider = await startProvider(['--seed', '7']);
      try {
        await state.reach(page, provider);
        const picture = `${name}-${state.name.replaceAll(/\W+/g, '-')}-${project.name}`;
        await page.screenshot({
          path: folder(`reports/screenshots/${picture}.png`),
          fullPage: true,
        });
      } finally {
        await provider.stop();
      }
    });
  }
}
