/**
 * No button of any state loses the focus. Each is pressed by keyboard: in `npm test` those that no earlier
 * state of the test has, in `npm run test:all` all of each state.
 */
import { expect, type Page } from '@playwright/test';
import { SHARES } from './support/all-states.ts';
import { pressAll } from './support/press-all.ts';
import { startProvider } from './support/provider.ts';
import { test } from './support/test.ts';

const isWhole = process.env.OFAGE_CHECKS === 'all';

/** The buttons of the bar, which `console-buttons.spec.ts` presses. */
const BAR = ['clock-toggle', 'state'];

for (const { of, states, names } of SHARES) {
  test(`no button of the ${of} loses the focus: ${names}`, async ({ page }) => {
    test.slow();
    const provider = await startProvider();
    let pressed = new Set(BAR);
    try {
      for (const { name, reach } of states) {
        if (isWhole) pressed = new Set(BAR);
        await test.step(name, () =>
          pressAll(page.locator('body'), {
            pressed,
            url: 'http://127.0.0.1:9/hooks',
            async reach() {
              await closeOthers(page);
              // The page may be about to leave by itself, or may just have left.
              await page.evaluate(() => window.stop()).catch(() => page.waitForLoadState());
              await provider.client.reset();
              await reach(page, provider);
            },
          }),
        );
      }
    } finally {
      await provider.stop();
    }
  });
}

/** Closes the windows that buttons have opened. */
async function closeOthers(page: Page): Promise<void> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  expect(page.isClosed()).toBe(false);
}
