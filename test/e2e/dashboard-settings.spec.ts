import { expect } from '@playwright/test';
import { openDashboard, visit, startTestSession } from './support/dashboard-states.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
});

test('settings: errors are shown at their field, and saved values apply to the next session', async ({
  page,
  provider,
}) => {
  await openDashboard(page, provider, '#settings');
  const policy = page.getByTestId('policy');
  await page.getByTestId('mode').selectOption('L2');
  await page.getByTestId('challenge-age').fill('17');
  await policy.getByRole('button').click();
  await expect(page.getByTestId('challenge-age')).toHaveAccessibleDescription(/Enter 25 or more/);
  await page.getByTestId('challenge-age').fill('30');
  await page.getByTestId('face-match').uncheck();
  await policy.getByRole('button').click();
  await expect(page.getByTestId('announcements')).toContainText('Policy saved');

  await page.getByTestId('domain').fill('https://kontor.example');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('domain')).toHaveAccessibleDescription(/Each value must be a host/);
  await page.getByTestId('domain').fill('kontor.example *.kontor.example');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('domains').getByRole('listitem')).toHaveCount(2);

  await page.getByTestId('next-outcome').selectOption('failed_age_not_met');
  await page.getByRole('button', { name: 'Add to queue' }).click();
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
  await expect(page.getByTestId('session-status')).toHaveText('failed');
  await expect(state).toContainText('age_not_met');
  await expect(page.locator('[data-kind=event]').last()).toContainText('verification.failed');
  await expect(page.locator('[data-kind=request]')).toHaveCount(1);
  await expect(page.getByTestId('delivery').first()).toHaveAttribute('data-status', 'delivered');
});

test('settings: two domains can be removed in quick succession', async ({ page, provider }) => {
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

test('settings: a field keeps text typed during a save', async ({ page, provider }) => {
  await openDashboard(page, provider, '#settings');
  const name = page.getByTestId('account-settings').getByLabel('Name');
  await name.fill('Kontor');
  const isBack = page.waitForResponse(/\/control\/v1\/tenants\/[^/]+$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' by');
  await isBack;
  await expect(page.locator('.account-name')).toContainText('Kontor');
  await page.keyboard.type(' the sea');
  await expect(name).toHaveValue('Kontor by the sea');
});
