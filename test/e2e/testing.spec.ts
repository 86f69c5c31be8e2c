/** Tests ofage-mock/testing in Playwright, with its real fixtures. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import { startMockServer } from 'ofage-mock/node';
import { playwrightFixtures, type OfAgeTestArgs, type OfAgeWorkerArgs } from 'ofage-mock/testing';
import { findFreePort } from '../support/free-port.ts';
import { closeResult, takePictures } from './support/hosted-page.ts';

const SDK = fileURLToPath(new URL('../../dist/sdk.min.js', import.meta.url));

const test = base.extend<OfAgeTestArgs, OfAgeWorkerArgs>(playwrightFixtures({ startMockServer }));

/** Opens a shop that has no settings for the mock. It uses the given bundle and its own API key. */
const openShop = (page: Page, sdk: string): Promise<void> =>
  openPage(page, `<script>${sdk}</script>`);

async function openPage(page: Page, sdkTag: string): Promise<void> {
  const html = `<!doctype html><button>Buy</button><output></output>${sdkTag}<script>
    const ofAge = new OfAge({
      apiKey: 'pk_live_of_the_shop', returnUrl: location.origin + '/return', mode: 'new-tab',
    });
    document.querySelector('button').onclick = async () => {
      const show = (text) => { document.querySelector('output').textContent = text; };
      try { show((await ofAge.verify({ externalUserId: 'anna' })).status); }
      catch (error) { show(error.code); }
    };
  </script>`;
  // Uses a real server, because a page fulfilled by Playwright counts as public and may not request localhost.
  shop.removeAllListeners('request').on('request', ({ url }, response) => {
    const [type, body] = url === '/worker.js' ? ['text/javascript', WORKER] : ['text/html', html];
    response.setHeader('content-type', type).end(body);
  });
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
}

/** A service worker that sends every request of the page itself, as workers with a cache do. */
const WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));
`;

const shop = createServer();
test.beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening');
});
test.afterAll(() => {
  shop.closeAllConnections();
  shop.close();
});

const production = () => readFile(SDK, 'utf8');
test.describe.configure({ mode: 'serial' });

test('a shop built for production uses the account of the test', async ({ page, ofage }) => {
  await ofage.intercept(page);
  await ofage.nextOutcomes('failed_age_not_met');
  await openShop(page, await production());
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Buy' }).click(),
  ]);
  await popup.getByTestId('start').click();
  // The queue sets the outcome, so the page offers no choice.
  await expect(popup.getByTestId('outcome')).toHaveCount(0);
  await takePictures(popup, 'failed_age_not_met');
  await closeResult(popup);
  await expect(page.locator('output')).toHaveText('failed');
  expect(await ofage.sessions()).toMatchObject([
    { status: 'failed', reason: 'age_not_met', externalUserId: 'anna' },
  ]);
});

test('a page with the script tag of another mock uses the account of the test', async ({
  page,
  ofage,
}) => {
  await ofage.intercept(page);
  await openPage(
    page,
    `<script src="http://127.0.0.1:${await findFreePort()}/sdk.min.js"></script>`,
  );
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Buy' }).click(),
  ]);
  await expect(popup.getByTestId('start')).toBeVisible();
  expect(await ofage.sessions()).toMatchObject([{ status: 'pending', externalUserId: 'anna' }]);
});

for (const [name, choose] of [
  ['a page', (page: Page) => page],
  ['a context', (page: Page) => page.context()],
] as const) {
  test(`a shop whose service worker sends the requests uses the account of the test that intercepts ${name}`, async ({
    page,
    ofage,
  }) => {
    await ofage.intercept(choose(page));
    await openShop(page, await production());
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js');
      if (navigator.serviceWorker.controller) return;
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve);
      });
    });
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Buy' }).click(),
    ]);
    await expect(popup.getByTestId('start')).toBeVisible();
    expect(await ofage.sessions()).toMatchObject([{ status: 'pending', externalUserId: 'anna' }]);
  });
}

test.describe('without service workers', () => {
  test.use({ serviceWorkers: 'block' });

  test('a shop whose page registers one uses the account of the test that intercepts a page', async ({
    page,
    ofage,
  }) => {
    await ofage.intercept(page);
    await openShop(page, await production());
    await page.evaluate(() => navigator.serviceWorker.register('/worker.js').catch(() => {}));
    await page.getByRole('button', { name: 'Buy' }).click();
    // The mock has the session before the page has the response. The test may end between them.
    await expect.poll(() => ofage.sessions()).toHaveLength(1);
  });
});

test('a page may be closed while the mock answers it', async ({ context, ofage }) => {
  const page = await context.newPage();
  await ofage.intercept(page);
  await ofage.fault({ operation: 'create', fault: 'slow', delayMs: 500 });
  await openShop(page, await production());
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect.poll(() => ofage.control.faults()).toEqual([]);
  // An error of the route would fail this test, or the next one of the worker.
  await context.close();
  await expect.poll(() => ofage.sessions()).toHaveLength(1);
});

test('the bundle of the mock sends its requests to the mock', async ({ page, ofage }) => {
  await ofage.nextOutcomes('cancelled');
  await openShop(page, await (await fetch(ofage.sdkUrl)).text());
  await page.getByRole('button', { name: 'Buy' }).click();
  // The bundle reached the mock without interception, with a key that is unknown there.
  await expect(page.locator('output')).toHaveText('unauthorized');
});
