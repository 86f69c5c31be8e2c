import type { Db } from '../core/db.ts';
import type { EventKind } from '../core/tables.ts';

/** Where an event goes. */
export interface Route {
  readonly endpointId: string;
  readonly url: string;
}

/**
 * Enabled endpoints that want the event's kind, account-wide or of the session's key pair. The legacy
 * webhook gets events only while the account has no endpoint at all: a disabled or paused one counts.
 */
export function routesOf(
  db: Db,
  event: { tenantId: string; pairId: string; kind: EventKind },
): Route[] {
  const endpoints = db.find('endpoints', 'tenantId', event.tenantId);
  if (endpoints.length === 0) {
    const legacy = db.get('legacyWebhooks', event.tenantId);
    return legacy?.events.includes(event.kind) ? [{ endpointId: legacy.id, url: legacy.url }] : [];
  }
  return endpoints
    .filter(
      ({ enabled, events, pairId }) =>
        enabled && events.includes(event.kind) && (pairId === null || pairId === event.pairId),
    )
    .map(({ id, url }) => ({ endpointId: id, url }));
}
