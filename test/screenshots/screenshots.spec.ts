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

test('the picture of the README: the shop, and in front of it the check', async ({ page }, {
  project,
}) => {
  test.skip(project.name !== 'laptop-light', 'The README has one picture');
  const provider = await startProvider(['--seed', '7']);
  try {
    await page.goto(provider.shop);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Verify my age' }).first().click(),
    ]);
    await popup.setViewportSize({ width: 480, height: 720 });
    await popup.getByTestId('start').waitFor();
    await popup.evaluate(() => document.fonts.ready);
    const [shop, check] = [await page.screenshot(), await popup.screenshot()];
    const toUrl = (picture: Buffer): string =>
      `data:image/png;base64,${picture.toString('base64')}`;
    await page.setContent(`<body style="margin: 0; height: 100vh; background: url(${toUrl(shop)})">
      <img src="${toUrl(check)}" alt="" style="position: absolute; right: 60px; top: 34px; height: 700px;
        border-radius: 8px; box-shadow: 0 12px 48px #0008">`);
    await page.locator('img').evaluate((image: HTMLImageElement) => image.decode());
    await page.screenshot({ path: folder('docs/images/shop-and-check.png') });
  } finally {
    await provider.stop();
  }
});
