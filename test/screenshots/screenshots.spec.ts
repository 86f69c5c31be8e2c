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

/** The pictures in the README and the guides. */
const IN_THE_DOCS = new Set([
  'shop-shop-desk-light',
  'labs-labs-attack-run-desk-dark',
  'hosted-intro-l1-phone-light',
  'hosted-capture-simulated-phone-dark',
]);

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
        if (IN_THE_DOCS.has(picture)) {
          await page.evaluate(() => scrollTo(0, 0));
          await page.screenshot({ path: folder(`docs/images/${picture}.png`) });
        }
      } finally {
        await provider.stop();
      }
    });
  }
}
