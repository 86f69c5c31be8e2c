/**
 * Parts that the pages of the shop and of the developer share: the bar, the clock and the notice of a lost
 * connection.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { findOverflow } from './support/accessibility.ts';
import { holdBack } from './support/hold-back.ts';
import { startProvider, type Provider } from './support/provider.ts';
import { test } from './support/test.ts';

const PATHS = [
  '',
  'inspector/',
  'dashboard/#overview',
  'dashboard/#webhooks',
  'labs/#webhook',
  'labs/#popup',
  'labs/#attack',
  'doctor/',
] as const;

const LONG = 'W'.repeat(200);
/** A page may load slowly on a busy machine. */
const SLOW = { timeout: 30_000 };

async function open(page: Page, { shop }: Pick<Provider, 'shop'>, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${shop}/${path}`);
  await expect(page.getByTestId('clock')).toBeVisible(SLOW);
}

const heightOf = async (bar: Locator): Promise<number> => (await bar.boundingBox())?.height ?? 0;

test('the bar is at most 64 pixels high on desktops and phones, no page is wider than the window, and none logs an error', async ({
  page,
  provider,
}) => {
  test.slow();
  const errors: string[] = [];
  page.on('console', (entry) => {
    if (entry.type() === 'error') errors.push(`${entry.text()} ${entry.location().url}`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await provider.client.clock.freeze();
  await provider.client.trigger({ name: 'never' });
  const bar = page.locator('.site-bar');
  for (const path of PATHS) {
    await open(page, provider, path);
    for (const width of [1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByTestId('clock-due')).toBeVisible();
      expect(await heightOf(bar), `${path} at ${width}`).toBeLessThanOrEqual(64);
      expect(await findOverflow(page), `${path} at ${width}`).toBe(0);
    }
    for (const width of [1024, 720, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByTestId('clock-toggle')).toBeVisible();
      expect(await heightOf(bar), `${path} at ${width}`).toBeLessThanOrEqual(64);
      expect(await findOverflow(page), `${path} at ${width}`).toBe(0);
    }
    await open(page, provider, path);
    await expect(page.locator('.site-bar [aria-current=page]')).toBeInViewport({ ratio: 1 });
  }
  expect(errors).toEqual([]);
  await provider.client.reset();
});

test('on a phone, one button opens the controls of the clock', async ({ page, provider }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, provider, 'doctor/');
  const freeze = page.getByTestId('clock-freeze');
  await expect(freeze).toHaveCount(0);
  await page.getByTestId('clock-toggle').click();
  await freeze.click();
  await expect(freeze).toHaveText('Resume');
  await expect(page.getByTestId('clock-instant')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(freeze).toHaveCount(0);
  await expect(page.getByTestId('clock-toggle')).toBeFocused();
  await provider.client.reset();
});

test('the skip link moves the focus past the bar, to the main content', async ({
  page,
  provider,
}) => {
  for (const path of PATHS) {
    await open(page, provider, path);
    const before = page.url();
    await page.keyboard.press('Tab');
    const skip = page.getByTestId('skip-link');
    await expect(skip, path).toBeFocused();
    await expect(skip, path).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(page.locator('main'), path).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('main :focus'), path).toHaveCount(1);
    expect(page.url(), path).toBe(before);
  }
});

test('with forced colours, the current page, selections and the legend’s colours stay distinguishable', async ({
  page,
  provider,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const background = (css: string, at = 0): Promise<string> =>
    page
      .locator(css)
      .nth(at)
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const isMarked = async (marked: string, other: string): Promise<void> => {
    await expect(page.locator(marked).first()).toBeVisible();
    expect(await background(marked), marked).not.toBe(await background(other));
  };
  await open(page, provider, 'labs/');
  await isMarked('.site-bar [aria-current]', '.site-bar a:not([aria-current])');
  await isMarked('.lab-nav [aria-current]', '.lab-nav a:not([aria-current])');
  await open(page, provider, 'inspector/');
  await isMarked('[data-testid=order]', '[data-testid=pause]');
  await provider.client.trigger({ name: 'verified' });
  await provider.client.trigger({ name: 'failed_age_not_met' });
  await open(page, provider, 'dashboard/#overview');
  await isMarked('.choice label:has(:checked)', '.choice label:not(:has(:checked))');
  await expect(page.locator('.swatch').first()).toBeVisible();
  expect(await background('.swatch')).not.toBe(await background('.swatch', 1));
});

test('the button of the clock shows --:--:-- until the time is known', async ({
  page,
  provider,
}) => {
  const release = await holdBack(page, '**/control/v1/**');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${provider.shop}/return/`);
  const button = page.getByTestId('clock-toggle');
  await expect(button).toContainText('--:--:--');
  release();
  await expect(button).toContainText(/\d\d:\d\d:\d\d/);
});

test('long words do not widen a page', async ({ page, provider }) => {
  test.slow();
  const { client } = provider;
  await page.setViewportSize({ width: 320, height: 800 });
  await client.createTenant({ name: LONG });
  const [account] = await client.tenants();
  await client.createEndpoint(account?.id ?? '', {
    url: `http://127.0.0.1:9/${LONG.toLowerCase()}`,
  });
  const session = await client.trigger({ name: 'verified', externalUserId: LONG });
  await client.addObservation({
    kind: 'url_status_trusted',
    sessionId: session.id,
    by: 'W'.repeat(100),
  });
  for (const path of [...PATHS, `dashboard/#sessions/${session.id}`, 'dashboard/#sessions']) {
    await open(page, provider, path);
    await expect(page.locator('h1')).toBeVisible();
    for (const details of await page.locator('main details:not([open]) > summary').all()) {
      if (await details.isVisible()) await details.click();
    }
    expect(await findOverflow(page), path).toBe(0);
  }
  await client.reset();
});

test('every page reports a lost connection, and clears its error messages once the mock runs again', async ({
  page,
}) => {
  test.slow();
  let provider = await startProvider();
  const port = new URL(provider.shop).port;
  const pages = new Map<string, Page>();
  for (const path of [...PATHS, 'return/']) {
    const one = pages.size === 0 ? page : await page.context().newPage();
    await open(one, provider, path);
    pages.set(path, one);
  }
  const attacks = pages.get('labs/#attack')!;
  await expect(attacks.getByTestId('attacks')).toHaveAttribute('data-ready', 'true', SLOW);
  await provider.stop();
  for (const [path, one] of pages)
    await expect(one.getByTestId('connection-lost'), path).toBeVisible();

  const doctor = pages.get('doctor/')!;
  await doctor.getByTestId('clock-advance-60000').click();
  await expect(doctor.locator('.clock__failure')).toContainText('Cannot reach the mock');
  await attacks.getByTestId('run-forged-return').click();
  const failed = attacks.getByText('The attack could not run');
  await expect(failed).toBeVisible();

  provider = await startProvider(['--port', port]);
  for (const [path, one] of pages) {
    await expect(one.getByTestId('connection-lost'), path).toHaveCount(0, SLOW);
    await expect(one.locator('.note--bad:visible'), path).toHaveCount(0, SLOW);
  }
  await expect(doctor.locator('.clock__failure')).toBeEmpty();
  await expect(failed).toHaveCount(0);
  await provider.stop();
});
