import type { TenantResource } from '../api/accounts.ts';
import type { ClockReading } from '../api/clock.ts';
import type { ObservationResource } from '../api/doctor.ts';
import type { EndpointResource, HealthResource } from '../api/endpoints.ts';
import type { KeyPairResource, KeyResource } from '../api/keys.ts';
import type {
  AttemptResource,
  DeliveryResource,
  EventResource,
  SessionResource,
} from '../api/sessions.ts';
import type { FaultResource, RequestResource } from '../api/steering.ts';
import type {
  EmailResource,
  LegacyWebhookResource,
  NoticeResource,
  WebhookTestResource,
} from '../api/webhooks.ts';
import { endpointsOf, findLegacyWebhook, isForLegacyWebhook } from '../rules/endpoints.ts';
import type { KeyPair } from '../rules/keys.ts';
import { getCurrentLane, healthOf, lanesOf, nextStart, stateOf } from '../rules/lanes.ts';
import { toEventBody } from '../rules/payload.ts';
import { mayRedeliver } from '../rules/redelivery.ts';
import { checkSpelling, DESTINATION_MESSAGES } from '../send/destination.ts';
import type { TestResult } from '../send/engine.ts';
import type { ObservationRow, RequestRow } from '../store/capped-tables.ts';
import type { Db } from '../store/db.ts';
import type { FaultRow } from '../store/fault-rows.ts';
import type { ClockState } from '../store/scheduler.ts';
import type { KeyRow, SessionRow, TenantRow } from '../store/tables.ts';
import type {
  AttemptRow,
  DeliveryRow,
  EmailRow,
  EndpointRow,
  EventRow,
  NoticeRow,
} from '../store/webhook-rows.ts';

// Converts rows to the resources of the control API. Times become ISO 8601.

export function toClockReading({ nowMs, frozen, nextDueMs }: ClockState): ClockReading {
  return { now: toIso(nowMs), frozen, nextDue: toIsoOrNull(nextDueMs) };
}

export function toTenantResource(db: Db, { createdAtMs, ...tenant }: TenantRow): TenantResource {
  const hasLegacyWebhook = findLegacyWebhook(db, tenant.id) !== undefined;
  return { ...tenant, createdAt: toIso(createdAtMs), hasLegacyWebhook };
}

export function toKeyResource({ createdAtMs, ...key }: KeyRow): KeyResource {
  return { ...key, createdAt: toIso(createdAtMs) };
}

export function toKeyPairResource({ pairId, publishable, secret }: KeyPair): KeyPairResource {
  return { pairId, publishable: toKeyResource(publishable), secret: toKeyResource(secret) };
}

export function toSessionResource(session: SessionRow): SessionResource {
  const { status, createdAtMs, expiresAtMs, settledAtMs, validatedAtMs, ...rest } = session;
  return {
    ...rest,
    status: status.toLowerCase() as SessionResource['status'],
    createdAt: toIso(createdAtMs),
    expiresAt: toIso(expiresAtMs),
    settledAt: toIsoOrNull(settledAtMs),
    validatedAt: toIsoOrNull(validatedAtMs),
  };
}

export function toFaultResource({ createdAtMs, ...fault }: FaultRow): FaultResource {
  return { ...fault, createdAt: toIso(createdAtMs) };
}

export function toEndpointResource(db: Db, endpoint: EndpointRow, nowMs: number): EndpointResource {
  const { id, tenantId, url, events, pairId, enabled, secret, createdAtMs } = endpoint;
  return {
    id,
    tenantId,
    url,
    events,
    pairId,
    enabled,
    hasSecret: secret !== null,
    createdAt: toIso(createdAtMs),
    health: toHealthResource(db, endpoint, nowMs),
    productionRefusal: toProductionRefusal(url),
  };
}

export function toHealthResource(db: Db, endpoint: EndpointRow, nowMs: number): HealthResource {
  const { id, pause } = endpoint;
  const present = getCurrentLane(db, id);
  const health = healthOf(db, present.id);
  const lanes = lanesOf(db, id);
  const count = (queue: 'deadlines' | 'leases'): number =>
    lanes.reduce((sum, lane) => sum + db.size(queue, lane.id), 0);
  const starts = lanes.flatMap((lane) => nextStart(db, { ...lane, endpoint }, nowMs)?.atMs ?? []);
  // Covers all addresses, because people want to know when the endpoint last accepted a request.
  const successes = lanes.flatMap(({ lastSuccessAtMs }) => lastSuccessAtMs ?? []);
  // Finds the notice by its time. Its id is not reliable, because the notice of a migrated legacy webhook
  // keeps an id that contains the id of the legacy webhook.
  const notice = db
    .find('notices', 'endpointId', id)
    .find(({ createdAtMs }) => createdAtMs === pause?.atMs);
  return {
    state: stateOf(present, health),
    consecutiveFailures: health.consecutiveFailures,
    failingSince: toIsoOrNull(health.failingSinceMs),
    lastFailureAt: toIsoOrNull(health.lastFailureAtMs),
    lastSuccessAt: successes.length === 0 ? null : toIso(Math.max(...successes)),
    pausedAt: toIsoOrNull(pause?.atMs ?? null),
    pauseReason: pause?.reason ?? null,
    notice: notice?.text ?? null,
    undelivered: db.size('undelivered', id),
    mayRedeliver: mayRedeliver(db, present),
    pending: count('deadlines') + count('leases'),
    nextAttemptAt: starts.length === 0 ? null : toIso(Math.min(...starts)),
  };
}

