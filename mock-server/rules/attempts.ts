import type { Db } from '../store/db.ts';
import { toToken } from '../store/random.ts';
import type { AttemptRow, DeliveryRow, EventRow, WebhookFaultRow } from '../store/tables.ts';
import { takeWebhookFault } from './faults.ts';
import { planLane } from './lane-jobs.ts';
import { findLane, type Lane } from './lanes.ts';
import { NO_LEASE } from './leases.ts';
import { newId, type Moment } from '../store/moment.ts';
import { recordFailure, recordSuccess } from './pacing.ts';
import { pauseAfterFailure } from './pauses.ts';
import { toEventBody } from './payload.ts';
import { scheduleRetry } from './retries.ts';
import { LEASE_MS } from './webhook-limits.ts';

/** One attempt to be made now. The lease token proves that a result belongs to this attempt. */
export interface Claim {
  readonly deliveryId: string;
  readonly attemptId: string;
  readonly leaseToken: string;
  readonly url: string;
  readonly bodyText: string;
  /** The endpoint's current secret, even if the event is older. */
  readonly secret: string | null;
  /** The fault to inject, if any. */
  readonly fault: WebhookFaultRow | null;
}

/**
 * Claims a delivery that may start: writes a lease and the attempt before its request is sent. When the
 * lease expires, the process that held it counts as dead and the attempt as lost. The event is then sent
 * again, because delivery is at least once. Only an inline event is given up. Cancels the delivery and
 * returns null if the event's body cannot be created, because the event or its session no longer exists.
 */
export function claimDelivery(
  db: Db,
  lane: Lane,
  delivery: DeliveryRow,
  { nowMs, random }: Moment,
): Claim | null {
  const { secret, secretVersion } = lane.endpoint;
  const event = db.get('events', delivery.eventId);
  const bodyText = event && bodyOf(db, event, nowMs);
  if (bodyText === undefined) {
    db.put('deliveries', { ...delivery, status: 'cancelled' });
    return null;
  }

  const lease = { leaseUntilMs: nowMs + LEASE_MS, leaseToken: toToken('lease_', random) };
  const attempts = delivery.attempts + 1;
  const fault = takeWebhookFault(db, delivery.tenantId);
  const attempt: AttemptRow = {
    id: newId(db, 'attempts', random),
    deliveryId: delivery.id,
    n: attempts,
    startedAtMs: nowMs,
    finishedAtMs: null,
    outcome: null,
    httpStatus: null,
    error: null,
    retryAfterMs: null,
    durationMs: null,
    address: null,
    hops: 0,
    bodySha256: null,
    signedWithSecretVersion: secret === null ? null : secretVersion,
    ...(fault && { fault: fault.fault }),
  };
  db.put('attempts', attempt);
  db.put('deliveries', { ...delivery, attempts, ...lease });
  return {
    deliveryId: delivery.id,
    attemptId: attempt.id,
    leaseToken: lease.leaseToken,
    url: delivery.url,
    bodyText,
    secret,
    fault,
  };
}

/**
 * The result of an attempt. `reject` means that the receiver refused the request or that its address is not
 * allowed, and `fail` that the problem may be temporary.
 */
export interface AttemptOutcome {
  readonly class: 'ok' | 'reject' | 'fail';
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
  readonly address: string | null;
  readonly hops: number;
  readonly bodySha256: string;
  readonly signature: string | null;
}

/**
 * Records an attempt's outcome and updates the delivery and its endpoint. A success always counts. A
 * failure counts only while this attempt still holds the lease.
 */
export function finishDelivery(db: Db, claim: Claim, outcome: AttemptOutcome, nowMs: number): void {
  const attempt = db.get('attempts', claim.attemptId);
  const delivery = db.get('deliveries', claim.deliveryId);
  if (!attempt || !delivery) return;
  const isOurs = delivery.leaseToken === claim.leaseToken;
  const { class: outcomeClass, ...facts } = outcome;
  if (attempt.outcome !== 'lost' || outcomeClass === 'ok') {
    db.put('attempts', { ...attempt, finishedAtMs: nowMs, outcome: outcomeClass, ...facts });
  }
  if (!isOurs && outcomeClass !== 'ok') return;

  // If another process holds the lease, it is kept, because that process has a request in flight.
  const released = isOurs ? { ...delivery, ...NO_LEASE } : delivery;
  const lane = findLane(db, delivery.lane);
  if (outcomeClass === 'ok') {
    db.put('deliveries', toDelivered(released, nowMs));
    if (lane) recordSuccess(db, lane.id, nowMs);
  } else {
    const failure = { class: outcomeClass, retryAfterMs: outcome.retryAfterMs ?? 0 };
    if (lane) recordFailure(db, lane.id, failure, nowMs);
    // A delivery that was ended while the request was in flight stays ended.
    if (released.status === 'pending') scheduleRetry(db, released, failure, nowMs);
    else db.put('deliveries', released);
    if (lane) pauseAfterFailure(db, lane, nowMs);
  }
  planLane(db, delivery.lane, nowMs);
}

function toDelivered(delivery: DeliveryRow, nowMs: number): DeliveryRow {
  return {
    ...delivery,
    status: 'delivered',
    // Keeps the first time if a later copy of the event succeeds too.
    deliveredAtMs: delivery.deliveredAtMs ?? nowMs,
    undeliveredAtMs: null,
    reason: null,
  };
}

/**
 * Returns the event's body. The body of an inline event is created when it is first sent, because it
 * contains the time of sending.
 */
function bodyOf(db: Db, event: EventRow, nowMs: number): string | undefined {
  if (event.body !== null) return event.body;
  const session = db.get('sessions', event.sessionId);
  if (!session) return undefined;
  const body = toEventBody({ id: event.id, kind: event.kind, session, nowMs });
  db.put('events', { ...event, body });
  return body;
}
