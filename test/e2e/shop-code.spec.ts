/** The generated code for the mock, pasted into a shop on another port. */
import { expect, type Page } from '@playwright/test';
import { closeResult, takePictures } from './support/hosted-page.ts';
import { startPastedShop } from './support/pasted-shop.ts';
import type { Provider } from './support/provider.ts';
import { openCode, setNextOutcome } from './support/shop-states.ts';
import { test } from './support/test.ts';

async function readCode(page: Page, id: string): Promise<string> {
  await page.getByTestId(`snippet-${id}`).check();
  return (await page.getByTestId('snippet').textContent()) ?? '';
}

async function pasteShop(page: Page, provider: Provider, query: string) {
  await openCode(page, provider, query);
  await expect(page.getByTestId('target-mock')).toBeChecked();
  return startPastedShop(
    {
      script: await readCode(page, 'script'),
      returnPage: await readCode(page, 'return'),
      server: await readCode(page, 'server'),
    },
    provider,
  );
}

for (const [scenario, result] of [
  ['verified', 'Welcome in'],
  ['failed_age_not_met', 'No access'],
] as const) {
  test(`popup: the pasted page shows the server's decision after ${scenario}`, async ({
    page,
    provider,
  }) => {
    const shop = await pasteShop(page, provider, 'mode=popup&skipIntro=true');
    try {
      await page.goto(shop.url);
      await setNextOutcome(provider, scenario);
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Verify my age' }).click(),
      ]);
      await takePictures(popup, scenario);
      if (scenario !== 'verified') await closeResult(popup);
      await expect(page.locator('#result')).toHaveText(result);
    } finally {
      shop.stop();
    }
  });
}

test('redirect: the pasted return page shows the decision, also after a reload', async ({
  page,
  provider,
}) => {
  const shop = await pasteShop(page, provider, 'mode=redirect&skipIntro=true&autoReturn=true');
  try {
    await page.goto(shop.url);
    await setNextOutcome(provider, 'verified');
    await page.getByRole('button', { name: 'Verify my age' }).click();
    await takePictures(page, 'verified');
    await page.waitForURL(`${shop.url}/age-check/return?**`);
    await expect(page.locator('#result')).toHaveText('Welcome in');
    // A session can be validated once, so the generated server answers with the result that it stored.
    const validated = page.waitForResponse((response) => response.url().endsWith('/age-check'));
    await page.reload();
    await validated;
    await expect(page.locator('#result')).toHaveText('Welcome in');
  } finally {
    shop.stop();
  }
});

test('the script snippet for production contains neither the key of the mock nor an address on localhost', async ({
  page,
  provider,
}) => {
  await openCode(page, provider);
  await page.getByTestId('target-production').check();
  const code = await readCode(page, 'script');
  expect(code).toContain('integrity="sha384-');
  expect(code).not.toContain(provider.publishableKey);
  expect(code).not.toContain('localhost');
});