/**
 * Returns the error that production would return for the URL, or null if production would accept it. Host
 * names are not resolved.
 */
export function toProductionRefusal(url: string): string | null {
  const verdict = checkSpelling(url, false);
  return verdict.kind === 'refused' ? DESTINATION_MESSAGES[verdict.error] : null;
}

export function toLegacyResource(
  db: Db,
  legacy: EndpointRow,
  nowMs: number,
): LegacyWebhookResource {
  const { tenantId, url, events, secret, createdAtMs } = legacy;
  return {
    tenantId,
    url,
    events,
    hasSecret: secret !== null,
    createdAt: toIso(createdAtMs),
    isActive: endpointsOf(db, tenantId).length === 0,
    health: toHealthResource(db, legacy, nowMs),
    productionRefusal: toProductionRefusal(url),
  };
}

export function toTestResource({ outcome, isResumed }: TestResult): WebhookTestResource {
  const { httpStatus, error, durationMs } = outcome;
  return { success: outcome.class === 'ok', resumed: isResumed, httpStatus, error, durationMs };
}

export function toEventResource(db: Db, event: EventRow): EventResource {
  const { id, tenantId, sessionId, kind, createdAtMs } = event;
  const body = event.body ?? toUnsentBody(db, event);
  return { id, tenantId, sessionId, event: kind, createdAt: toIso(createdAtMs), body };
}

/**
 * Builds the body that an endpoint would have received, for an event that was queued for no endpoint.
 * Returns null if the event has deliveries or its session no longer exists.
 */
function toUnsentBody(db: Db, { id, sessionId, kind, createdAtMs }: EventRow): string | null {
  const session = db.get('sessions', sessionId);
  if (!session || db.find('deliveries', 'eventId', id).length > 0) return null;
  return toEventBody({ id, kind, session, nowMs: createdAtMs });
}

export function toDeliveryResource(
  db: Db,
  delivery: DeliveryRow,
  { kind, sessionId }: EventRow,
): DeliveryResource {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: kind,
    tenantId: delivery.tenantId,
    sessionId,
    endpointId: isForLegacyWebhook(delivery) ? null : delivery.endpointId,
    url: delivery.url,
    policy: delivery.policy,
    status: delivery.status,
    reason: delivery.reason,
    createdAt: toIso(delivery.createdAtMs),
    nextAttemptAt: delivery.status === 'pending' ? toIso(delivery.nextAtMs) : null,
    redeliveries: delivery.redeliveryNo,
    deliveredAt: toIsoOrNull(delivery.deliveredAtMs),
    undeliveredAt: toIsoOrNull(delivery.undeliveredAtMs),
    attempts: db.find('attempts', 'deliveryId', delivery.id).map(toAttemptResource),
  };
}

function toAttemptResource(attempt: AttemptRow): AttemptResource {
  const { n, outcome, httpStatus, error, retryAfterMs, durationMs, hops, bodySha256 } = attempt;
  return {
    n,
    startedAt: toIso(attempt.startedAtMs),
    finishedAt: toIsoOrNull(attempt.finishedAtMs),
    outcome,
    httpStatus,
    error,
    retryAfterMs,
    durationMs,
    hops,
    bodySha256,
    signature: attempt.signature ?? null,
    fault: attempt.fault ?? null,
  };
}

export function toEmailResource({ createdAtMs, ...email }: EmailRow): EmailResource {
  return { ...email, createdAt: toIso(createdAtMs) };
}

export function toNoticeResource({ createdAtMs, ...notice }: NoticeRow): NoticeResource {
  return { ...notice, createdAt: toIso(createdAtMs) };
}

export function toRequestResource(row: RequestRow): RequestResource {
  return {
    id: row.no,
    at: toIso(row.atMs),
    realAt: toIso(row.realAtMs),
    durationMs: row.durationMs,
    method: row.method,
    path: row.path,
    operation: row.operation,
    credential: row.credential,
    origin: row.origin,
    isBrowser: row.isBrowser,
    tenantId: row.tenantId,
    sessionId: row.sessionId,
    status: row.status,
    fault: row.fault,
    requestHeaders: { ...row.requestHeaders },
    requestBody: row.requestBody,
    responseHeaders: { ...row.responseHeaders },
    responseBody: row.responseBody,
  };
}

export function toObservationResource(row: ObservationRow): ObservationResource {
  const { no, atMs, kind, tenantId, sessionId, eventId, by } = row;
  return { id: no, at: toIso(atMs), kind, tenantId, sessionId, eventId, by };
}

export function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
