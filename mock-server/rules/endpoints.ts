import type { Redelivery } from '../api/endpoints.ts';
import type { Db, Moment } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { EventKind } from '../store/event-kinds.ts';
import { drawFree, type Random, toToken } from '../store/random.ts';
import type { DeliveryRow, EndpointRow } from '../store/rows.ts';
import { type Sweep, sweepLanes } from './deliveries.ts';
import {
  recordEndpointChange,
  recordEndpointSettings,
  recordNewEndpoint,
} from './endpoint-changes.ts';
import {
  getCurrentLane,
  getHealth,
  listHealth,
  openLane,
  planLane,
  stateOf,
  toLaneId,
} from './lanes.ts';
import { findReservedSecret, forgetReservedSecret } from './reserved-secret.ts';
import { getTenant, newOwnerId } from './tenants.ts';
import { DELIVERY_WINDOW_MS, REDELIVERY_BATCH, REDELIVERY_WINDOW_MS } from './webhook-limits.ts';

export const MAX_ENDPOINTS = 20;

export interface NewEndpoint {
  /** The URL, normalised and checked by send/destination.ts. */
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly pairId: string | null;
  readonly enabled: boolean;
  /** If null, requests are not signed. If absent, it is the reserved secret or a new one. */
  readonly secret?: string | null | undefined;
}

export function createEndpoint(
  db: Db,
  tenantId: string,
  input: NewEndpoint,
  moment: Moment,
): EndpointRow {
  if (!db.get('tenants', tenantId)) throw new ServiceError('not_found', 'Tenant not found');
  assertCanAddEndpoint(db, tenantId);
  assertPair(db, tenantId, input.pairId);
  const isFirst = endpointsOf(db, tenantId).length === 0;
  const secret =
    input.secret === undefined && isFirst ? findReservedSecret(db, tenantId) : input.secret;
  const identity = { id: newOwnerId(db, moment.random), tenantId };
  return addEndpoint(db, identity, { ...input, secret }, moment);
}

/** Stores an endpoint, or a legacy webhook. */
function addEndpoint(
  db: Db,
  identity: Pick<EndpointRow, 'id' | 'kind' | 'tenantId'>,
  { url, events, pairId, enabled, secret }: NewEndpoint,
  { nowMs, random }: Moment,
): EndpointRow {
  const endpoint = db.put('endpoints', {
    ...identity,
    url,
    events: [...new Set(events)],
    secret: secret === undefined ? newWebhookSecret(db, random) : secret,
    pairId,
    enabled,
    createdAtMs: nowMs,
    pause: null,
  });
  openLane(db, endpoint);
  recordNewEndpoint(db, endpoint);
  return endpoint;
}

/** Draws a secret that no endpoint has and that is not reserved. */
export function newWebhookSecret(db: Db, random: Random): string {
  const taken = new Set([
    ...Array.from(db.all('endpoints'), ({ secret }) => secret),
    ...Array.from(db.all('settings'), ({ value }) => value),
  ]);
  return drawFree(
    () => toToken('whsec_', random),
    (secret) => taken.has(secret),
  );
}

/** Returns the endpoints of an account, without its legacy webhook. */
export function endpointsOf(db: Db, tenantId: string): EndpointRow[] {
  return db.find('endpoints', 'tenantId', tenantId).filter(({ kind }) => kind !== 'legacy');
}

/** @throws {ServiceError} conflict if the account has the maximum number of endpoints */
function assertCanAddEndpoint(db: Db, tenantId: string): void {
  if (endpointsOf(db, tenantId).length < MAX_ENDPOINTS) return;
  throw new ServiceError(
    'conflict',
    `An account can have at most ${MAX_ENDPOINTS} webhook endpoints`,
  );
}

type EndpointChange = { readonly [K in keyof NewEndpoint]?: NewEndpoint[K] | undefined };

/**
 * Changes an endpoint. Queued deliveries keep their address. Disabling the endpoint ends them. Enabling it
 * does not end a pause.
 */
export function updateEndpoint(
  db: Db,
  id: string,
  change: EndpointChange,
  nowMs: number,
): EndpointRow {
  return changeEndpoint(db, getEndpoint(db, id), change, nowMs);
}

/** Changes an endpoint or a legacy webhook. */
function changeEndpoint(
  db: Db,
  endpoint: EndpointRow,
  change: EndpointChange,
  nowMs: number,
): EndpointRow {
  const { id } = endpoint;
  const { url, events, pairId, enabled, secret } = change;
  if (pairId !== undefined) assertPair(db, endpoint.tenantId, pairId);
  const changed: EndpointRow = {
    ...endpoint,
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(pairId !== undefined && { pairId }),
    ...(enabled !== undefined && { enabled }),
    ...(secret !== undefined && { secret }),
  };
  // Ends the remaining deliveries of the disabled endpoint, because they would be sent once it is enabled.
  if (changed.enabled && !endpoint.enabled) sweepLanes(db, id, { nowMs, limit: Infinity });
  db.put('endpoints', changed);
  recordEndpointSettings(db, endpoint, changed);
  if (changed.url !== endpoint.url) openLane(db, changed);
  sweepLanes(db, id, { nowMs });
  return changed;
}

