import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import { toToken } from '../core/random.ts';
import type { EndpointRow, EventKind, LegacyWebhookRow } from '../core/tables.ts';
import { sweepLanes } from './deliveries.ts';
import { assertPlace, createEndpoint, leaveAddress } from './endpoints.ts';
import { healthOf } from './health.ts';
import { planLane } from './lane-jobs.ts';
import { formerLaneId } from './lanes.ts';
import type { Moment } from '../core/moment.ts';
import { getTenant } from '../accounts/tenants.ts';

export interface NewLegacyWebhook {
  /** Normalised and judged: see delivery/destination.ts. */
  readonly url: string;
  readonly events: readonly EventKind[];
  /** Null sends unsigned; without one the present one stays, or one is made. */
  readonly secret?: string | null | undefined;
}

export function getLegacyWebhook(db: Db, tenantId: string): LegacyWebhookRow {
  const legacy = db.get('legacyWebhooks', getTenant(db, tenantId).id);
  if (!legacy) throw new ServiceError('not_found', 'The account has no legacy webhook');
  return legacy;
}

/** Gives the account its one legacy webhook, or changes it. */
export function putLegacyWebhook(
  db: Db,
  tenantId: string,
  input: NewLegacyWebhook,
  { nowMs, random }: Moment,
): LegacyWebhookRow {
  const known = db.get('legacyWebhooks', getTenant(db, tenantId).id);
  const secret =
    input.secret !== undefined ? input.secret : known ? known.secret : toToken('whsec_', random);
  const legacy = db.put('legacyWebhooks', {
    id: tenantId,
    url: input.url,
    events: [...new Set(input.events)],
    secret,
    secretVersion:
      known && known.secret === secret ? known.secretVersion : (known?.secretVersion ?? 0) + 1,
    createdAtMs: known?.createdAtMs ?? nowMs,
  });
  // Also when it is new: a request to the one before it may be under way, and is not this address's.
  if (known?.url !== legacy.url) leaveAddress(db, legacy, nowMs);
  return legacy;
}

/**
 * Deletes it; what waits for it is cancelled. So is what it has not got: the next legacy webhook of the
 * account has the same id, and must not be sent that again to an address that is gone. All of it at once,
 * since what is left would be taken for the next one's.
 */
export function deleteLegacyWebhook(db: Db, tenantId: string, nowMs: number): void {
  getLegacyWebhook(db, tenantId);
  for (const delivery of db.line('undelivered', tenantId))
    db.put('deliveries', { ...delivery, status: 'cancelled', undeliveredAtMs: null, reason: null });
  db.delete('legacyWebhooks', tenantId);
  for (const laneId of [tenantId, formerLaneId(tenantId)]) db.delete('endpointHealth', laneId);
  sweepLanes(db, tenantId, nowMs, Infinity);
}

/**
 * Makes it an endpoint with the same address, secret and events, which takes over its deliveries, those
 * under way included, and its health with any pause.
 * @throws {ServiceError} conflict when the account has as many endpoints as it may
 */
export function migrateLegacyWebhook(db: Db, tenantId: string, moment: Moment): EndpointRow {
  const legacy = getLegacyWebhook(db, tenantId);
  assertPlace(db, tenantId);
  const { url, events, secret, secretVersion } = legacy;
  const created = createEndpoint(
    db,
    tenantId,
    { url, events, secret, pairId: null, enabled: true },
    moment,
  );
  const endpoint = db.put('endpoints', { ...created, secretVersion });
  const lanes = [
    [tenantId, endpoint.id],
    [formerLaneId(tenantId), formerLaneId(endpoint.id)],
  ] as const;
  for (const [from, to] of lanes) {
    db.put('endpointHealth', { ...healthOf(db, from), id: to });
    db.delete('endpointHealth', from);
  }
  for (const delivery of db.find('deliveries', 'endpointId', tenantId)) {
    const lane = delivery.lane === tenantId ? endpoint.id : formerLaneId(endpoint.id);
    db.put('deliveries', { ...delivery, endpointId: endpoint.id, lane });
  }
  for (const notice of db.find('notices', 'endpointId', tenantId))
    db.put('notices', { ...notice, endpointId: endpoint.id });
  db.delete('legacyWebhooks', tenantId);
  for (const [from, to] of lanes) {
    planLane(db, from, moment.nowMs);
    planLane(db, to, moment.nowMs);
  }
  return endpoint;
}
