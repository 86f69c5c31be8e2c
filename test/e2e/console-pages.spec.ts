/** The pages of the console, one journey each. console-webhooks.spec.ts has that of the webhooks. */
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { verifyWebhook } from 'ofage/server';
import {
  createSession,
  openConsole,
  pauseAnEndpoint,
  startTestSession,
  visit,
} from './support/console-states.ts';
import { passThrough } from './support/hosted-page.ts';
import type { Provider } from './support/provider.ts';
import { test } from './support/test.ts';

/** Skips Playwright's check that nothing covers the cell, because the row's link does. */
const ON_ROW = { force: true };

/** Complete flows can be slow on a busy machine. */
const SLOW = { timeout: 30_000 };

const rows = (page: Page) => page.getByTestId('session-row');
const entry = (page: Page, kind: string, title: string | RegExp) =>
  page.locator(`[data-testid=entry][data-kind=${kind}]`).filter({ hasText: title });

/** Creates sessions that failed for two reasons, and, two hours later, one that passed. */
async function createEndedSessions(provider: Provider): Promise<void> {
  const { client } = provider;
  await client.clock.freeze();
  for (const outcome of [
    'failed_age_not_met',
    'failed_age_not_met',
    'failed_image_quality',
  ] as const) {
    await client.settle(await createSession(provider, `customer-${outcome}`), outcome);
  }
  await client.clock.advance(7_200_000);
  await client.settle(await createSession(provider, 'customer-9'), 'verified');
}

