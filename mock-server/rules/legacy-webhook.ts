import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { DeliveryRow, EndpointRow } from '../store/tables.ts';
import {
  addEndpoint,
  assertCanAddEndpoint,
  changeEndpoint,
  removeEndpoint,
  type NewEndpoint,
} from './endpoints.ts';
import { planLane } from './lane-jobs.ts';
import { lanesOf, toLaneId } from './lanes.ts';
import { newId, type Moment } from '../store/moment.ts';
import { getTenant } from './tenants.ts';

export type NewLegacyWebhook = Pick<NewEndpoint, 'url' | 'events' | 'secret'>;

export function findLegacyWebhook(db: Db, tenantId: string): EndpointRow | undefined {
  return db.find('endpoints', 'tenantId', tenantId).find(({ kind }) => kind === 'legacy');
}

export function getLegacyWebhook(db: Db, tenantId: string): EndpointRow {
  const legacy = findLegacyWebhook(db, getTenant(db, tenantId).id);
  if (!legacy) throw new ServiceError('not_found', 'The account has no legacy webhook');
  return legacy;
}

/** Tells whether a delivery is for the legacy webhook, even if the webhook has been deleted. */
export function isForLegacyWebhook(
  delivery: Pick<DeliveryRow, 'endpointId' | 'tenantId'>,
): boolean {
  return delivery.endpointId === delivery.tenantId;
}

/**
 * Creates or changes the account's only legacy webhook. If `secret` is omitted, the current one is kept, or
 * a first one is generated.
 */
export function putLegacyWebhook(
  db: Db,
  tenantId: string,
  input: NewLegacyWebhook,
  moment: Moment,
): EndpointRow {
  const { id } = getTenant(db, tenantId);
  const known = findLegacyWebhook(db, id);
  if (known) return changeEndpoint(db, known, input, moment.nowMs);
  const identity = { id, kind: 'legacy', tenantId: id } as const;
  return addEndpoint(db, identity, { ...input, pairId: null, enabled: true }, moment);
}

/**
 * Deletes the legacy webhook and cancels its waiting and undelivered events. All of them are cancelled at
 * once, because the account's next legacy webhook has the same id and would inherit the rest. A redelivery
 * would then send them to the deleted address.
 */
export function deleteLegacyWebhook(db: Db, tenantId: string, nowMs: number): void {
  const legacy = getLegacyWebhook(db, tenantId);
  for (const delivery of db.queued('undelivered', legacy.id))
    db.put('deliveries', { ...delivery, status: 'cancelled', undeliveredAtMs: null, reason: null });
  removeEndpoint(db, legacy, nowMs, Infinity);
}

/**
 * Converts the legacy webhook to an endpoint with the same address, secret and events. The endpoint
 * inherits the deliveries, including those in flight, the health and any pause.
 * @throws {ServiceError} conflict if the account has the maximum number of endpoints
 */
export function migrateLegacyWebhook(
  db: Db,
  tenantId: string,
  { nowMs, random }: Moment,
): EndpointRow {
  const { kind: _, ...legacy } = getLegacyWebhook(db, tenantId);
  assertCanAddEndpoint(db, tenantId);
  const endpointId = newId(db, 'endpoints', random);
  const endpoint = db.put('endpoints', { ...legacy, id: endpointId, createdAtMs: nowMs });
  db.delete('endpoints', legacy.id);
  for (const delivery of db.find('deliveries', 'endpointId', legacy.id)) {
    const lane = toLaneId({ endpointId, url: delivery.url });
    db.put('deliveries', { ...delivery, endpointId, lane });
  }
  for (const health of lanesOf(db, legacy.id)) {
    const id = toLaneId({ endpointId, url: health.url });
    db.put('endpointHealth', { ...health, id, endpointId });
    db.delete('endpointHealth', health.id);
    planLane(db, health.id, nowMs);
    planLane(db, id, nowMs);
  }
  for (const notice of db.find('notices', 'endpointId', legacy.id))
    db.put('notices', { ...notice, endpointId });
  return endpoint;
}
