/** The states of the inspector for axe and for screenshots. */
import type { ScenarioName } from 'ofage/mock';
import { expect, type Page } from '@playwright/test';
import type { Provider } from './provider.ts';

export interface InspectorState {
  readonly name: string;
  /** Brings the page to the state. */
  reach(page: Page, provider: Provider): Promise<void>;
}

const open = async (page: Page, provider: Provider, hash = ''): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(`${provider.shop}/inspector/${hash}`);
  await expect(page.getByTestId('count')).toBeVisible();
};

/** Creates a session with this outcome, validates it, and shows it in the inspector. */
const run = async (
  page: Page,
  provider: Provider,
  scenario: ScenarioName = 'verified',
): Promise<void> => {
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
  await open(page, provider, `#${session.id}`);
  await expect(page.locator('[data-testid=entry][data-kind=event]').first()).toBeVisible();
};

const openFirst = async (page: Page, kind: string): Promise<void> => {
  await page.locator(`[data-testid=entry][data-kind=${kind}] summary`).first().click();
};

export const inspectorStates: readonly InspectorState[] = [
  {
    name: 'empty',
    async reach(page, provider) {
      await provider.client.reset();
      await open(page, provider);
      await page.getByTestId('clear').click();
    },
  },
  { name: 'a-run', reach: run },
  {
    name: 'filters-open',
    async reach(page, provider) {
      await run(page, provider);
      await page.getByTestId('filters').click();
      await expect(page.getByTestId('filter-text')).toBeVisible();
    },
  },
  {
    name: 'delivery-open',
    async reach(page, provider) {
      await run(page, provider);
      await openFirst(page, 'delivery');
      await expect(page.getByTestId('delivery-body')).toBeVisible();
    },
  },
  {
    name: 'request-open',
    async reach(page, provider) {
      await run(page, provider, 'failed_age_not_met');
      await openFirst(page, 'request');
      await expect(page.getByTestId('response-headers')).toBeVisible();
    },
  },
  {
    name: 'clock-open',
    async reach(page, provider) {
      await run(page, provider, 'never');
      await page.getByTestId('clock-more').or(page.getByTestId('clock-toggle')).click();
    },
  },
];
