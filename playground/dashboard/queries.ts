import type {
  EmailResource,
  LegacyWebhookResource,
  NoticeResource,
  ScenarioName,
} from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import type { Query } from '../shared/old-query.ts';

// Queries for data that the live stream does not carry.

/**
 * Creates the query for the legacy webhook. Most accounts have none. The result is an object, because a
 * plain null would mean that nothing is loaded yet.
 */
export function legacyWebhook(
  client: ControlClient,
  tenantId: string,
): Query<{ readonly legacy: LegacyWebhookResource | null }> {
  return {
    topics: ['tenant', 'endpoint', 'delivery'],
    async read() {
      // A request for a missing legacy webhook would be logged as an error in the browser's console.
      const { hasLegacyWebhook } = await client.tenant(tenantId);
      return { legacy: hasLegacyWebhook ? await client.legacyWebhook(tenantId) : null };
    },
  };
}

/**
 * Creates the query for the queued outcomes. Each new session of the account takes the first one as its
 * preset outcome, unless its `externalUserId` names a scenario.
 */
export function nextOutcomes(
  client: ControlClient,
  tenantId: string,
): Query<readonly ScenarioName[]> {
  return { topics: ['tenant'], read: () => client.nextOutcomes(tenantId) };
}

/** Creates the query for the emails. The service writes one when an endpoint is paused. */
export function emails(client: ControlClient, tenantId: string): Query<readonly EmailResource[]> {
  return { topics: ['endpoint'], read: () => client.emails({ tenantId }) };
}

/** Creates the query for the notices. The service writes one when an endpoint is paused. */
export function notices(client: ControlClient, tenantId: string): Query<readonly NoticeResource[]> {
  return { topics: ['endpoint'], read: () => client.notices({ tenantId }) };
}

/** Creates the query for the catalogue of outcomes, which never changes. */
export function scenarios(
  client: ControlClient,
): Query<Awaited<ReturnType<ControlClient['scenarios']>>> {
  return { topics: [], read: () => client.scenarios() };
}
