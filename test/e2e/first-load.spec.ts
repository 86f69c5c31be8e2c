/** The first load of a page: what it shows before its script and the service have loaded, and its size. */
import { expect } from '@playwright/test';
import { holdBack } from './support/hold-back.ts';
import { startStaticSite } from './support/static-site.ts';
import { test } from './support/test.ts';

/**
 * Limit in bytes of everything that the static playground's shop loads before a shopper can be verified:
 * the page, the service worker and the service. At 400 kb/s these bytes take 5.5 s. The limit is 6 s.
 */
const FIRST_LOAD_LIMIT = 275_000;

/** Files that must not delay others, so they are requested last. */
const FONT = /\.woff2$/;
const EXPLANATIONS = /\/panels-[^/]+\.js$/;

for (const path of ['', 'console/', 'verify/', 'return/']) {
  test(`/${path} shows the site's name until its script has loaded`, async ({ page, site }) => {
    // The small script that sets the theme delays the page on purpose.
    const release = await holdBack(page, /\/(?!theme-)[^/]*\.js$/);
    await page.goto(site.url + path, { waitUntil: 'commit' });
    const shell = page.locator('.shell');
    await expect(shell).toBeVisible();
    await expect(shell).toHaveText(/^(Kontor|OfAge|OfAge playground)$/);
    release();
    await expect(shell).toBeHidden();
    await expect(page.getByRole('main').or(page.getByRole('heading')).first()).toBeVisible();
  });
}

for (const path of ['/', '/code/', '/return/', '/console/', '/labs/']) {
  test(`${path} opens where the browser blocks storage`, async ({ page, provider }) => {
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException(`Access to ${name} is denied.`, 'SecurityError');
          },
        });
    });
    await page.goto(provider.shop + path);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page.locator('.shell')).toBeHidden();
    expect(errors).toEqual([]);
  });
}

test.describe('the static playground', () => {
  test('shows the shop and the status of the service while it loads', async ({ page, site }) => {
    const release = await holdBack(page, /\/service-[^/]+\.bin$/);
    await page.goto(site.url);
    await expect(page.getByTestId('gate')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add' }).first()).toBeEnabled();
    await expect(page.getByTestId('service-status')).toHaveText(/^Loading the service/);
    await expect(page.getByTestId('verify-age')).toBeDisabled();
    release();
    await expect(page.getByTestId('verify-age')).toBeEnabled();
    await expect(page.getByTestId('service-status')).toHaveCount(0);
  });

  test('shows an error if the service cannot be loaded', async ({ page, site }) => {
    await page.route(/\/service-[^/]+\.bin$/, (route) => route.abort());
    await page.goto(site.url);
    await expect(page.getByTestId('service-status')).toHaveText(/^Cannot load the service/);
  });

  test('loads no more than the limit before a shopper can be verified, apart from fonts', async ({
    page,
  }) => {
    const site = await startStaticSite();
    await page.goto(site.url);
    await expect(page.getByTestId('verify-age')).toBeEnabled();
    await expect(page.getByTestId('what-happened')).toBeVisible();
    site.stop();
    const explanationsAt = site.sent.findIndex(({ path }) => EXPLANATIONS.test(path));
    const needed = site.sent.slice(0, explanationsAt).filter(({ path }) => !FONT.test(path));
    expect(needed.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\.bin$/));
    expect(needed.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT);
  });

  test('loads the fonts after the service, and at once on later visits', async ({ page }) => {
    const site = await startStaticSite();
    const release = await holdBack(page, /\/service-[^/]+\.bin$/);
    const hasFont = (): boolean => site.sent.some(({ path }) => FONT.test(path));
    await page.goto(site.url);
    await expect(page.getByTestId('service-status')).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(hasFont()).toBe(false);
    release();
    await expect.poll(hasFont).toBe(true);
    await expect(page.getByTestId('verify-age')).toBeEnabled();

    const releaseAgain = await holdBack(page, /\/service-[^/]+\.bin$/);
    await page.reload();
    await expect(page.getByTestId('service-status')).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.fonts.check('1rem Figtree'))).toBe(true);
    releaseAgain();
    site.stop();
  });

  for (const path of ['', 'console/', 'verify/?sessionId=1&token=1']) {
    test(`says on /${path} that it needs https or localhost, if it was opened over plain http`, async ({
      page,
      site,
    }) => {
      const plain = 'http://shop.example/';
      await page.route(`${plain}**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        const answer = await fetch(new URL(pathname.slice(1), site.url));
        await route.fulfill({
          status: answer.status,
          contentType: answer.headers.get('content-type') ?? '',
          body: Buffer.from(await answer.arrayBuffer()),
        });
      });
      await page.goto(plain + path);
      await expect(page.getByTestId('service-status')).toHaveText(/needs https or localhost/);
      await expect(page.locator('body')).not.toContainText('TypeError');
      await expect(page.locator('body')).not.toContainText('undefined');
    });
  }
});
