/** The inspector: the timeline of a verification, the clock, and snapshots. */
import { expect, type Page } from '@playwright/test';
import { verifyWebhook } from 'ofage/server';
import { passThrough } from './support/hosted-page.ts';
import { test } from './support/test.ts';

/** Complete flows can be slow on a busy machine. */
const SLOW = { timeout: 30_000 };

const entry = (page: Page, kind: string, title: string | RegExp) =>
  page.locator(`[data-testid=entry][data-kind=${kind}]`).filter({ hasText: title });

async function verifyInShop(shop: Page, address: string): Promise<void> {
  await shop.goto(`${address}?mode=popup`);
  await expect(shop.getByTestId('verify-age')).toBeEnabled();
  const [popup] = await Promise.all([
    shop.waitForEvent('popup'),
    shop.getByTestId('verify-age').click(),
  ]);
  await passThrough(popup, 'verified');
  await expect(shop.getByTestId('access')).toHaveAttribute('data-access', 'true', SLOW);
}

test('the inspector shows a popup verification from call to signed delivery, with filters and the session diagram', async ({
  page,
  context,
  provider,
}) => {
  test.slow();
  await page.goto(`${provider.shop}/inspector/`);
  await expect(page.getByTestId('count')).toBeVisible();
  await provider.client.clock.advance(86_400_000);
  await verifyInShop(await context.newPage(), `${provider.shop}/`);

  // The actions of each party, in the order of cause and effect.
  const wanted = [
    ['sdk', 'verify() called'],
    ['request', '/api/v1/sessions/create → 201'],
    ['session', 'Session pending: '],
    ['session', 'Session pending → verified'],
    ['message', 'Message accepted: ofage:verification:complete'],
    ['callback', 'onComplete: verified'],
    ['sdk', 'verify() resolved: verified'],
    ['request', '/api/v1/sessions/validate → 200'],
    ['session', 'Session verified → validated'],
    ['server', "Shop's server: access"],
  ] as const;
  for (const [kind, title] of wanted) await expect(entry(page, kind, title)).toHaveCount(1, SLOW);
  await page.getByTestId('order').click();
  await expect(page.getByTestId('order')).toHaveAttribute('aria-pressed', 'false');
  const titles = await page.locator('[data-testid=entry] .entry__title').allInnerTexts();
  const places = wanted.map(([, title]) => titles.findIndex((text) => text.includes(title)));
  // The shop's server validates when the webhook or the page reaches it, whichever is first.
  const ofPage = places.slice(0, 7);
  const ofServer = [...places.slice(0, 4), ...places.slice(7)];
  for (const chain of [ofPage, ofServer]) expect(chain).toEqual(chain.toSorted((a, b) => a - b));

  // Each entry but the first shows the time since the one before it.
  const since = page.getByTestId('since-previous');
  await expect(since.first()).toBeEmpty();
  await expect(since.nth(1)).toHaveText(/^\+\d+ (ms|s|min)/);
  // The call happened before the session existed and is still assigned to it.
  const session = await entry(page, 'callback', 'onComplete').getAttribute('data-session');
  expect(session).toMatch(/^[0-9a-f-]{36}$/);
  await expect(entry(page, 'sdk', 'verify() called')).toHaveAttribute(
    'data-session',
    session ?? '',
  );

  // Entries from pages also show the time of the service's clock.
  const times = await page
    .locator(`[data-session="${session}"] time`)
    .evaluateAll((all: any[]) => all.map(({ dateTime }) => Date.parse(dateTime)));
  const { clock } = await provider.client.state();
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.parse(clock.now));
  expect(Math.min(...times)).toBeGreaterThan(Date.parse(clock.now) - 120_000);

  const create = entry(page, 'request', 'sessions/create');
  await create.locator('summary').click();
  await expect(create.getByTestId('response-headers')).toContainText('x-ratelimit-remaining');
  await expect(create.getByTestId('request-headers')).toContainText(
    /authorization\s*Bearer pk_\w+…/,
  );

  // The signature on the page is valid for the bytes on the page.
  const delivery = entry(page, 'delivery', 'verification.completed, attempt 1 → 204');
  await delivery.locator('summary').click();
  const body = await delivery.getByTestId('delivery-body').textContent();
  const signature = await delivery.getByTestId('delivery-signature').textContent();
  const bytes = new TextEncoder().encode(body ?? '');
  const event = await verifyWebhook(bytes, signature, provider.webhookSecret);
  expect(event).toMatchObject({ event: 'verification.completed', data: { sessionId: session } });

  await provider.client.trigger({ name: 'failed_age_not_met' });
  const others = page.locator(`[data-testid=entry]:not([data-session="${session}"])`);
  await expect(others.filter({ hasText: 'Session pending → failed' })).toHaveCount(1);
  await delivery.getByTestId('only-session').click();
  await expect(others).toHaveCount(0);
  await expect(delivery.getByTestId('only-session')).toHaveAttribute('aria-pressed', 'true');
  await page.getByTestId('filters').click();
  await expect(page.getByTestId('filter-session')).toHaveValue(session ?? '');
  const diagram = page.getByTestId('diagram');
  await expect(diagram).toHaveAttribute('data-path', 'pending verified validated');
  await expect(diagram.locator('desc')).toContainText('then validated at');

  await page.getByTestId('filter-text').fill('onComplete VERIFIED');
  await expect(page.getByTestId('entry')).toHaveCount(1);
  await page.getByTestId('filter-text').fill('');
  await page.getByTestId('kind-all').click();
  await expect(page.getByTestId('entry')).toHaveCount(0);
  await page.getByTestId('kind-event').check();
  await expect(page.getByTestId('entry')).toHaveCount(2);

  // A pause freezes the list, and cleared entries do not reappear.
  await page.getByTestId('filter-session').selectOption('');
  await page.getByTestId('pause').click();
  await provider.client.trigger({ name: 'cancelled' });
  await expect(page.getByTestId('pause')).toHaveText(/\d+ new/);
  await expect(page.getByTestId('entry')).toHaveCount(4);
  await page.getByTestId('pause').click();
  await expect(page.getByTestId('entry')).toHaveCount(6);
  await page.getByTestId('clear').click();
  await provider.client.trigger({ name: 'verified' });
  await expect(page.getByTestId('entry')).toHaveCount(2);
});

