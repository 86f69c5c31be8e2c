/** The dashboard does what production's does, by its buttons alone, and shows what comes of it. */
import { expect, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { startFaultyReceiver } from '../support/faulty-receiver.ts';
import { createSession, openDashboard } from './support/dashboard-states.ts';
import { pressByKeyboard } from './support/keyboard.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
});

const visit = async (page: Page, section: string): Promise<void> => {
  await page.getByTestId(`section-${section}`).click();
  // So that a screen reader says where one is.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
};

/** Starts a session by the dashboard's own button, and goes to its page. */
async function startTestSession(page: Page, externalUserId: string): Promise<void> {
  await page.getByTestId('new-session').click();
  await page.getByTestId('new-session-user').fill(externalUserId);
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByTestId('show-session').click();
  await expect(page.getByTestId('session-state')).toContainText(externalUserId);
}

test('keys: a new pair works; a paused key is refused with 403; a revoked one with 401', async ({
  page,
  provider,
}) => {
  await openDashboard(page, provider, '#keys');
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
  // The dashboard says so in the service's own words, too.
  await visit(page, 'sessions');
  await page.getByTestId('new-session').click();
  await page.getByRole('button', { name: 'Create session' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('403');
  await page.keyboard.press('Escape');

  await visit(page, 'keys');
  await secret.getByTestId('pause').click();
  await expect(secret).toHaveAttribute('data-status', 'active');
  expect(await create()).toBe(201);

  // By keyboard: Escape changes nothing, and the focus is where it was.
  await secret.getByTestId('revoke').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(secret.getByTestId('revoke')).toBeFocused();
  await expect(secret).toHaveAttribute('data-status', 'active');
  await page.keyboard.press('Enter');
  await page.getByTestId('confirm').focus();
  await page.keyboard.press('Enter');
  await expect(secret).toHaveAttribute('data-status', 'revoked');
  expect(await create()).toBe(401);
});

test('a dialog that was left opens again at once', async ({ page, provider }) => {
  await openDashboard(page, provider, '#keys');
  const revoke = page.getByTestId('revoke').first();
  await revoke.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  // In the moment in which the dialog is closed and nobody has been told of it.
  await page.evaluate(() => {
    const dialog = document.querySelector<HTMLDialogElement>('dialog[open]');
    const button = document.querySelector<HTMLElement>('[data-testid=revoke]');
    const observer = new MutationObserver(() => {
      if (dialog?.open) return;
      observer.disconnect();
      button?.click();
    });
    if (dialog) observer.observe(dialog, { attributes: true });
  });
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('confirm')).toBeVisible();
  // By then whoever listens has been told of the close.
  await page.waitForTimeout(200);
  await expect(page.getByTestId('confirm')).toBeVisible();
});

test('a dialog is filled in at once, and left by its button', async ({ page, provider }) => {
  await openDashboard(page, provider, '#overview');
  await page.getByTestId('new-account').click();
  await expect(page.getByTestId('account-name')).toBeFocused();
  await page.keyboard.type('Weinhaus');
  await expect(page.getByTestId('account-name')).toHaveValue('Weinhaus');
  // Backwards from the first field, as nothing comes before it but this button.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByTestId('new-account')).toBeFocused();
  expect(await provider.client.tenants()).toHaveLength(1);
});

test('accounts: arrow keys go through them', async ({ page, provider }) => {
  for (const name of ['Weinhaus', 'Destille']) await provider.client.createTenant({ name });
  for (const section of ['overview', 'settings']) {
    await openDashboard(page, provider, `#${section}`);
    const account = page.getByTestId('account');
    await account.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL(/account=/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Its own effects come after it is painted.
    await page.evaluate(() => new Promise((painted) => setTimeout(painted, 200)));
    await page.keyboard.press('ArrowDown');
    await expect(account.locator('option:checked')).toHaveText('Destille');
    await expect(account).toBeFocused();
  }
});

test('whoever works by keyboard keeps their place', async ({ page, provider }) => {
  await openDashboard(page, provider, '#settings');
  const at = (id: string) => page.getByTestId(id);
  const announced = (text: string) => () => expect(at('announcements')).toContainText(text);
  for (const [button, said] of [
    ['Save policy', 'Policy saved'],
    ['Save account', 'Account saved'],
    ['Save block', 'Block lifted'],
    ['Save limits', 'Limits saved'],
    ['Save members', 'Members saved'],
    ['Add fault', 'Fault added'],
  ] as const) {
    await pressByKeyboard(page.getByRole('button', { name: button }), announced(said));
  }

  await visit(page, 'keys');
  await pressByKeyboard(at('create-pair'), announced('created'));
  const pause = at('key-publishable').first().getByTestId('pause');
  await pressByKeyboard(pause, announced('is paused'));
  await pressByKeyboard(pause, announced('is active'));

  await visit(page, 'webhooks');
  const said = (text: string) => () => expect(at('said')).toContainText(text);
  await pressByKeyboard(at('test-webhook'), said('was accepted'));
});

test('settings: what is refused stands at its field; what is saved shows in the next session', async ({
  page,
  provider,
}) => {
  await openDashboard(page, provider, '#settings');
  const policy = page.getByTestId('policy');
  await page.getByTestId('mode').selectOption('L2');
  await page.getByTestId('challenge-age').fill('17');
  await policy.getByRole('button').click();
  await expect(page.getByTestId('challenge-age')).toHaveAccessibleDescription(
    /must not be less than 25/,
  );
  await page.getByTestId('challenge-age').fill('30');
  await page.getByTestId('face-match').uncheck();
  await policy.getByRole('button').click();
  await expect(page.getByTestId('announcements')).toContainText('Policy saved');

  await page.getByTestId('domain').fill('https://kontor.example');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('domain')).toHaveAccessibleDescription(/must be a host/);
  await page.getByTestId('domain').fill('kontor.example *.kontor.example');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('domains').getByRole('listitem')).toHaveCount(2);

  await page.getByTestId('next-outcome').selectOption('failed_age_not_met');
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await expect(page.getByTestId('next-outcomes').getByRole('listitem')).toHaveText([
    '1. failed_age_not_met',
  ]);

  await visit(page, 'sessions');
  await startTestSession(page, 'anna');
  const state = page.getByTestId('session-state');
  await expect(state).toContainText('L2');
  await expect(state).toContainText('30');
  await expect(state).toContainText('failed_age_not_met');
  await page.getByTestId('settle-outcome').selectOption('failed_age_not_met');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(state.getByText('failed', { exact: true })).toBeVisible();
  await expect(state).toContainText('age_not_met');
  await expect(page.getByTestId('events')).toContainText('verification.failed');
  await expect(page.getByTestId('requests').getByRole('row')).toHaveCount(2);
  await expect(page.getByTestId('delivery').first()).toHaveAttribute('data-status', 'delivered');
});

