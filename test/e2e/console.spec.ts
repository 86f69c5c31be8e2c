/**
 * What all pages of the playground share: the bar with the clock and the state, the notice of a lost
 * connection, and moving through the console.
 */
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { findOverflow } from './support/accessibility.ts';
import { createSession, openConsole, visit } from './support/console-states.ts';
import { holdBack } from './support/hold-back.ts';
import { startProvider, type Provider } from './support/provider.ts';
import { test } from './support/test.ts';

const CONSOLE = [
  'overview',
  'sessions',
  'timeline',
  'webhooks',
  'keys',
  'settings',
  'simulate',
  'doctor',
];
const PATHS = ['', ...CONSOLE.map((page) => `console/#${page}`), 'labs/#webhook', 'labs/#attack'];

const LONG = 'W'.repeat(200);
/** A page may load slowly on a busy machine. */
const SLOW = { timeout: 30_000 };

/** Skips Playwright's check that nothing covers the cell, because the row's link does. */
const ON_ROW = { force: true };

async function open(page: Page, { shop }: Pick<Provider, 'shop'>, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${shop}/${path}`);
  await expect(page.getByTestId('clock')).toBeVisible(SLOW);
  await page.evaluate(() => document.fonts.ready);
}

test('no page is wider than the window, the bar is one line, the headings of the console start at the same place, and nothing is logged as an error', async ({
  page,
  provider,
}) => {
  test.slow();
  const errors: string[] = [];
  page.on('console', (entry) => {
    if (entry.type() === 'error') errors.push(`${entry.text()} ${entry.location().url}`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await provider.client.trigger({ name: 'never' });
  const starts = new Set<number>();
  for (const path of PATHS) {
    await open(page, provider, path);
    for (const width of [1440, 720, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const bar = await page.locator('.site-bar').boundingBox();
      expect(bar?.height, `${path} at ${width}`).toBeLessThanOrEqual(64);
      expect(await findOverflow(page), `${path} at ${width}`).toBe(0);
    }
    for (const link of await page.locator('.site-bar :is(a, button, select)').all()) {
      if ((await link.getAttribute('data-testid')) !== 'skip-link')
        await expect(link, path).toBeInViewport({ ratio: 1 });
    }
    await page.setViewportSize({ width: 1440, height: 800 });
    if (path.startsWith('console')) {
      starts.add(await page.locator('h1').evaluate((h1) => h1.getBoundingClientRect().x));
      expect(await page.locator('main .button--primary').count(), path).toBeLessThanOrEqual(1);
    }
  }
  expect([...starts]).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('the clock is frozen, moved by a duration, to the next deadline and to a time', async ({
  page,
  provider,
}) => {
  await provider.client.clock.freeze();
  const session = await provider.client.trigger({ name: 'never' });
  await openConsole(page, provider, `#sessions/${session.id}`);
  await expect(page.getByTestId('time-left')).toHaveText('10 min');
  await page.getByTestId('clock-toggle').click();
  await page.getByTestId('clock-duration').fill('9 parsecs');
  await page.getByTestId('clock-move').click();
  await expect(page.getByText('Enter a duration such as 90s')).toBeVisible();
  await page.getByTestId('clock-duration').fill('9m 30s');
  await page.getByTestId('clock-move').click();
  await expect(page.getByTestId('time-left')).toHaveText('30 s');
  await expect(page.getByTestId('clock-due')).toHaveText('in 30 s');
  await page.getByTestId('clock-next').click();
  await expect(page.getByTestId('diagram')).toHaveAttribute('data-path', 'pending expired');
  await page.getByTestId('clock-instant').fill('2040-02-29T12:00:30');
  await page.getByTestId('clock-set').click();
  await expect(page.getByTestId('clock')).toHaveAttribute('datetime', '2040-02-29T12:00:30.000Z');
  await page.getByTestId('clock-freeze').click();
  await expect(page.getByTestId('clock-freeze')).toHaveText('Freeze');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('clock-freeze')).toHaveCount(0);
  await expect(page.getByTestId('clock-toggle')).toBeFocused();
});

