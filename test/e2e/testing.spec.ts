/** ofage/testing in the runner that it is for: Playwright runs these with the fixtures themselves. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import { startMockServer } from 'ofage/mock/node';
import { playwrightFixtures, type OfAgeTestArgs, type OfAgeWorkerArgs } from 'ofage/testing';
import { takePictures } from './support/hosted-page.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

// The pages and bundle that ship are found beside the built server; from source they are named.
const test = base.extend<OfAgeTestArgs, OfAgeWorkerArgs>(
  playwrightFixtures({
    startMockServer,
    options: { pagesDir: `${DIST}pages/`, sdkFile: `${DIST}sdk.min.js` },
  }),
);

/** A shop that knows nothing of the mock: the production bundle, and a key of its own. */
async function openShop(page: Page, sdk: string): Promise<void> {
  const html = `<!doctype html><button>Buy</button><output></output><script>${sdk}</script><script>
    const ofAge = new OfAge({
      apiKey: 'pk_live_of_the_shop', returnUrl: location.origin + '/return', mode: 'new-tab',
    });
    document.querySelector('button').onclick = async () => {
      const show = (text) => { document.querySelector('output').textContent = text; };
      try { show((await ofAge.verify({ externalUserId: 'anna' })).status); }
      catch (error) { show(error.code); }
    };
  </script>`;
  // A server of its own: a page that Playwright makes up counts as public, and may not ask this machine.
  shop.removeAllListeners('request').on('request', (_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
}

const shop = createServer();
test.beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening');
});
test.afterAll(() => {
  shop.closeAllConnections();
  shop.close();
});

const production = () => readFile(`${DIST}sdk.min.js`, 'utf8');
const tenants: string[] = [];
test.describe.configure({ mode: 'serial' });

test('a shop built for production meets the account of this test', async ({ page, ofage }) => {
  tenants.push(ofage.tenantId);
  await ofage.intercept(page);
  await ofage.nextOutcomes('failed_age_not_met');
  await openShop(page, await production());
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Buy' }).click(),
  ]);
  await popup.getByTestId('start').click();
  // The queue decides: there is nothing to choose on the page.
  await expect(popup.getByTestId('outcome')).toHaveCount(0);
  await takePictures(popup, 'failed_age_not_met');
  await expect(page.locator('output')).toHaveText('failed');
  expect(await ofage.sessions()).toMatchObject([
    { status: 'failed', reason: 'age_not_met', externalUserId: 'anna' },
  ]);
});

test('another test has another account', async ({ ofage }) => {
  expect(tenants).not.toContain(ofage.tenantId);
  expect(await ofage.sessions()).toEqual([]);
});

test('a fault of this test reaches the shop', async ({ page, ofage }) => {
  await ofage.intercept(page);
  await ofage.fault({ operation: 'create', fault: '503' });
  await openShop(page, await production());
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect(page.locator('output')).toHaveText('service_unavailable');
});

test('a session that is waiting in the window is ended by call', async ({ page, ofage }) => {
  await ofage.intercept(page);
  await openShop(page, await production());
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Buy' }).click(),
  ]);
  await expect(popup.getByTestId('start')).toBeVisible();
  await ofage.settle('verified_after_id');
  await popup.reload();
  await expect(popup.getByTestId('notice').or(popup.locator('h1')).first()).toBeVisible();
  await expect(popup.getByTestId('start')).toHaveCount(0);
  expect(await ofage.sessions()).toMatchObject([{ status: 'verified' }]);
});

test('the bundle of the mock is bound to it', async ({ page, ofage }) => {
  await ofage.nextOutcomes('cancelled');
  await openShop(page, await (await fetch(ofage.sdkUrl)).text());
  await page.getByRole('button', { name: 'Buy' }).click();
  // It asked the mock itself, with a key that is none there.
  await expect(page.locator('output')).toHaveText('unauthorized');
});
