/** The dashboard: its actions and the resulting views. */
import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import {
  createSession,
  openDashboard,
  startTestSession,
  visit,
} from './support/dashboard-states.ts';
import { pressByKeyboard } from './support/keyboard.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
});

test('keys: a new pair works, a paused key gets 403 and a revoked key gets 401', async ({
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
  // The dashboard shows the error of the service.
  await visit(page, 'sessions');
  await page.getByTestId('new-session').click();
  await page.getByRole('button', { name: 'Create session' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('403');
  await page.keyboard.press('Escape');

  await visit(page, 'keys');
  await secret.getByTestId('pause').click();
  await expect(secret).toHaveAttribute('data-status', 'active');
  expect(await create()).toBe(201);

  // By keyboard, Escape cancels and returns the focus.
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

test('a dismissed dialog can be reopened immediately', async ({ page, provider }) => {
  await openDashboard(page, provider, '#keys');
  const revoke = page.getByTestId('revoke').first();
  await revoke.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  // The click happens after the dialog closed and before its close event fires.
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
  // The close event fires during this wait.
  await page.waitForTimeout(200);
  await expect(page.getByTestId('confirm')).toBeVisible();
});

test('a dialog focuses its first field, and Cancel returns the focus to the button that opened it', async ({
  page,
  provider,
}) => {
  await openDashboard(page, provider, '#overview');
  await page.getByTestId('new-account').click();
  await expect(page.getByTestId('account-name')).toBeFocused();
  await page.keyboard.type('Weinhaus');
  await expect(page.getByTestId('account-name')).toHaveValue('Weinhaus');
  // Shift+Tab from the first field reaches the only control before it.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByTestId('new-account')).toBeFocused();
  expect(await provider.client.tenants()).toHaveLength(1);
});

test('accounts can be selected with the arrow keys', async ({ page, provider }) => {
  for (const name of ['Weinhaus', 'Destille']) await provider.client.createTenant({ name });
  for (const section of ['overview', 'settings']) {
    await openDashboard(page, provider, `#${section}`);
    const account = page.getByTestId('account');
    await account.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL(/account=/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The page runs its effects after it is painted.
    await page.evaluate(() => new Promise((painted) => setTimeout(painted, 200)));
    await page.keyboard.press('ArrowDown');
    await expect(account.locator('option:checked')).toHaveText('Destille');
    await expect(account).toBeFocused();
  }
});

test('saving and other actions keep the keyboard focus', async ({ page, provider }) => {
  await openDashboard(page, provider, '#settings');
  const at = (id: string) => page.getByTestId(id);
  const announced = (text: string) => () => expect(at('announcements')).toContainText(text);
  for (const [button, said] of [
    ['Save policy', 'Policy saved'],
    ['Save account', 'Account saved'],
    ['Save billing block', 'Billing block removed'],
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
  await page.getByTestId('endpoint-row').getByRole('link').click();
  await pressByKeyboard(at('test-webhook'), said('Test passed'));
});

test('sessions: the search field keeps text typed during a search', async ({ page, provider }) => {
  await openDashboard(page, provider, '#sessions');
  const search = page.getByTestId('session-search');
  // Types right after the address changes, before the page renders.
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

test('sessions can be searched, filtered by status and paged, and are updated live', async ({
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
  // The address keeps the filter after a reload.
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

test('a snapshot is saved and loaded again after a reset', async ({ page, provider }, testInfo) => {
  const id = await createSession(provider, 'customer-1');
  await openDashboard(page, provider, '');
  await expect(page.getByTestId('tiles')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('save-snapshot').click(),
  ]);
  const file = testInfo.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  const text = await readFile(file, 'utf8');
  expect(text).toContain(id);
  expect(text).not.toContain(provider.secretKey);
  await page.getByTestId('snapshot-secrets').check();
  const [exact] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('save-snapshot').click(),
  ]);
  expect(await readFile(await exact.path(), 'utf8')).toContain(provider.secretKey);

  await page.getByTestId('reset').click();
  await page.getByTestId('confirm').click();
  await expect(page.getByText('No sessions yet.')).toBeVisible();

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

test('static playground: the dashboard works in a subfolder of the host', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}dashboard/#sessions`);
  await expect(page.getByText('No sessions yet.')).toBeVisible();
  await startTestSession(page, 'static-customer');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(page.getByTestId('session-status')).toHaveText('verified');
  await expect(page.getByTestId('delivery').first()).toHaveAttribute('data-status', 'delivered');
  await page.reload();
  await expect(page.getByTestId('session-status')).toHaveText('verified');
  await visit(page, 'overview');
  await expect(page.getByTestId('tiles')).toContainText('100%');
});
