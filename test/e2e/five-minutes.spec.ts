/** The guide "Verify a shopper in five minutes", with the packed package in a clean folder. */
import { expect } from '@playwright/test';
import { closeResult, passThrough } from './support/hosted-page.ts';
import { followGuide, type FollowedGuide } from './support/five-minutes.ts';
import { test } from './support/test.ts';

let guide: FollowedGuide;
test.beforeAll(async () => {
  guide = await followGuide();
});
test.afterAll(() => guide.stop());

for (const [scenario, result, event] of [
  ['verified', 'Welcome, the shop is open', 'verification.completed'],
  ['failed_age_not_met', 'Sorry, the shop stays closed', 'verification.failed'],
] as const) {
  test(`five minutes: the page shows the server's decision after ${scenario}, and the doctor finds no problem`, async ({
    page,
  }) => {
    await page.goto(guide.url);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Verify my age' }).click(),
    ]);
    await passThrough(popup, scenario);
    if (scenario !== 'verified') await closeResult(popup);
    await expect(page.getByRole('status')).toHaveText(result);
    await expect.poll(guide.readOutput).toContain(`Webhook ${event}`);
    expect(guide.askDoctor()).toContain('\n0 problems, 1 warning in ');
  });
}
