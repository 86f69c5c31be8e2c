/** Moving through the dashboard: links, Back and Forward, and the keyboard. */
import { expect, type Page } from '@playwright/test';
import { createSession, openDashboard, visit } from './support/dashboard-states.ts';
import { holdBack } from './support/hold-back.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
});

/** Skips Playwright's check that nothing covers the cell, because the row's link does. */
const ON_ROW = { force: true };

const scrollY = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);

test('Back restores the scroll position and the focused link', async ({ page, provider }) => {
  for (let n = 0; n < 25; n += 1) await createSession(provider, `customer-${n}`);
  await page.setViewportSize({ width: 1280, height: 600 });
  await openDashboard(page, provider, '#sessions');
  const link = page.getByTestId('session-row').nth(20).getByRole('link');
  const id = await link.innerText();
  await link.focus();
  const before = await scrollY(page);
  expect(before).toBeGreaterThan(200);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('session-state')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goBack();
  const sameLink = page.getByRole('link', { name: id });
  await expect(sameLink).toBeFocused();
  expect(await scrollY(page)).toBe(before);

  await page.goForward();
  await expect(page.getByTestId('session-state')).toBeVisible();
  await page.goBack();
  await expect(sameLink).toBeFocused();
  // The scroll position also survives a visit to another page. A real click would scroll to the link first.
  await page.getByTestId('go-doctor').dispatchEvent('click');
  await expect(page).toHaveURL(/doctor/);
  await page.goBack();
  await expect.poll(() => scrollY(page)).toBe(before);
});

test('a new view starts at the top, with the focus on its heading', async ({ page, provider }) => {
  for (let n = 0; n < 25; n += 1) await createSession(provider, `customer-${n}`);
  await page.setViewportSize({ width: 1280, height: 600 });
  await openDashboard(page, provider, '#sessions');
  await page.getByTestId('session-row').nth(20).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
});

test('the focus stays where the user moves it while the dashboard is loading', async ({
  page,
  provider,
}) => {
  const release = await holdBack(page, '**/control/v1/tenants*');
  await page.goto(`${provider.shop}/dashboard/#overview`);
  await expect(page.getByTestId('clock')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('skip-link')).toBeFocused();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveCount(0);
  release();
  await expect(heading).toBeVisible();
  await expect(page.getByTestId('skip-link')).toBeFocused();
});

test('a click on any cell of a row opens its session or endpoint, and so does Enter on its link', async ({
  page,
  provider,
}) => {
  const id = await createSession(provider, 'customer-1');
  await openDashboard(page, provider, '#sessions');
  await page.getByTestId('session-row').getByText('customer-1').click(ON_ROW);
  await expect(page).toHaveURL(new RegExp(`#sessions/${id}$`));
  await visit(page, 'webhooks');
  await page.getByTestId('endpoint-row').getByRole('cell').last().click(ON_ROW);
  await expect(page).toHaveURL(/#webhooks\/.+/);
  await page.goBack();
  await page.getByTestId('endpoint-row').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#webhooks\/.+/);
});

test('the / key focuses the search, but types a slash in a field', async ({ page, provider }) => {
  await openDashboard(page, provider, '#overview');
  await page.keyboard.press('/');
  const search = page.getByTestId('session-search');
  await expect(search).toBeFocused();
  await page.keyboard.type('a/b');
  await expect(search).toHaveValue('a/b');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('a/b');
});

test('the page title names the session or endpoint', async ({ page, provider }) => {
  const id = await createSession(provider, 'customer-1');
  await openDashboard(page, provider, `#sessions/${id}`);
  await expect(page).toHaveTitle(`Session ${id.slice(0, 8)} · Dashboard · OfAge playground`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Session ${id.slice(0, 8)}`);
  await visit(page, 'sessions');
  await expect(page).toHaveTitle('Sessions · Dashboard · OfAge playground');
  await visit(page, 'webhooks');
  await page.getByTestId('endpoint-row').getByRole('link').click();
  await expect(page).toHaveTitle(/^Endpoint http/);
});

test('each view has at most one primary button', async ({ page, provider }) => {
  const id = await createSession(provider, 'customer-1');
  const sections = ['overview', 'sessions', `sessions/${id}`, 'keys', 'webhooks', 'emails'];
  for (const section of [...sections, 'settings']) {
    await openDashboard(page, provider, `#${section}`);
    await expect(page.locator('.panel').first()).toBeVisible();
    expect(await page.locator('main .button--primary').count(), section).toBeLessThanOrEqual(1);
  }
});

test('dialogs close when Cancel is pressed', async ({ page, provider }) => {
  const openers = [
    ['overview', ['new-account', 'new-session', 'reset']],
    ['keys', ['revoke']],
    ['webhooks', ['add-endpoint', 'edit-legacy']],
  ] as const;
  for (const [section, ids] of openers) {
    await openDashboard(page, provider, `#${section}`);
    for (const opener of ids) {
      await page.getByTestId(opener).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  }
});

test('with forced colours, the current section, the selected time span and the legend’s colours stay distinguishable', async ({
  page,
  provider,
}) => {
  await createSession(provider, 'customer-1');
  await page.emulateMedia({ forcedColors: 'active' });
  await openDashboard(page, provider, '#overview');
  await expect(page.getByTestId('tiles')).toBeVisible();
  const background = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const [one, other] of [
    ['.menu a[aria-current]', '.menu a:not([aria-current])'],
    ['.choice label:has(:checked)', '.choice label:not(:has(:checked))'],
    ['.swatch--verified', '.swatch--failed'],
  ] as const) {
    expect(await background(one), one).not.toBe(await background(other));
  }
});
