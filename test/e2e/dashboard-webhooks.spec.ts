import { expect } from '@playwright/test';
import { startFaultyReceiver } from '../support/faulty-receiver.ts';
import {
  createSession,
  openDashboard,
  pauseAnEndpoint,
  visit,
} from './support/dashboard-states.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
});

test('webhooks: an endpoint is added, tested, paused after a day of failures and resumed, and its missed event is redelivered', async ({
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
    // The dashboard then shows the keys of the new account.
    await page.getByTestId('create-pair').click();
    const key = page.getByTestId('key-secret');
    await key.getByTestId('reveal').click();
    const secretKey = await key.locator('code').innerText();

    await visit(page, 'webhooks');
    await page.getByTestId('add-endpoint').click();
    await page.getByTestId('endpoint-url').fill('http://10.0.0.1/');
    await page.getByTestId('endpoint-form').getByRole('button').click();
    await expect(page.getByTestId('endpoint-url')).toHaveAccessibleDescription(/This value must/);
    await page.getByTestId('endpoint-url').fill(`http://localhost:${receiver.port}/hooks`);
    await page.getByTestId('event-session.started').uncheck();
    await page.getByTestId('endpoint-form').getByRole('button').click();
    await expect(page.getByTestId('new-secret')).toHaveText(/^whsec_/);
    // The page of the new endpoint opens next.
    await page.getByTestId('secret-done').click();
    await expect(page.getByTestId('endpoint-state')).toHaveText('new');
    await expect(page.getByTestId('production-refusal')).toContainText('url must use https');

    await page.getByTestId('test-webhook').click();
    await expect(page.getByTestId('said')).toContainText('Test passed');
    expect(receiver.requests).toHaveLength(1);

    receiver.behave({ kind: 'status', status: 503 });
    await provider.client.clock.freeze();
    const id = await createSession(provider, 'customer-1', secretKey);
    await provider.client.settle(id, 'verified');
    const state = page.getByTestId('endpoint-state');
    await expect(page.getByTestId('endpoint')).toContainText('The last 1 request failed');
    await page.getByTestId('clock-advance-86400000').click();
    // The button waits for the previous move, which runs a day of retries over real sockets.
    await page.getByTestId('clock-advance-3600000').click({ timeout: 30_000 });
    await expect(state).toHaveText('paused', { timeout: 30_000 });
    await expect(page.getByTestId('endpoint-notice')).toContainText('for 24 hours');
    await expect(page.getByTestId('redeliver')).toHaveText('Redeliver 1');
    await expect(page.getByTestId('redeliver')).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByTestId('redeliver')).toHaveAccessibleDescription(
      /press “Test and resume”/,
    );
    await page.getByTestId('test-webhook').click();
    await expect(page.getByTestId('said')).toContainText('Test failed: 503');

    await visit(page, 'emails');
    await expect(page.getByTestId('email')).toHaveCount(1);
    await expect(page.getByTestId('email')).toContainText('paused your webhooks');
    await visit(page, 'webhooks');
    await page.getByTestId('notices').getByRole('link').click();

    const delivery = page.getByTestId('delivery');
    await expect(delivery).toHaveAttribute('data-status', 'undelivered');
    await delivery.locator('summary').click();
    await expect(delivery.getByTestId('attempts')).toContainText('503');
    receiver.behave({ kind: 'status', status: 204 });
    await page.getByTestId('test-and-resume').click();
    await expect(page.getByTestId('redeliver-block')).toHaveCount(0);
    await expect(page.getByTestId('said')).toContainText('Resumed');
    await expect(state).toHaveText('healthy');
    await page.getByTestId('redeliver').click();
    await expect(page.getByTestId('said')).toHaveText('Queued 1 event for redelivery');
    await expect(delivery).toHaveAttribute('data-status', 'delivered');
    // The page shows the exact body that was received.
    const body = delivery.getByRole('region', { name: 'Body of verification.completed' });
    expect(await body.textContent()).toBe(receiver.requests.at(-1)?.body.toString());

    // Once the state contradicts the result of an action, the result disappears.
    receiver.behave({ kind: 'status', status: 503 });
    await expect(page.getByTestId('said')).toHaveCount(1);
    const next = await createSession(provider, 'customer-2', secretKey);
    await provider.client.settle(next, 'verified');
    await expect(page.getByTestId('endpoint')).toContainText('The last 1 request failed');
    await expect(page.getByTestId('said')).toHaveCount(0);
    await provider.client.clock.advance(3_600_000);

    // The row now has two times, and its table fits into the window of a laptop.
    await page.setViewportSize({ width: 1366, height: 768 });
    await visit(page, 'webhooks');
    const table = page.getByRole('region', { name: 'Webhook endpoints' });
    await expect(table).toContainText('ago)');
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    );
  } finally {
    await receiver.close();
  }
});

