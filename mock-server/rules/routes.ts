import type { Db } from '../store/db.ts';
import type { EndpointRow, EventKind } from '../store/tables.ts';

/**
 * Returns the webhooks that get an event: enabled endpoints that are subscribed to its kind, for the whole
 * account or for the session's key pair. The legacy webhook gets events only while the account has no
 * endpoint, not even a disabled or paused one.
 */
export function routesOf(
  db: Db,
  event: { tenantId: string; pairId: string; kind: EventKind },
): EndpointRow[] {
  const all = db.find('endpoints', 'tenantId', event.tenantId);
  const hasEndpoint = all.some(({ kind }) => kind !== 'legacy');
  return all.filter(
    ({ kind, enabled, events, pairId }) =>
      enabled &&
      !(kind === 'legacy' && hasEndpoint) &&
      events.includes(event.kind) &&
      (pairId === null || pairId === event.pairId),
  );
}
