import { expect } from '@playwright/test';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { startProvider } from './support/provider.ts';
import { shopStates } from './support/shop-states.ts';
import { test } from './support/test.ts';

// A few states per test. Each state takes some seconds, and the tests run in parallel.
const SHARE = 6;

for (let from = 0; from < shopStates.length; from += SHARE) {
  const share = shopStates.slice(from, from + SHARE);
  const names = `"${share[0]?.name}" to "${share.at(-1)?.name}"`;
  test(`every state of the shop is accessible and no wider than a phone: ${names}`, async ({
    page,
  }) => {
    test.slow();
    // A separate provider, because the last states move the clock.
    const provider = await startProvider();
    try {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const { name, reach } of share) {
        await test.step(name, async () => {
          await reach(page, provider);
          expect.soft(await findOverflow(page), `${name} fits`).toBeLessThanOrEqual(0);
          expect.soft(await findBarriers(page), `${name} is accessible`).toEqual([]);
        });
      }
    } finally {
      await provider.stop();
    }
  });
}