test('webhooks: a legacy webhook is migrated to an endpoint, which is then edited, disabled and deleted', async ({
  page,
  provider,
}) => {
  await openDashboard(page, provider, '#webhooks');
  const endpoints = page.getByTestId('endpoint-row');
  await expect(endpoints).toHaveCount(1);
  await page.getByTestId('edit-legacy').click();
  await page.getByTestId('legacy-url').fill('http://localhost:9/old-hooks');
  await page.getByRole('button', { name: 'Save legacy webhook' }).click();
  await page.getByTestId('secret-done').click();
  await page.getByTestId('migrate').click();
  await expect(endpoints).toHaveCount(2);

  await page.getByRole('link', { name: 'http://localhost:9/old-hooks' }).click();
  const migrated = page.getByTestId('endpoint');
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
  await expect(page.getByTestId('endpoint-state')).toHaveText('disabled');
  await expect(migrated.getByTestId('test-webhook')).toBeDisabled();
  await migrated.getByTestId('delete-endpoint').click();
  await page.getByTestId('confirm').click();
  await expect(page).toHaveURL(/#webhooks$/);
  await expect(endpoints).toHaveCount(1);
});

test('webhooks: the worst endpoint is listed first, and one note counts the URLs that only the mock accepts', async ({
  page,
  provider,
}) => {
  const { id, account } = await pauseAnEndpoint(provider);
  for (const name of ['a', 'b']) {
    await provider.client.createEndpoint(account, { url: `http://localhost:9/${name}` });
  }
  await openDashboard(page, provider, `#webhooks?account=${account}`);
  const rows = page.getByTestId('endpoint-row');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('paused');
  await expect(rows.nth(1)).toContainText('new');
  await expect(page.getByTestId('mock-only')).toHaveText(/^Mock only: 3 endpoints have /);
  await expect(page.getByTestId('notices').getByRole('listitem')).toContainText(
    'have been paused because the endpoint rejected every request for an hour',
  );
  await expect(page.getByTestId('notices').getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`#webhooks/${id}\\?account=`),
  );
});

test('webhooks: an endpoint shows the session of each delivery, and a session shows the endpoint', async ({
  page,
  provider,
}) => {
  const { id, account } = await pauseAnEndpoint(provider);
  await openDashboard(page, provider, `#webhooks/${id}?account=${account}`);
  const [session] = await provider.client.sessions({ tenantId: account });
  const { url } = await provider.client.endpoint(id);
  const delivery = page.getByTestId('delivery');
  for (const row of await delivery.all()) {
    await expect(row.locator('summary')).toContainText(`session ${session!.id.slice(0, 8)}`);
  }
  await delivery.last().locator('summary').click();
  await delivery.last().getByRole('link', { name: session!.id }).click();
  await expect(page.getByTestId('timeline')).toBeVisible();
  await expect(delivery).not.toHaveCount(0);
  for (const row of await delivery.all()) {
    await expect(row.locator('summary')).toContainText(`to ${url}`);
  }
});
