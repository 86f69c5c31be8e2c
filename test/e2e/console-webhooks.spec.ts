/** The console's pages about webhooks. */
import { expect } from '@playwright/test';
import { startReceiver } from '../support/receiver.ts';
import { createAccount, createSession, openConsole } from './support/console-states.ts';
import { test } from './support/test.ts';

/** A day of retries can be slow on a busy machine. */
const SLOW = { timeout: 30_000 };

test('webhooks: an endpoint is added, tested, paused after a day of failures and resumed, and its missed event is redelivered', async ({
  page,
  provider,
}) => {
  test.slow();
  let status = 204;
  const receiver = await startReceiver((response) => response.writeHead(status).end());
  try {
    const account = await createAccount(provider);
    await provider.client.updateTenant(account.id, {
      members: [{ email: 'owner@kontor.example', role: 'owner' }],
    });
    await openConsole(page, provider, `#webhooks?account=${account.id}`);
    await page.getByTestId('add-endpoint').click();
    await page.getByTestId('endpoint-url').fill('http://10.0.0.1/');
    await page.getByTestId('endpoint-form').getByRole('button').click();
    await expect(page.getByTestId('endpoint-url')).toHaveAccessibleDescription(/Use https/);
    await page.getByTestId('endpoint-url').fill(`http://localhost:${receiver.port}/hooks`);
    await page.getByTestId('event-session.started').uncheck();
    await page.getByTestId('endpoint-form').getByRole('button').click();
    await expect(page.getByTestId('new-secret')).toHaveText(/^whsec_/);
    // The page of the new endpoint opens next.
    await page.getByTestId('secret-done').click();
    const state = page.getByTestId('endpoint-state');
    await expect(state).toHaveText('new');
    await expect(page.getByTestId('production-refusal')).toContainText('url must use https');
    const primary = page.getByTestId('endpoint').locator('.button--primary');
    await expect(primary).toHaveText('Test webhook');
    await primary.click();
    await expect(page.getByTestId('said')).toContainText('Test passed');
    expect(receiver.received).toHaveLength(1);

    status = 503;
    await provider.client.clock.freeze();
    const id = await createSession(provider, 'customer-1', account.secretKey);
    await provider.client.settle(id, 'verified');
    await expect(page.getByTestId('endpoint')).toContainText('The last 1 request failed');
    await provider.client.clock.advance(90_000_000);
    await expect(state).toHaveText('paused', SLOW);
    await expect(page.getByTestId('endpoint-notice')).toContainText('for 24 hours');
    await expect(primary).toHaveText('Test and resume');
    await expect(page.getByTestId('redeliver')).toHaveCount(0);
    await primary.click();
    await expect(page.getByTestId('said')).toContainText('Test failed: 503');

    await page.goto(`${provider.shop}/console/#webhooks?account=${account.id}`);
    await page.getByTestId('email').locator('summary').click();
    await expect(page.getByTestId('email')).toContainText('paused your webhooks');
    await expect(page.getByTestId('email')).toContainText('owner@kontor.example');
    await page.getByTestId('notice').getByRole('link').click();

    const delivery = page.getByTestId('delivery');
    await expect(delivery).toHaveAttribute('data-status', 'undelivered');
    await delivery.locator('summary').first().click();
    await expect(delivery).toContainText('attempt 1 → 503');
    status = 204;
    await primary.click();
    await expect(page.getByTestId('said')).toContainText('Resumed');
    await expect(state).toHaveText('healthy, 1 not delivered');
    await expect(primary).toHaveText('Redeliver 1');
    await primary.click();
    await expect(page.getByTestId('said')).toHaveText('Delivered 1 event');
    await expect(primary).toHaveText('Test webhook');
    await expect(page.getByRole('status').filter({ hasText: 'Delivered' })).toBeFocused();
    await expect(delivery).toHaveAttribute('data-status', 'delivered');
    // The page shows the exact body that was received.
    await delivery.getByTestId('entry').last().locator('summary').click();
    const body = delivery.getByTestId('delivery-body');
    expect(await body.textContent()).toBe(receiver.received.at(-1)?.body);
  } finally {
    await receiver.close();
  }
});

test('webhooks: a legacy webhook is set up and migrated to an endpoint, which is edited, rotated, disabled and deleted', async ({
  page,
  provider,
}) => {
  await openConsole(page, provider, '#webhooks');
  await expect(page.getByTestId('endpoint-row')).toHaveCount(1);
  await expect(page.getByTestId('legacy')).toHaveCount(0);
  await page.getByTestId('edit-legacy').click();
  await page.getByTestId('endpoint-url').fill('http://localhost:9/old-hooks');
  await page.getByRole('button', { name: 'Save legacy webhook' }).click();
  await page.getByTestId('secret-done').click();
  await page.getByTestId('migrate').click();
  await expect(page.getByTestId('endpoint-row')).toHaveCount(2);
  await expect(page.getByTestId('legacy')).toHaveCount(0);

  await page.getByRole('link', { name: 'http://localhost:9/old-hooks' }).click();
  const endpoint = page.getByTestId('endpoint');
  await page.getByTestId('edit-endpoint').click();
  await page.getByTestId('event-session.timeout').uncheck();
  await page.getByRole('button', { name: 'Save endpoint' }).click();
  await expect(endpoint).not.toContainText('session.timeout');
  await expect(endpoint).toContainText('verification.completed');
  await page.getByTestId('rotate-secret').click();
  await page.getByTestId('confirm').click();
  await expect(page.getByTestId('new-secret')).toHaveText(/^whsec_[0-9a-f]{48}$/);
  await page.getByTestId('secret-done').click();

  await page.getByTestId('endpoint-enabled').click();
  await expect(page.getByTestId('endpoint-state')).toHaveText('disabled');
  await expect(page.getByTestId('test-webhook')).toBeDisabled();
  await page.getByTestId('delete-endpoint').click();
  await page.getByTestId('confirm').click();
  await expect(page).toHaveURL(/#webhooks$/);
  await expect(page.getByTestId('endpoint-row')).toHaveCount(1);
});
