import type {
  EmailResource,
  LegacyWebhookResource,
  NoticeResource,
  ScenarioName,
} from 'ofage/mock';
import { type ControlClient, ControlError } from 'ofage/mock/client';
import type { Query } from '../shared/live.ts';

/** What the dashboard shows of an account and the live stream does not carry. */

/** In a box of its own, because null is a good answer: most accounts have none. */
export function legacyWebhook(
  client: ControlClient,
  tenantId: string,
): Query<{ readonly legacy: LegacyWebhookResource | null }> {
  return {
    topics: ['tenant', 'endpoint', 'delivery'],
    async read() {
      try {
        return { legacy: await client.legacyWebhook(tenantId) };
      } catch (error) {
        if (error instanceof ControlError && error.status === 404) return { legacy: null };
        throw error;
      }
    },
  };
}

/** The outcomes that the account's next sessions take by themselves. */
export function nextOutcomes(
  client: ControlClient,
  tenantId: string,
): Query<readonly ScenarioName[]> {
  return { topics: ['tenant'], read: () => client.nextOutcomes(tenantId) };
}

/** Written when an endpoint is paused. */
export function emails(client: ControlClient, tenantId: string): Query<readonly EmailResource[]> {
  return { topics: ['endpoint'], read: () => client.emails({ tenantId }) };
}

/** Written when an endpoint is paused. */
export function notices(client: ControlClient, tenantId: string): Query<readonly NoticeResource[]> {
  return { topics: ['endpoint'], read: () => client.notices({ tenantId }) };
}

/** The catalogue of outcomes, which never changes. */
export function scenarios(
  client: ControlClient,
): Query<Awaited<ReturnType<ControlClient['scenarios']>>> {
  return { topics: [], read: () => client.scenarios() };
}
