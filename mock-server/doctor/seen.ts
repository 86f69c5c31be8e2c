import type { ObservationResource } from '../control/observations.ts';
import type { DeliveryResource, SessionResource, TenantResource } from '../control/resources.ts';
import type { HealthResource } from '../control/webhook-resources.ts';
import type { Call } from './calls.ts';

/** Everything that a diagnosis is made from. Lists are oldest first. */
export interface Seen {
  readonly nowMs: number;
  readonly tenants: readonly TenantResource[];
  /** Calls without the injected faults, because these are not the merchant's mistakes. */
  readonly calls: readonly Call[];
  readonly sessions: readonly SessionResource[];
  readonly deliveries: readonly DeliveryResource[];
  readonly hooks: readonly Hook[];
  readonly observations: readonly ObservationResource[];
}

/** A target of webhooks: an endpoint, or the single webhook of older accounts while it receives events. */
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
 * Returns the time at which a reliable webhook, one that was signed and accepted, had delivered the
 * session's result. Null if there was none.
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

/** Tells whether the merchant's side reported that it handled one of the session's events. */
export function isWebhookProcessed(seen: Seen, sessionId: string): boolean {
  return seen.observations.some(
    (one) => one.kind === 'webhook_processed' && one.sessionId === sessionId,
  );
}
