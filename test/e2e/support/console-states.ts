/** The states of the console for axe and for screenshots. */
import type { ScenarioName } from 'ofage-mock';
import { expect, type Page } from '@playwright/test';
import { startReceiver } from '../../support/receiver.ts';
import type { Provider } from './provider.ts';

export interface ConsoleState {
  readonly name: string;
  /** Creates the data of the view and opens it. Most views reset the service first. */
  reach(page: Page, provider: Provider): Promise<void>;
}

export const consoleStates: readonly ConsoleState[] = [
  {
    name: 'overview-empty',
    async reach(page, provider) {
      await provider.client.reset();
      await openConsole(page, provider, '');
      await expect(page.getByTestId('first-steps')).toBeVisible();
    },
  },
  {
    name: 'overview',
    async reach(page, provider) {
      await fillConsole(provider);
      await openConsole(page, provider, '');
      await expect(page.getByTestId('tiles')).toBeVisible();
    },
  },
  {
    name: 'overview-paused',
    async reach(page, provider) {
      const { account } = await pauseAnEndpoint(provider);
      await openConsole(page, provider, `#overview?account=${account}`);
      await expect(page.getByTestId('attention')).toBeVisible();
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
      await openConsole(page, provider, `#overview?account=${id}`);
      await expect(page.getByTestId('tiles')).toBeVisible();
    },
  },
  {
    name: 'sessions',
    async reach(page, provider) {
      await fillConsole(provider);
      await openConsole(page, provider, '#sessions');
      await expect(page.getByTestId('session-row').first()).toBeVisible();
    },
  },
  {
    name: 'sessions-none-found',
    async reach(page, provider) {
      await provider.client.reset();
      await openConsole(page, provider, '#sessions?q=nobody');
      await expect(page.getByText('No matching sessions.')).toBeVisible();
    },
  },
  {
    name: 'session-pending',
    async reach(page, provider) {
      await provider.client.reset();
      const id = await createSession(provider, 'customer-4711');
      await openConsole(page, provider, `#sessions/${id}`);
      await expect(page.getByTestId('settle')).toBeVisible();
      await expect(page.locator('[data-kind=request]')).toHaveCount(1);
    },
  },
  {
    name: 'session-verified',
    async reach(page, provider) {
      const { sessionId } = await fillConsole(provider);
      await openConsole(page, provider, `#sessions/${sessionId}`);
      await expect(page.getByTestId('session-status')).toHaveText('verified');
      await page.locator('[data-kind=delivery] summary').first().click();
      await expect(page.getByTestId('delivery-body')).toBeVisible();
    },
  },
  {
    name: 'keys',
    async reach(page, provider) {
      await provider.client.reset();
      const pair = await provider.client.createKeyPair(provider.tenantId);
      await provider.client.setKeyStatus(pair.publishable.id, 'paused');
      await openConsole(page, provider, '#keys');
      await expect(page.getByTestId('key-pair')).toHaveCount(2);
      await page.getByTestId('reveal').first().click();
    },
  },
  {
    name: 'revoke',
    async reach(page, provider) {
      await openConsole(page, provider, '#keys');
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
        members: [{ email: 'owner@kontor.example', role: 'owner' }],
      });
      await openConsole(page, provider, '#settings');
      await page.getByTestId('challenge-age').fill('17');
      await page.getByRole('button', { name: 'Save settings' }).click();
      await expect(page.getByTestId('policy').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'simulate',
    async reach(page, provider) {
      await provider.client.reset();
      await provider.client.updateTenant(provider.tenantId, {
        billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'The plan is used up' },
      });
      await provider.client.queueNextOutcomes(provider.tenantId, ['cancelled', 'verified']);
      await provider.client.addFault({ operation: 'create', fault: '503', count: 2 });
      await provider.client.addFault({ operation: 'webhook', fault: 'duplicate' });
      await openConsole(page, provider, '#simulate');
      await expect(page.getByTestId('faults').getByRole('listitem')).toHaveCount(2);
    },
  },
  {
    name: 'webhooks-empty',
    async reach(page, provider) {
      await provider.client.reset();
      const { id } = await createAccount(provider);
      await openConsole(page, provider, `#webhooks?account=${id}`);
      await expect(page.getByText('No endpoints yet.')).toBeVisible();
      await expect(page.getByTestId('legacy-setup')).toBeVisible();
      await expect(page.getByTestId('notices')).toHaveCount(0);
    },
  },
  {
    name: 'add-endpoint',
    async reach(page, provider) {
      await openConsole(page, provider, '#webhooks');
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
      await openConsole(page, provider, `#webhooks?account=${account}`);
      await expect(page.getByTestId('endpoint-row')).toContainText('paused');
      await expect(page.getByTestId('notice')).toHaveCount(1);
    },
  },
  {
    name: 'endpoint-paused',
    async reach(page, provider) {
      const { id, account } = await pauseAnEndpoint(provider);
      await openConsole(page, provider, `#webhooks/${id}?account=${account}`);
      await expect(page.getByTestId('endpoint-notice')).toBeVisible();
      await page.getByTestId('delivery').last().locator('summary').first().click();
      await expect(page.getByTestId('delivery').getByTestId('entry').first()).toBeVisible();
    },
  },
  {
    name: 'timeline-empty',
    async reach(page, provider) {
      await provider.client.reset();
      await openConsole(page, provider, '#timeline');
      // The reset is an entry, which may arrive after the page has opened.
      await expect(page.getByTestId('entry')).toHaveCount(1);
      await page.getByTestId('clear').click();
      await expect(page.getByText('No entries yet.')).toBeVisible();
    },
  },
  { name: 'timeline', reach: showRun },
  {
    name: 'timeline-filters',
    async reach(page, provider) {
      await showRun(page, provider);
      await page.getByTestId('filters').click();
      await expect(page.getByTestId('kind-event')).toBeVisible();
    },
  },
  {
    name: 'timeline-request',
    async reach(page, provider) {
      await showRun(page, provider, 'failed_age_not_met');
      await page.locator('[data-testid=entry][data-kind=request] summary').first().click();
      await expect(page.getByTestId('response-headers')).toBeVisible();
    },
  },
  {
    name: 'clock-open',
    async reach(page, provider) {
      await showRun(page, provider, 'never');
      await page.getByTestId('clock-toggle').click();
      await expect(page.getByTestId('clock-due')).toBeVisible();
    },
  },
  {
    name: 'state-open',
    async reach(page, provider) {
      await openConsole(page, provider, '#overview');
      await page.getByTestId('state').click();
      await expect(page.getByTestId('save-snapshot')).toBeVisible();
    },
  },
  {
    name: 'doctor-problems',
    async reach(page, provider) {
      await provider.client.reset();
      const { id: sessionId } = await provider.client.trigger({ name: 'verified' });
      await provider.client.addObservation({ kind: 'url_status_trusted', sessionId });
      await openConsole(page, provider, '#doctor');
      await expect(page.getByTestId('verdict')).toHaveAttribute('data-verdict', 'problems');
      await expect(page.getByTestId('evidence').first()).toBeVisible();
    },
  },
  {
    name: 'doctor-nothing',
    async reach(page, provider) {
      await provider.client.reset();
      await openConsole(page, provider, '#doctor');
      await expect(page.getByTestId('verdict')).toHaveAttribute('data-verdict', 'nothing');
    },
  },
];