/**
 * Creates a new secret for an endpoint. It signs every request from now on, including those of queued
 * events.
 */
export function rotateSecret(db: Db, id: string, { random }: Moment): EndpointRow {
  const endpoint = getEndpoint(db, id);
  recordEndpointChange(db, 'endpoint.secret_rotated', endpoint);
  forgetReservedSecret(db, endpoint.tenantId, endpoint.secret);
  return db.put('endpoints', { ...endpoint, secret: newWebhookSecret(db, random) });
}

/** Deletes an endpoint and cancels its waiting deliveries. */
export function deleteEndpoint(db: Db, id: string, nowMs: number): void {
  removeEndpoint(db, getEndpoint(db, id), { nowMs });
}

function removeEndpoint(db: Db, endpoint: EndpointRow, sweep: Sweep): void {
  const { id } = endpoint;
  db.delete('endpoints', id);
  recordEndpointChange(db, 'endpoint.removed', endpoint);
  forgetReservedSecret(db, endpoint.tenantId, endpoint.secret);
  sweepLanes(db, id, sweep);
  for (const lane of listHealth(db, id)) db.delete('endpointHealth', lane.id);
}

/** Returns the endpoint with this id. A legacy webhook is not an endpoint. */
function findEndpoint(db: Db, id: string): EndpointRow | undefined {
  const endpoint = db.get('endpoints', id);
  return endpoint?.kind === 'legacy' ? undefined : endpoint;
}

export function getEndpoint(db: Db, id: string): EndpointRow {
  const endpoint = findEndpoint(db, id);
  if (!endpoint) throw new ServiceError('not_found', 'Webhook endpoint not found');
  return endpoint;
}

function assertPair(db: Db, tenantId: string, pairId: string | null): void {
  if (pairId === null) return;
  if (db.find('keys', 'pairId', pairId).some((key) => key.tenantId === tenantId)) return;
  const sentence = 'pairId must be the id of a key pair of this account';
  throw new ServiceError('invalid_body', sentence, [sentence]);
}

type NewLegacyWebhook = Pick<NewEndpoint, 'url' | 'events' | 'secret'>;

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
  removeEndpoint(db, legacy, { nowMs, limit: Infinity });
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
  const endpointId = newOwnerId(db, random);
  const endpoint = db.put('endpoints', { ...legacy, id: endpointId, createdAtMs: nowMs });
  db.delete('endpoints', legacy.id);
  for (const delivery of db.find('deliveries', 'endpointId', legacy.id)) {
    const lane = toLaneId({ endpointId, url: delivery.url });
    db.put('deliveries', { ...delivery, endpointId, lane });
  }
  for (const health of listHealth(db, legacy.id)) {
    const id = toLaneId({ endpointId, url: health.url });
    db.put('endpointHealth', { ...health, id, endpointId });
    db.delete('endpointHealth', health.id);
    planLane(db, health.id, nowMs);
    planLane(db, id, nowMs);
  }
  for (const notice of db.find('notices', 'endpointId', legacy.id))
    db.put('notices', { ...notice, endpointId });
  recordEndpointChange(db, 'endpoint.migrated', endpoint);
  return endpoint;
}

/**
 * Queues the oldest undelivered events of the last seven days again for another day, with the same id,
 * bytes and address.
 * @throws {ServiceError} conflict if the endpoint is not healthy
 */
export function redeliver(db: Db, endpointId: string, nowMs: number): Redelivery {
  const lane = getCurrentLane(db, endpointId);
  const state = stateOf(lane, getHealth(db, lane.id));
  if (state !== 'healthy') {
    throw new ServiceError(
      'conflict',
      `Cannot redeliver: ${WHY[state]}. Try again once the endpoint has accepted a request`,
    );
  }

  const missing = db
    .queued('undelivered', endpointId)
    .filter(({ createdAtMs }) => createdAtMs >= nowMs - REDELIVERY_WINDOW_MS)
    .sort((a, b) => a.createdAtMs - b.createdAtMs);
  const batch = missing.slice(0, REDELIVERY_BATCH);
  for (const delivery of batch) {
    db.put('deliveries', {
      ...delivery,
      status: 'pending',
      // A redelivered inline event is no longer urgent, so it gets the retries of a durable one.
      policy: delivery.policy === 'inline' ? 'durable' : delivery.policy,
      baseAttempts: delivery.attempts,
      nextAtMs: nowMs,
      deadlineAtMs: nowMs + DELIVERY_WINDOW_MS,
      undeliveredAtMs: null,
      reason: null,
      redeliveryNo: delivery.redeliveryNo + 1,
    });
  }
  for (const { id } of listHealth(db, endpointId)) planLane(db, id, nowMs);
  const remaining = missing.length - batch.length;
  if (batch.length > 0)
    recordEndpointChange(db, 'endpoint.redelivered', lane.endpoint, {
      values: [{ name: 'undelivered', before: missing.length, after: remaining }],
      amount: batch.length,
    });
  return { queued: batch.length, remaining };
}

/** Why an endpoint that has not accepted the last request gets no old events: they would fail again. */
const WHY = {
  new: 'no request to the current URL was sent yet, or none has ended',
  failing: 'the endpoint did not accept the last request',
  paused: 'the endpoint is paused',
  disabled: 'the endpoint is disabled',
} as const;