test('the state is saved with and without secrets, reset, and loaded again', async ({
  page,
  provider,
}, testInfo) => {
  const id = await createSession(provider, 'customer-1');
  await openConsole(page, provider, '');
  await page.getByTestId('state').click();
  const save = async (): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('save-snapshot').click(),
    ]);
    const file = testInfo.outputPath(download.suggestedFilename());
    await download.saveAs(file);
    return file;
  };
  const file = await save();
  const text = await readFile(file, 'utf8');
  expect(text).toContain(id);
  expect(text).not.toContain(provider.secretKey);
  await page.getByTestId('snapshot-secrets').check();
  expect(await readFile(await save(), 'utf8')).toContain(provider.secretKey);

  await page.getByTestId('reset').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByTestId('reset').click();
  await page.getByTestId('confirm').click();
  await expect(page.getByTestId('latest')).toHaveCount(0);
  await page.getByTestId('snapshot-file').setInputFiles({
    name: 'wrong.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"format":"wrong"}'),
  });
  await page.getByTestId('confirm').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Cannot load');
  await page.keyboard.press('Escape');
  await page.getByTestId('snapshot-file').setInputFiles(file);
  await page.getByTestId('confirm').click();
  // The page shows the loaded sessions a moment before the dialog that covers them closes.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByTestId('latest').getByText('customer-1').click(ON_ROW);
  await expect(page).toHaveURL(new RegExp(`#sessions/${id}`));
  await expect(page.getByTestId('webhook-hold')).toHaveCount(0);

  // The endpoint of a colleague. Nothing is queued for it, so nothing is sent.
  const { url } = await provider.client.createEndpoint(provider.tenantId, {
    url: 'http://127.0.0.1:9/hooks-of-a-colleague',
  });
  const foreign = JSON.stringify(await provider.client.snapshot()).replaceAll(
    url,
    'https://hooks.colleague.example/',
  );
  await page.getByTestId('state').click();
  await page.getByTestId('snapshot-file').setInputFiles({
    name: 'foreign.json',
    mimeType: 'application/json',
    buffer: Buffer.from(foreign),
  });
  await page.getByTestId('confirm').click();
  await expect(page.getByTestId('webhook-hold')).toContainText(
    'Webhooks to hooks.colleague.example are held',
  );
  // The open menu covers the note.
  await page.getByTestId('state').click();
  await page.getByTestId('send-webhooks').click();
  await expect(page.getByTestId('webhook-hold')).toHaveCount(0);
  expect(await provider.client.webhookHold()).toEqual({ since: null, hosts: [] });
});

test('the skip link moves the focus past the bar and the menu, to the main content', async ({
  page,
  provider,
}) => {
  for (const path of ['', 'console/#overview', 'labs/']) {
    await open(page, provider, path);
    const before = page.url();
    await page.keyboard.press('Tab');
    await expect(page.getByTestId('skip-link'), path).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('main'), path).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('main :focus'), path).toHaveCount(1);
    await expect(page.locator('main nav[aria-label=Console]'), path).toHaveCount(0);
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
  await provider.client.trigger({ name: 'verified' });
  await provider.client.trigger({ name: 'failed_age_not_met' });
  await open(page, provider, 'console/#overview');
  await isMarked('.site-bar [aria-current]', '.site-bar a:not([aria-current])');
  await isMarked('.menu [aria-current]', '.menu a:not([aria-current])');
  await isMarked('.choice label:has(:checked)', '.choice label:not(:has(:checked))');
  expect(await background('.swatch')).not.toBe(await background('.swatch', 1));
});

test('the button of the clock shows --:--:-- until the time is known', async ({
  page,
  provider,
}) => {
  const release = await holdBack(page, '**/control/v1/**');
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
  await client.createEndpoint(provider.tenantId, {
    url: `http://127.0.0.1:9/${LONG.toLowerCase()}`,
  });
  const session = await client.trigger({ name: 'verified', externalUserId: LONG });
  await client.addObservation({
    kind: 'url_status_trusted',
    sessionId: session.id,
    by: 'W'.repeat(100),
  });
  for (const path of [...PATHS, `console/#sessions/${session.id}`]) {
    await open(page, provider, path);
    await expect(page.locator('h1')).toBeVisible();
    for (const details of await page.locator('main details:not([open]) > summary').all()) {
      if (await details.isVisible()) await details.click();
    }
    expect(await findOverflow(page), path).toBe(0);
  }
});

test('every page reports a lost connection within five seconds, and mends itself once the mock runs again', async ({
  page,
}) => {
  test.slow();
  let provider = await startProvider();
  const port = new URL(provider.shop).port;
  const pages = new Map<string, Page>();
  for (const path of ['', 'return/', 'labs/', 'console/#overview', 'console/#doctor']) {
    const one = pages.size === 0 ? page : await page.context().newPage();
    await open(one, provider, path);
    pages.set(path, one);
  }
  await provider.stop();
  const stoppedMs = performance.now();
  for (const [path, one] of pages)
    await expect(one.getByTestId('connection-lost'), path).toBeVisible({ timeout: 6_000 });
  expect(performance.now() - stoppedMs).toBeLessThan(10_000);
  const doctor = pages.get('console/#doctor')!;
  await doctor.getByTestId('clock-toggle').click();
  await doctor.getByTestId('clock-advance-60000').click();
  await expect(doctor.getByText('Cannot reach the mock').first()).toBeVisible();

  provider = await startProvider(['--port', port]);
  for (const [path, one] of pages) {
    await expect(one.getByTestId('connection-lost'), path).toHaveCount(0, SLOW);
    await expect(one.locator('.note.tone--bad:visible'), path).toHaveCount(0, SLOW);
  }
  await expect(doctor.getByText('Cannot reach the mock')).toHaveCount(0, SLOW);
  await provider.stop();
});

