/** The views of the dashboard for axe and for screenshots. */
import type { ScenarioName } from 'ofage/mock';
import { expect, type Page } from '@playwright/test';
import { startReceiver } from '../../support/receiver.ts';
import type { Provider } from './provider.ts';

export interface DashboardState {
  readonly name: string;
  /** Creates the data of the view and opens it. Most views reset the service first. */
  reach(page: Page, provider: Provider): Promise<void>;
}

export const dashboardStates: readonly DashboardState[] = [
  {
    name: 'overview-empty',
    async reach(page, provider) {
      await provider.client.reset();
      await openDashboard(page, provider, '');
      await expect(page.getByText('No sessions yet.')).toBeVisible();
      await expect(page.getByTestId('health').getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'overview',
    async reach(page, provider) {
      await fillDashboard(provider);
      await openDashboard(page, provider, '');
      await expect(page.getByTestId('tiles')).toBeVisible();
      await expect(page.getByTestId('health').getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'overview-paused',
    async reach(page, provider) {
      const { account } = await pauseAnEndpoint(provider);
      await openDashboard(page, provider, `#overview?account=${account}`);
      await expect(page.getByTestId('paused-alert')).toBeVisible();
    },
  },
  {
    name: 'long-words',
    async reach(page, provider) {
      await provider.client.reset();
      const word = 'x'.repeat(200);
      const { id } = await provider.client.createTenant({ name: `Kontor${word}` });
      await provider.client.createEndpoint(id, { url: `http://localhost:9/${word}` });
      const { secret } = await provider.client.createKeyPair(id);
      await createSession(provider, word, secret.value);
      await openDashboard(page, provider, `#overview?account=${id}`);
      await expect(page.getByTestId('tiles')).toBeVisible();
    },
  },
  {
    name: 'sessions',
    async reach(page, provider) {
      await fillDashboard(provider);
      await openDashboard(page, provider, '#sessions');
      await expect(page.getByTestId('session-row').first()).toBeVisible();
    },
  },
  {
    name: 'sessions-none-found',
    async reach(page, provider) {
      await provider.client.reset();
      await openDashboard(page, provider, '#sessions?q=nobody');
      await expect(page.getByText('No matching sessions.')).toBeVisible();
    },
  },
  {
    name: 'session-pending',
    async reach(page, provider) {
      await provider.client.reset();
      const id = await createSession(provider, 'customer-4711');
      await openDashboard(page, provider, `#sessions/${id}`);
      await expect(page.getByTestId('settle')).toBeVisible();
      await expect(page.locator('[data-kind=request]')).toHaveCount(1);
    },
  },
  {
    name: 'session-verified',
    async reach(page, provider) {
      const { sessionId } = await fillDashboard(provider);
      await openDashboard(page, provider, `#sessions/${sessionId}`);
      await expect(page.getByTestId('session-status')).toHaveText('verified');
      const delivery = page.getByTestId('delivery').last();
      await delivery.locator('summary').click();
      await expect(delivery.getByTestId('attempts')).toBeVisible();
      await expect(delivery.getByText('Exact body')).toBeVisible();
    },
  },
  {
    name: 'keys',
    async reach(page, provider) {
      await provider.client.reset();
      const pair = await provider.client.createKeyPair(provider.tenantId);
      await provider.client.setKeyStatus(pair.publishable.id, 'paused');
      await openDashboard(page, provider, '#keys');
      await expect(page.getByTestId('key-pair')).toHaveCount(2);
      await page.getByTestId('reveal').first().click();
    },
  },
  {
    name: 'revoke',
    async reach(page, provider) {
      await openDashboard(page, provider, '#keys');
      await page.getByTestId('revoke').first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'settings',
    async reach(page, provider) {
      await provider.client.reset();
      await provider.client.updateTenant(provider.tenantId, {
        allowedDomains: ['kontor.example', '*.shops.kontor.example'],
        billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'The plan is used up' },
      });
      await provider.client.queueNextOutcomes(provider.tenantId, ['cancelled', 'verified']);
      await provider.client.addFault({ operation: 'create', fault: '503', count: 2 });
      await provider.client.addFault({ operation: 'webhook', fault: 'duplicate' });
      await openDashboard(page, provider, '#settings');
      await expect(page.getByTestId('faults').getByRole('listitem')).toHaveCount(2);
      await page.getByTestId('challenge-age').fill('17');
      await page.getByRole('button', { name: 'Save policy' }).click();
      await expect(page.getByTestId('policy').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'webhooks-empty',
    async reach(page, provider) {
      await provider.client.reset();
      const { id } = await createAccount(provider);
      await openDashboard(page, provider, `#webhooks?account=${id}`);
      await expect(page.getByText('No endpoints yet.')).toBeVisible();
      await expect(page.getByTestId('legacy').getByText('Older accounts')).toBeVisible();
    },
  },
  {
    name: 'add-endpoint',
    async reach(page, provider) {
      await openDashboard(page, provider, '#webhooks');
      await page.getByTestId('add-endpoint').click();
      await page.getByTestId('endpoint-url').fill('http://192.168.0.1/hooks');
      await page.getByTestId('endpoint-form').getByRole('button').click();
      await expect(page.getByTestId('endpoint-form').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'webhooks',
    async reach(page, provider) {
      const { account } = await pauseAnEndpoint(provider);
      await openDashboard(page, provider, `#webhooks?account=${account}`);
      await expect(page.getByTestId('endpoint-row')).toContainText('paused');
      await expect(page.getByTestId('notices').getByRole('listitem')).toHaveCount(1);
    },
  },
  {
    name: 'endpoint-paused',
    async reach(page, provider) {
      const { id, account } = await pauseAnEndpoint(provider);
      await openDashboard(page, provider, `#webhooks/${id}?account=${account}`);
      await expect(page.getByTestId('endpoint-notice')).toBeVisible();
      await page.getByTestId('delivery').last().locator('summary').click();
      await expect(page.getByTestId('attempts')).toBeVisible();
    },
  },
  {
    name: 'emails',
    async reach(page, provider) {
      const { account } = await pauseAnEndpoint(provider);
      await openDashboard(page, provider, `#emails?account=${account}`);
      await expect(page.getByTestId('email')).toBeVisible();
    },
  },
];

export async function openDashboard(page: Page, provider: Provider, hash: string): Promise<void> {
  // Loads a new page instead of only a new fragment, so that no earlier state remains.
  await page.goto('about:blank');
  await page.goto(`${provider.shop}/dashboard/${hash}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

export async function createSession(
  provider: Provider,
  externalUserId: string,
  secretKey: string = provider.secretKey,
): Promise<string> {
  const response = await fetch(`${provider.apiBase}/sessions/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ returnUrl: `${provider.shop}/return/`, externalUserId }),
  });
  const { sessionId } = (await response.json()) as { sessionId: string };
  return sessionId;
}

/** Resets the service and creates sessions over 18 hours. Returns the id of the last verified one. */
async function fillDashboard(provider: Provider): Promise<{ sessionId: string }> {
  await provider.client.reset();
  await provider.client.clock.freeze();
  let sessionId = '';
  for (const [hour, outcomes] of HOURS.entries()) {
    for (const [index, outcome] of outcomes.entries()) {
      const id = await createSession(provider, `customer-${hour}${index}`);
      if (outcome !== 'pending') await provider.client.settle(id, outcome);
      if (outcome === 'verified') sessionId = id;
    }
    if (hour < HOURS.length - 1) await provider.client.clock.advance(10_800_000);
  }
  return { sessionId };
}

const HOURS: readonly (readonly (ScenarioName | 'pending')[])[] = [
  ['verified', 'verified', 'failed_age_not_met'],
  ['verified', 'cancelled'],
  ['verified', 'verified', 'verified', 'failed_image_quality', 'cancelled'],
  ['timeout', 'verified'],
  ['verified', 'verified', 'verified', 'verified', 'failed_age_not_met', 'cancelled', 'timeout'],
  ['verified', 'verified', 'verified_after_id', 'cancelled'],
  ['verified', 'failed_age_not_met', 'verified', 'pending', 'pending'],
];

/** Creates a second account, because the endpoint of the demo shop must not change. */
export async function createAccount(
  provider: Provider,
): Promise<{ id: string; secretKey: string }> {
  const { id } = await provider.client.createTenant({ name: 'Weinhaus Lindner' });
  const { secret } = await provider.client.createKeyPair(id);
  return { id, secretKey: secret.value };
}

/**
 * Resets the service, and creates an endpoint that is paused because it rejected every request for an hour.
 */
export async function pauseAnEndpoint(
  provider: Provider,
): Promise<{ id: string; account: string }> {
  await provider.client.reset();
  await provider.client.clock.freeze();
  const account = await createAccount(provider);
  const receiver = await startReceiver(401);
  const { id } = await provider.client.createEndpoint(account.id, {
    url: receiver.url,
  });
  const sessionId = await createSession(provider, 'customer-4711', account.secretKey);
  await provider.client.settle(sessionId, 'verified');
  await provider.client.clock.advance(7_200_000);
  await receiver.close();
  return { id, account: account.id };
}

export const visit = async (page: Page, section: string): Promise<void> => {
  await page.getByTestId(`section-${section}`).click();
  // The focus on the heading lets a screen reader announce the section.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
};

/** Creates a session with the button of the dashboard and opens its page. */
export async function startTestSession(page: Page, externalUserId: string): Promise<void> {
  await page.getByTestId('new-session').click();
  await page.getByTestId('new-session-user').fill(externalUserId);
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByTestId('show-session').click();
  await expect(page.getByTestId('session-state')).toContainText(externalUserId);
}