export async function openConsole(page: Page, provider: Provider, hash: string): Promise<void> {
  // Loads a new page instead of only a new fragment, so that no earlier state remains.
  await page.goto('about:blank');
  await page.goto(`${provider.shop}/console/${hash}`);
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
async function fillConsole(provider: Provider): Promise<{ sessionId: string }> {
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

/** Creates a session with this outcome, validates it, and shows it in the timeline. */
async function showRun(
  page: Page,
  provider: Provider,
  scenario: ScenarioName = 'verified',
): Promise<void> {
  const session = await provider.client.trigger({ name: scenario });
  // A test may have loaded a state with other keys.
  const [pair] = await provider.client.keyPairs(session.tenantId);
  await fetch(`${provider.apiBase}/sessions/validate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${pair?.secret.value}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ sessionId: session.id }),
  });
  await openConsole(page, provider, `#timeline?session=${session.id}`);
  await expect(page.locator('[data-testid=entry][data-kind=event]').first()).toBeVisible();
}

export const visit = async (page: Page, section: string): Promise<void> => {
  await page.getByTestId(`page-${section}`).click();
  // The focus on the heading lets a screen reader announce the page.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
};

/** Creates a session with the button of the console and opens its page. */
export async function startTestSession(page: Page, externalUserId: string): Promise<void> {
  await page.getByTestId('new-session').click();
  await page.getByTestId('new-session-user').fill(externalUserId);
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByTestId('show-session').click();
  await expect(page.getByTestId('session-result')).toContainText(externalUserId);
}