const scrollY = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);

test('Back restores the scroll position and the focused link, and a new view starts at its heading', async ({
  page,
  provider,
}) => {
  for (let n = 0; n < 25; n += 1) await createSession(provider, `customer-${n}`);
  await page.setViewportSize({ width: 1280, height: 600 });
  await openConsole(page, provider, '#sessions');
  const link = page.getByTestId('session-row').nth(20).getByRole('link');
  const id = (await link.getAttribute('aria-label')) ?? '';
  await link.focus();
  const before = await scrollY(page);
  expect(before).toBeGreaterThan(200);
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expect(page).toHaveTitle(`Session ${id} · Console · OfAge playground`);

  await page.goBack();
  const sameLink = page.getByRole('link', { name: id });
  await expect(sameLink).toBeFocused();
  expect(await scrollY(page)).toBe(before);
  // The scroll position also survives a visit to another page. A real click would scroll to the link first.
  await page.getByTestId('go-labs').dispatchEvent('click');
  await expect(page).toHaveURL(/labs/);
  await page.goBack();
  await expect.poll(() => scrollY(page)).toBe(before);
});

test('the focus stays where the user moves it while the console is loading', async ({
  page,
  provider,
}) => {
  const release = await holdBack(page, '**/control/v1/tenants*');
  await page.goto(`${provider.shop}/console/#overview`);
  await expect(page.getByTestId('clock')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('skip-link')).toBeFocused();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByTestId('skip-link')).toBeFocused();
});

test('a click on any cell of a row opens its session or endpoint', async ({ page, provider }) => {
  const id = await createSession(provider, 'customer-1');
  await openConsole(page, provider, '#sessions');
  await page.getByTestId('session-row').getByText('customer-1').click(ON_ROW);
  await expect(page).toHaveURL(new RegExp(`#sessions/${id}$`));
  await visit(page, 'webhooks');
  await page.getByTestId('endpoint-row').getByRole('cell').last().click(ON_ROW);
  await expect(page).toHaveURL(/#webhooks\/.+/);
});

test('a reload with a dialog open does not move the focus to the same link below', async ({
  page,
  provider,
}) => {
  for (let n = 0; n < 20; n += 1) await createSession(provider, `customer-${n}`);
  await page.setViewportSize({ width: 800, height: 500 });
  await openConsole(page, provider, '#sessions');
  await page.getByTestId('new-session').click();
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByTestId('show-session').focus();
  await page.reload();
  await expect(page.getByTestId('session-row')).toHaveCount(21);
  await expect(page.locator('body')).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
});

test('on a phone, each name in the menu is wholly in view while it has the focus, from left to right', async ({
  page,
  provider,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openConsole(page, provider, '#overview');
  await page.getByTestId('account').focus();
  const rights: number[] = [];
  for (const name of ['new-account', ...CONSOLE.map((id) => `page-${id}`)]) {
    await page.keyboard.press('Tab');
    await expect(page.getByTestId(name)).toBeFocused();
    const { left, right, at, visible } = await page.evaluate(() => {
      const focused = document.activeElement!;
      const places = focused.closest('.desk__places')!;
      const { left, right } = focused.getBoundingClientRect();
      const frame = places.getBoundingClientRect();
      const visible = [frame.left, frame.right - 16] as const;
      return { left, right, at: right + places.scrollLeft, visible };
    });
    expect.soft(left, name).toBeGreaterThanOrEqual(visible[0]);
    expect.soft(right, name).toBeLessThanOrEqual(visible[1] + 0.5);
    rights.push(at);
  }
  expect(rights).toEqual(rights.toSorted((one, other) => one - other));
});

test('Ctrl+K focuses the search, and keys without a modifier do nothing', async ({
  page,
  provider,
}) => {
  await openConsole(page, provider, '#keys');
  await page.keyboard.type('/k');
  await expect(page).toHaveURL(/#keys$/);
  await page.keyboard.press('Control+k');
  const search = page.getByTestId('session-search');
  await expect(search).toBeFocused();
  await page.keyboard.type('abc');
  await expect(search).toHaveValue('abc');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Control+k');
  await expect(search).toBeFocused();
  await page.keyboard.type('def');
  await expect(search, 'the new search replaces the old one').toHaveValue('def');
});

test('a dialog focuses its first field, returns the focus, and can be reopened at once; accounts are chosen with the arrow keys', async ({
  page,
  provider,
}) => {
  await openConsole(page, provider, '#overview');
  await page.getByTestId('new-account').click();
  await expect(page.getByTestId('account-name')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByTestId('new-account')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByTestId('account-name').fill('Weinhaus');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No key pairs yet.')).toBeVisible();

  const account = page.getByTestId('account');
  await account.focus();
  await page.keyboard.press('ArrowUp');
  await expect(page).not.toHaveURL(/account=/);
  await expect(account).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(account.locator('option:checked')).toHaveText('Weinhaus');
  await expect(account).toBeFocused();
});