test('overview: what needs attention comes first, and each number leads to its sessions', async ({
  page,
  provider,
}) => {
  const { id, account } = await pauseAnEndpoint(provider);
  await openConsole(page, provider, `#overview?account=${account}`);
  const attention = page.getByTestId('attention');
  await expect(attention).toContainText('Every request was rejected for an hour');
  const [first, second] = await Promise.all(
    [attention, page.getByTestId('outcomes')].map((one) => one.boundingBox()),
  );
  expect(first!.y).toBeLessThan(second!.y);
  await attention.getByRole('link', { name: 'Test and resume' }).click();
  await expect(page).toHaveURL(new RegExp(`#webhooks/${id}`));

  await provider.client.reset();
  await createEndedSessions(provider);
  await openConsole(page, provider, '');
  await expect(page.getByTestId('tiles')).toContainText('4');
  await expect(page.getByTestId('tiles')).toContainText('25%');
  await page.getByTestId('reasons').getByRole('link', { name: 'age_not_met' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.goBack();
  await page.locator('.chart .swatch[data-status=failed]').click();
  await expect(rows(page)).toHaveCount(3);
  await page.goBack();
  await page.getByText('As a table').click();
  const hours = page.getByTestId('chart-table').getByRole('link');
  await expect(hours).toHaveCount(2);
  await hours.last().press('Enter');
  // The overview, which is shown until then, has four rows.
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('verified');
  await page.goBack();
  await page.getByTestId('latest').getByText('customer-9').click(ON_ROW);
  await expect(page.getByTestId('session-status')).toHaveText('verified');
});

test('sessions: found by text and filters, shown as chips, paged, exported, and without the labs', async ({
  page,
  provider,
}) => {
  await createEndedSessions(provider);
  for (let n = 0; n < 26; n += 1) await createSession(provider, `customer-${n}`);
  await createSession(provider, 'ofage_lab:attack');
  await openConsole(page, provider, '#sessions');
  await expect(rows(page)).toHaveCount(25);
  await expect(page.getByTestId('session-count')).toHaveText('1–25 of 30 sessions');
  await page.getByTestId('older').click();
  await expect(rows(page)).toHaveCount(5);
  await page.goBack();
  await expect(rows(page)).toHaveCount(25);

  const search = page.getByTestId('session-search');
  await search.fill('customer-failed');
  await expect(rows(page)).toHaveCount(3);
  const chips = page.getByTestId('active-filters');
  await page.getByTestId('filters').click();
  await page.getByTestId('filter-reason').selectOption('age_not_met');
  await expect(rows(page)).toHaveCount(2);
  await expect(chips).toContainText('Reason: age_not_met');
  // The address keeps the filters after a reload.
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await chips.getByRole('button', { name: /Remove the filter Reason/ }).click();
  await expect(rows(page)).toHaveCount(3);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('export-csv').click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain('failed,image_quality,customer-failed_image_quality');

  await page.getByRole('button', { name: 'Show all sessions' }).click();
  await page.getByTestId('filters').click();
  await page.getByTestId('filter-period').selectOption('in the last hour');
  await expect(page.getByTestId('session-count')).toHaveText('1–25 of 27 sessions');
  await chips.getByRole('button', { name: /Remove the filter Created/ }).click();
  await page.getByTestId('filter-labs').check();
  await expect(page.getByTestId('session-count')).toHaveText('1–25 of 31 sessions');

  // A result that arrives meanwhile is shown, and text typed during a search stays.
  await search.fill('customer-1');
  const [newest] = await provider.client.sessions({ externalUserId: 'customer-1' });
  await provider.client.settle(newest?.id ?? '', 'verified');
  await expect(rows(page).filter({ hasText: newest?.id.slice(0, 8) ?? '' })).toContainText(
    'verified',
  );
  await expect(search).toHaveValue('customer-1');
});

test('session: started, settled, and told from the first request to the delivered webhook', async ({
  page,
  provider,
}) => {
  await openConsole(page, provider, '#sessions');
  await startTestSession(page, 'anna');
  await expect(page.getByTestId('diagram')).toHaveAttribute('data-current', 'pending');
  await page.getByTestId('settle-outcome').selectOption('failed_age_not_met');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(page.getByTestId('session-status')).toHaveText('failed');
  await expect(page.getByTestId('session-result')).toContainText('age_not_met');
  await expect(page.getByTestId('diagram')).toHaveAttribute('data-path', 'pending failed');
  await expect(entry(page, 'request', 'sessions/create → 201')).toHaveCount(1);
  const delivery = entry(page, 'delivery', 'verification.failed, attempt 1 → 204');
  await delivery.locator('summary').click();
  const body = await delivery.getByTestId('delivery-body').textContent();
  const signature = await delivery.getByTestId('delivery-signature').textContent();
  const bytes = new TextEncoder().encode(body ?? '');
  const event = await verifyWebhook(bytes, signature, provider.webhookSecret);
  expect(event.event).toBe('verification.failed');
  await page.getByRole('link', { name: 'Show in Timeline' }).click();
  await expect(page.getByTestId('entry').first()).toBeVisible();
});

async function verifyInShop(shop: Page, address: string): Promise<void> {
  await shop.goto(`${address}?mode=popup&onComplete=true`);
  await expect(shop.getByTestId('verify-age')).toBeEnabled();
  const [popup] = await Promise.all([
    shop.waitForEvent('popup'),
    shop.getByTestId('verify-age').click(),
  ]);
  await passThrough(popup, 'verified');
  await expect(shop.getByTestId('gate')).toHaveAttribute('data-open', 'true', SLOW);
}

test('timeline: a popup verification from call to signed delivery, filtered, paused, saved and cleared', async ({
  page,
  context,
  provider,
}) => {
  test.slow();
  await openConsole(page, provider, '#timeline');
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
  ] as const;
  for (const [kind, title] of wanted) await expect(entry(page, kind, title)).toHaveCount(1, SLOW);
  await page.getByTestId('filters').click();
  await page.getByTestId('filter-order').selectOption('oldest');
  await expect(page.getByTestId('active-filters')).toContainText('Oldest first');
  const titles = await page.locator('[data-testid=entry] .entry__title').allTextContents();
  const places = wanted.map(([, title]) => titles.findIndex((text) => text.includes(title)));
  // The shop's server validates when the webhook or the page reaches it, whichever is first.
  const ofPage = places.slice(0, 7);
  const ofServer = [...places.slice(0, 4), ...places.slice(7)];
  for (const chain of [ofPage, ofServer]) expect(chain).toEqual(chain.toSorted((a, b) => a - b));
  // The call happened before the session existed and is still assigned to it.
  const session = await entry(page, 'callback', 'onComplete').getAttribute('data-session');
  expect(session).toMatch(/^[0-9a-f-]{36}$/);
  await expect(entry(page, 'sdk', 'verify() called')).toHaveAttribute(
    'data-session',
    session ?? '',
  );

  const create = entry(page, 'request', 'sessions/create');
  await create.locator('summary').click();
  await expect(create.getByTestId('response-headers')).toContainText('x-ratelimit-remaining');
  await expect(create.getByTestId('request-headers')).toContainText(
    /authorization\s*Bearer pk_\w+…/,
  );

  await provider.client.trigger({ name: 'failed_age_not_met' });
  const others = page.locator(`[data-testid=entry]:not([data-session="${session}"])`);
  await expect(others.filter({ hasText: 'Session pending → failed' })).toHaveCount(1);
  await page.getByTestId('group').filter({ has: create }).getByTestId('only-session').click();
  await expect(others).toHaveCount(0);
  await expect(page.getByTestId('filter-session')).toHaveValue(session ?? '');
  await expect(page.getByTestId('diagram')).toHaveAttribute(
    'data-path',
    'pending verified validated',
  );
  await page.getByTestId('filter-text').fill('onComplete VERIFIED');
  await expect(page.getByTestId('entry')).toHaveCount(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('save-entries').click(),
  ]);
  const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(saved).toMatchObject([{ kind: 'callback', sessionId: session }]);
  await page.getByTestId('filter-text').fill('');
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

test('keys: a new pair works, a paused key gets 403 and a revoked key gets 401', async ({
  page,
  provider,
}) => {
  await openConsole(page, provider, '#keys');
  await expect(page.getByTestId('key-pair')).toHaveCount(1);
  await page.getByTestId('create-pair').click();
  await expect(page.getByTestId('key-pair')).toHaveCount(2);
  const secret = page.getByTestId('key-pair').first().getByTestId('key-secret');
  await expect(secret.locator('code')).toHaveText(/^sk_•+$/);
  await secret.getByTestId('reveal').click();
  await expect(secret.locator('code')).toHaveText(/^sk_\w{16,}$/);
  const key = await secret.locator('code').innerText();
  const create = async (): Promise<number> => {
    const response = await fetch(`${provider.apiBase}/sessions/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: `${provider.shop}/return/` }),
    });
    return response.status;
  };
  expect(await create()).toBe(201);
  await secret.getByTestId('pause').click();
  await expect(secret).toHaveAttribute('data-status', 'paused');
  expect(await create()).toBe(403);
  // The console does not offer such a pair.
  await visit(page, 'sessions');
  await page.getByTestId('new-session').click();
  await expect(page.getByTestId('refused-pairs')).toContainText('your server cannot validate');
  await page.keyboard.press('Escape');
  await visit(page, 'keys');
  await secret.getByTestId('pause').click();
  await expect(secret).toHaveAttribute('data-status', 'active');

  // The dialog names the key, unless it is secret.
  const publishable = page.getByTestId('key-pair').first().getByTestId('key-publishable');
  await publishable.getByTestId('revoke').click();
  await expect(page.getByRole('dialog').locator('code')).toHaveText(/^pk_\w{16,}$/);
  await page.keyboard.press('Escape');

  // By keyboard, Escape cancels and returns the focus.
  await secret.getByTestId('revoke').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(secret.getByTestId('revoke')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByTestId('confirm').focus();
  await page.keyboard.press('Enter');
  await expect(secret).toHaveAttribute('data-status', 'revoked');
  expect(await create()).toBe(401);
});

test('settings: one Save, errors at their field, and what was typed meanwhile stays', async ({
  page,
  provider,
}) => {
  const { client, tenantId } = provider;
  await client.updateTenant(tenantId, { members: [] });
  await openConsole(page, provider, '#settings');
  await page.getByTestId('mode').selectOption('L2');
  await page.getByTestId('challenge-age').fill('17');
  await page.getByTestId('domain').fill('https://kontor.example');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByTestId('challenge-age')).toHaveAccessibleDescription(/Enter 25 or more/);
  await expect(page.getByTestId('domain')).toHaveAccessibleDescription(/Each value must be a host/);
  await expect(page.getByTestId('members').getByRole('alert')).toBeVisible();
  await page.getByTestId('challenge-age').fill('30');
  await page.getByTestId('domain').fill('kontor.example *.kontor.example');
  await page.getByLabel('Email of member 1').fill('owner@kontor.example');
  await page.getByTestId('face-match').uncheck();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByTestId('announcements')).toContainText('Settings saved');
  await expect(page.getByTestId('domain')).toHaveValue('kontor.example\n*.kontor.example');
  expect(await client.tenant(tenantId)).toMatchObject({
    policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: false },
    allowedDomains: ['kontor.example', '*.kontor.example'],
    members: [{ email: 'owner@kontor.example', role: 'developer' }],
  });

  // A change elsewhere is shown, except in the field that is being edited, and is not undone by a save.
  const name = page.getByTestId('name');
  await name.fill('Kontor');
  await client.updateTenant(tenantId, { policy: { challengeAge: 40 } });
  await expect(page.getByTestId('challenge-age')).toHaveValue('40');
  await expect(name).toHaveValue('Kontor');
  const isBack = page.waitForResponse(/\/control\/v1\/tenants\/[^/]+$/);
  await name.press('Enter');
  await name.press('End');
  await page.keyboard.type(' by');
  await isBack;
  await expect(page.getByTestId('account')).toHaveText('Kontor');
  await page.keyboard.type(' the sea');
  await expect(name).toHaveValue('Kontor by the sea');
  expect((await client.tenant(tenantId)).policy.challengeAge).toBe(40);
});

test('simulate: outcomes, faults, sandbox, billing block and limits change what happens next', async ({
  page,
  provider,
}) => {
  const { client, tenantId } = provider;
  await openConsole(page, provider, '#simulate');
  await page.getByTestId('next-outcome').selectOption('failed_age_not_met');
  await page.getByRole('button', { name: 'Add to queue' }).click();
  await expect(page.getByTestId('next-outcomes').getByRole('listitem')).toHaveText([
    '1. failed_age_not_met',
  ]);
  const id = await createSession(provider, 'anna');
  expect((await client.session(id)).presetOutcome).toBe('failed_age_not_met');
  await expect(page.getByTestId('next-outcomes').getByRole('listitem')).toHaveCount(0);

  const faults = page.getByTestId('faults').getByRole('listitem');
  await page.getByTestId('fault-operation').selectOption('webhook');
  await page.getByTestId('fault-kind').selectOption('duplicate');
  await page.getByLabel('Number of attempts').fill('0');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expect(page.getByLabel('Number of attempts')).toHaveAccessibleDescription(/Enter 1/);
  await page.getByLabel('Number of attempts').fill('2');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expect(faults).toContainText('for the next 2 webhooks');
  await faults.getByRole('button').click();
  await expect(faults).toHaveCount(0);

  await page.getByTestId('billing-code').selectOption('PLAN_LIMIT_REACHED');
  await page.getByLabel('Create requests per 60 s').fill('1');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByTestId('announcements')).toContainText('Limits saved');
  expect((await client.tenant(tenantId)).rateLimits.create).toBe(1);
  await visit(page, 'overview');
  await expect(page.getByTestId('attention')).toContainText('PLAN_LIMIT_REACHED');
});

test('doctor: a finding says what to do, leads to its evidence, and is limited by session, time and labs', async ({
  page,
  provider,
}) => {
  const { client } = provider;
  const { id: sessionId } = await client.trigger({ name: 'verified', externalUserId: 'anna' });
  await client.addObservation({ kind: 'url_status_trusted', sessionId });
  await page.goto(`${provider.shop}/console/#doctor?session=${sessionId}`);
  const verdict = page.getByTestId('verdict');
  await expect(verdict).toHaveAttribute('data-verdict', 'problems');
  const finding = page.locator('[data-testid=finding][data-code=url_status_trusted]');
  await expect(finding).toContainText('What to do');
  await expect(finding.getByTestId('finding-page')).toHaveAttribute(
    'href',
    '/help/url_status_trusted',
  );
  await page.getByRole('button', { name: /Remove the filter Session/ }).click();
  await page.getByTestId('since-now').click();
  await expect(verdict).toHaveAttribute('data-verdict', 'nothing');
  await page.getByRole('button', { name: /Remove the filter Since/ }).click();
  await expect(verdict).toHaveAttribute('data-verdict', 'problems');
  await finding.getByTestId('evidence').first().click();
  await expect(page.getByTestId('session-result')).toContainText('anna');
});

test('static playground: the console works in a subfolder of the host', async ({
  page,
  site,
  context,
}) => {
  test.slow();
  await page.goto(`${site.url}console/#sessions`);
  await expect(page.getByText('No sessions yet.')).toBeVisible(SLOW);
  await startTestSession(page, 'static-customer');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(page.getByTestId('session-status')).toHaveText('verified');
  await expect(entry(page, 'delivery', 'attempt 1 → 204').first()).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('session-status')).toHaveText('verified', SLOW);
  await visit(page, 'overview');
  await expect(page.getByTestId('tiles')).toContainText('100%');
  await visit(page, 'timeline');
  await verifyInShop(await context.newPage(), site.url);
  await expect(entry(page, 'callback', 'onComplete: verified')).toHaveCount(1);
  await expect(entry(page, 'sdk', 'verify() called')).toHaveCount(1);
  await expect(entry(page, 'request', 'sessions/create → 201').first()).toBeVisible();
});
