import type { ObservationResource } from '../control/observations.ts';
import type { DeliveryResource, SessionResource, TenantResource } from '../control/resources.ts';
import type { HealthResource } from '../control/webhook-resources.ts';
import type { Call } from './calls.ts';

/** Everything that a diagnosis is made from. Lists are oldest first. */
export interface Seen {
  readonly nowMs: number;
  readonly tenants: readonly TenantResource[];
  /** Faults that were asked for are left out: they are nobody's mistake. */
  readonly calls: readonly Call[];
  readonly sessions: readonly SessionResource[];
  readonly deliveries: readonly DeliveryResource[];
  readonly hooks: readonly Hook[];
  readonly observations: readonly ObservationResource[];
}

/** Where webhooks go: an endpoint, or the single webhook of older accounts while it gets events. */
export interface Hook {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly hasSecret: boolean;
  readonly createdAt: string;
  readonly health: HealthResource;
  readonly productionRefusal: string | null;
}

/** The calls that name a session, or were answered with it. */
export function callsOf(seen: Seen, sessionId: string): Call[] {
  return seen.calls.filter((call) => call.sessionId === sessionId);
}

/** The calls of validate that were refused with this sentence. */
export function refusedValidates(seen: Seen, message: string): Call[] {
  return seen.calls.filter(
    ({ operation, messages }) => operation === 'validate' && messages.includes(message),
  );
}

/**
 * When a webhook that the merchant can rely on had told a session's result: it was signed, and accepted.
 * Null when none had.
 */
export function toldByWebhookMs(seen: Seen, sessionId: string): number | null {
  const times = seen.deliveries.flatMap(
    ({ sessionId: id, event, endpointId, tenantId, deliveredAt }) => {
      if (id !== sessionId || event !== 'verification.completed' || deliveredAt === null) return [];
      const hook = seen.hooks.find((one) => one.id === (endpointId ?? tenantId));
      return hook?.hasSecret ? [Date.parse(deliveredAt)] : [];
    },
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Whether the merchant's side told that it did the work of one of the session's events. */
export function isWebhookProcessed(seen: Seen, sessionId: string): boolean {
  return seen.observations.some(
    (one) => one.kind === 'webhook_processed' && one.sessionId === sessionId,
  );
}
