/** Accessibility and narrow layout of every view of the dashboard. */
import { expect } from '@playwright/test';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { dashboardStates } from './support/dashboard-states.ts';
import { test } from './support/test.ts';

// Split into three tests, which run in parallel.
for (const part of [0, 1, 2]) {
  test(`every state of the dashboard passes axe and fits a phone, part ${part + 1}`, async ({
    page,
    provider,
  }) => {
    test.slow();
    for (const { name, reach } of dashboardStates.filter((_, index) => index % 3 === part)) {
      await test.step(name, async () => {
        await page.setViewportSize({ width: 1280, height: 900 });
        await reach(page, provider);
        expect(await findBarriers(page), name).toEqual([]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await findOverflow(page), `${name}, on a narrow phone`).toBeLessThanOrEqual(0);
      });
    }
  });
}