test('the inspector moves the clock by a duration, to the next deadline and to a time', async ({
  page,
  provider,
}) => {
  await provider.client.clock.freeze();
  const session = await provider.client.trigger({ name: 'never' });
  await page.goto(`${provider.shop}/inspector/#${session.id}`);
  await expect(page.getByTestId('time-left')).toHaveText('10 min');
  await page.getByTestId('clock-more').click();
  await page.getByTestId('clock-duration').fill('9 parsecs');
  await page.getByTestId('clock-move').click();
  await expect(page.getByText('Enter a duration such as 90s')).toBeVisible();
  await page.getByTestId('clock-duration').fill('9m 30s');
  await page.getByTestId('clock-move').click();
  await expect(page.getByTestId('time-left')).toHaveText('30 s');
  await expect(page.getByTestId('clock-due')).toHaveText('in 30 s');
  await page.getByTestId('clock-next').click();
  await expect(page.getByTestId('diagram')).toHaveAttribute('data-path', 'pending expired');
  await expect(entry(page, 'session', 'pending → expired')).toBeVisible();
  await page.getByTestId('clock-instant').fill('2040-02-29T12:00:30');
  await page.getByTestId('clock-set').click();
  await expect(page.getByTestId('clock')).toHaveAttribute('datetime', '2040-02-29T12:00:30.000Z');
  await provider.client.reset();
});

test('static playground: the inspector shows a verification in another tab', async ({
  page,
  site,
  context,
}) => {
  test.slow();
  await page.goto(`${site.url}inspector/`);
  await expect(page.getByTestId('count')).toBeVisible();
  await verifyInShop(await context.newPage(), site.url);
  await expect(entry(page, 'callback', 'onComplete: verified')).toHaveCount(1);
  await expect(entry(page, 'request', 'sessions/create → 201')).toHaveCount(1);
  await expect(entry(page, 'delivery', 'verification.completed, attempt 1 → 204')).toHaveCount(1);
  await expect(page.getByTestId('diagram')).toHaveAttribute(
    'data-path',
    'pending verified validated',
  );
});