test('settings: domains are removed one right after the other', async ({ page, provider }) => {
  await provider.client.updateTenant(provider.tenantId, {
    allowedDomains: ['a.example', 'b.example', 'c.example'],
  });
  await openDashboard(page, provider, '#settings');
  await page.getByRole('button', { name: 'Remove a.example' }).click();
  await page.getByRole('button', { name: 'Remove b.example' }).click();
  await expect(page.getByTestId('announcements')).toContainText('Removed b.example');
  const { allowedDomains } = await provider.client.tenant(provider.tenantId);
  expect(allowedDomains).toEqual(['c.example']);
});

test('settings: what is typed while a save is on its way stays', async ({ page, provider }) => {
  await openDashboard(page, provider, '#settings');
  const name = page.getByTestId('account-settings').getByLabel('Name');
  await name.fill('Kontor');
  const isBack = page.waitForResponse(/\/control\/v1\/tenants\/[^/]+$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' by');
  await isBack;
  await expect(page.locator('.accounts')).toContainText('Kontor');
  await page.keyboard.type(' the sea');
  await expect(name).toHaveValue('Kontor by the sea');
});

test('sessions: what is typed while a search is on its way stays', async ({ page, provider }) => {
  await openDashboard(page, provider, '#sessions');
  const search = page.getByTestId('session-search');
  // Right after the address has changed, before anything is drawn again.
  await search.evaluate((field: HTMLInputElement) => {
    const typeOn = (): void => {
      field.value = 'Berta M';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    window.addEventListener('hashchange', typeOn, { once: true });
  });
  await search.fill('Berta');
  await expect(page).toHaveURL(/q=Berta(%20|\+)M$/);
  await expect(search).toHaveValue('Berta M');
});

test('sessions: found by externalUserId, by id, by status; pages turn; news comes by itself', async ({
  page,
  provider,
}) => {
  for (let n = 0; n < 30; n += 1) await createSession(provider, `customer-${n}`);
  const id = await createSession(provider, 'Berta Müller');
  await provider.client.settle(id, 'verified');

  await openDashboard(page, provider, '#sessions');
  const rows = page.getByTestId('session-row');
  await expect(rows).toHaveCount(25);
  await page.getByTestId('older').click();
  await expect(rows).toHaveCount(6);
  await page.goBack();
  await expect(rows).toHaveCount(25);

  await page.getByTestId('session-search').fill('müller');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(id);
  await expect(page).toHaveURL(/q=/);
  await page.getByTestId('session-search').fill(id);
  await expect(rows).toContainText('Berta Müller');
  await page.getByTestId('session-search').fill('');
  await page.getByTestId('filter-status').selectOption('verified');
  await expect(page).toHaveURL(/#sessions\?status=verified$/);
  await expect(rows).toHaveCount(1);
  // A link to it stays one after a reload.
  await page.reload();
  await expect(rows).toHaveCount(1);
  const another = await createSession(provider, 'Carla');
  await provider.client.settle(another, 'verified');
  await expect(rows).toHaveCount(2);

  await visit(page, 'overview');
  await expect(page.getByTestId('tiles')).toContainText('32');
  await page.getByText('As a table').click();
  await expect(page.getByTestId('chart-table').getByRole('row').last()).toContainText('32');
});

test('webhooks: added, tested, paused after a day of failures, resumed and redelivered', async ({
  page,
  provider,
}) => {
  test.slow();
  const receiver = await startFaultyReceiver();
  try {
    await openDashboard(page, provider, '#overview');
    await page.getByTestId('new-account').click();
    await page.getByTestId('account-name').fill('Weinhaus');
    await page.getByRole('button', { name: 'Create account' }).click();
    // One goes on with its keys.
    await page.getByTestId('create-pair').click();
    const key = page.getByTestId('key-secret');
    await key.getByTestId('reveal').click();
    const secretKey = await key.locator('code').innerText();

    await visit(page, 'webhooks');
    await page.getByTestId('add-endpoint').click();
    await page.getByTestId('endpoint-url').fill('http://10.0.0.1/');
    await page.getByTestId('endpoint-form').getByRole('button').click();
    await expect(page.getByTestId('endpoint-url')).toHaveAccessibleDescription(/url must/);
    await page.getByTestId('endpoint-url').fill(`http://localhost:${receiver.port}/hooks`);
    await page.getByTestId('event-session.started').uncheck();
    await page.getByTestId('endpoint-form').getByRole('button').click();
    await expect(page.getByTestId('new-secret')).toHaveText(/^whsec_/);
    await page.getByTestId('secret-done').click();
    await expect(page.getByTestId('production-refusal')).toContainText('url must use https');

    await page.getByTestId('test-webhook').click();
    await expect(page.getByTestId('said')).toContainText('was accepted');
    expect(receiver.requests).toHaveLength(1);

    receiver.behave({ kind: 'status', status: 503 });
    await provider.client.clock.freeze();
    const id = await createSession(provider, 'customer-1', secretKey);
    await provider.client.settle(id, 'verified');
    const state = page.getByTestId('endpoint-state');
    await expect(state).toHaveText('degraded');
    await page.getByTestId('clock-advance-86400000').click();
    // It waits for the first move, which is a day of retries over real sockets.
    await page.getByTestId('clock-advance-3600000').click({ timeout: 30_000 });
    await expect(state).toHaveText('paused', { timeout: 30_000 });
    await expect(page.getByTestId('endpoint-notice')).toContainText('for 24 hours');
    await expect(page.getByTestId('redeliver')).toHaveText('Redeliver 1');
    await page.getByTestId('redeliver').click();
    await expect(page.getByTestId('said')).toContainText('Cannot redeliver: it is paused');

    await visit(page, 'emails');
    await expect(page.getByTestId('email')).toHaveCount(1);
    await expect(page.getByTestId('email')).toContainText('paused your webhooks');
    await page.getByRole('link', { name: 'The endpoint' }).click();

    const delivery = page.getByTestId('delivery');
    await expect(delivery).toHaveAttribute('data-status', 'undelivered');
    await delivery.locator('summary').click();
    await expect(delivery.getByTestId('attempts')).toContainText('503');
    receiver.behave({ kind: 'status', status: 204 });
    await page.getByTestId('test-and-resume').click();
    await expect(page.getByTestId('said')).toContainText('Resumed');
    await expect(state).toHaveText('healthy');
    await page.getByTestId('redeliver').click();
    await expect(page.getByTestId('said')).toHaveText('Queued 1 event again');
    await expect(delivery).toHaveAttribute('data-status', 'delivered');
    // What stands on the page is what was received.
    const body = delivery.getByRole('region', { name: 'Body of verification.completed' });
    expect(await body.textContent()).toBe(receiver.requests.at(-1)?.body.toString());
  } finally {
    await receiver.close();
  }
});

test('webhooks: a legacy webhook becomes an endpoint, which is edited, switched off and deleted', async ({
  page,
  provider,
}) => {
  await openDashboard(page, provider, '#webhooks');
  const endpoints = page.getByTestId('endpoint');
  await expect(endpoints).toHaveCount(1);
  await page.getByTestId('edit-legacy').click();
  await page.getByTestId('legacy-url').fill('http://localhost:9/old-hooks');
  await page.getByRole('button', { name: 'Save legacy webhook' }).click();
  await page.getByTestId('secret-done').click();
  await page.getByTestId('migrate').click();
  await expect(endpoints).toHaveCount(2);

  const migrated = endpoints.filter({ hasText: 'http://localhost:9/old-hooks' });
  await migrated.getByTestId('edit-endpoint').click();
  await page.getByTestId('event-session.timeout').uncheck();
  await page.getByRole('button', { name: 'Save endpoint' }).click();
  await expect(migrated).not.toContainText('session.timeout');
  await expect(migrated).toContainText('verification.completed');
  await migrated.getByTestId('rotate-secret').click();
  await page.getByTestId('confirm').click();
  await expect(page.getByTestId('new-secret')).toHaveText(/^whsec_[0-9a-f]{48}$/);
  await page.getByTestId('secret-done').click();
  await expect(page.getByTestId('new-secret')).toHaveCount(0);

  await migrated.getByTestId('endpoint-enabled').click();
  await expect(migrated.getByTestId('endpoint-state')).toHaveText('disabled');
  await expect(migrated.getByTestId('test-webhook')).toBeDisabled();
  await migrated.getByTestId('delete-endpoint').click();
  await page.getByTestId('confirm').click();
  await expect(endpoints).toHaveCount(1);
});

test('a run is saved, everything is reset, and the run is loaded again', async ({
  page,
  provider,
}, testInfo) => {
  const id = await createSession(provider, 'customer-1');
  await openDashboard(page, provider, '');
  await expect(page.getByTestId('tiles')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('save-snapshot').click(),
  ]);
  const file = testInfo.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  expect(await readFile(file, 'utf8')).toContain(id);

  await page.getByTestId('reset').click();
  await page.getByTestId('confirm').click();
  await expect(page.getByText('No session yet.')).toBeVisible();

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
  await expect(page.getByTestId('tiles')).toBeVisible();
  await page.getByRole('link', { name: 'customer-1' }).click();
  await expect(page).toHaveURL(new RegExp(`#sessions/${id}`));
});

test('the static build has the same dashboard, below any path', async ({ page, site }) => {
  await page.goto(`${site.url}dashboard/#sessions`);
  await expect(page.getByText('No session yet.')).toBeVisible();
  await startTestSession(page, 'static-customer');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(page.getByTestId('session-state').getByText('verified')).toBeVisible();
  await expect(page.getByTestId('delivery').first()).toHaveAttribute('data-status', 'delivered');
  await page.reload();
  await expect(page.getByTestId('session-state').getByText('verified')).toBeVisible();
  await visit(page, 'overview');
  await expect(page.getByTestId('tiles')).toContainText('100 %');
});
