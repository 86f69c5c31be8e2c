import type { Db } from '../core/db.ts';
import { toToken } from '../core/random.ts';
import type { AttemptRow, DeliveryRow, EventRow, WebhookFaultRow } from '../core/tables.ts';
import { takeWebhookFault } from '../accounts/faults.ts';
import { addFailure } from './health.ts';
import { planLane } from './lane-jobs.ts';
import { findLane, type Lane } from './lanes.ts';
import { NO_LEASE } from './leases.ts';
import { newId, type Moment } from '../core/moment.ts';
import { pauseAfterFailure } from './pauses.ts';
import { toEventBody } from './payload.ts';
import { recordSuccess } from './recovery.ts';
import { scheduleRetry } from './retries.ts';
import { LEASE_MS } from './webhook-limits.ts';

/** One attempt that may now be made: what to send, and the token that proves whose attempt it is. */
export interface Claim {
  readonly deliveryId: string;
  readonly attemptId: string;
  readonly leaseToken: string;
  readonly url: string;
  readonly bodyText: string;
  /** The endpoint's secret of this moment, also for an old event. */
  readonly secret: string | null;
  /** What was asked to go wrong with it. */
  readonly fault: WebhookFaultRow | null;
}

/**
 * Takes a delivery that may start: writes the attempt before its request, and a lease. When the lease runs
 * out the holder is taken for dead, its attempt for lost, and the event is sent again: at least once.
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

/** What came of an attempt. A rejection says "not like this"; a failure may pass by itself. */
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
 * Records an attempt's outcome and decides what becomes of the delivery and of its endpoint. A success
 * counts whoever holds the delivery by now; a failure counts only while the lease is still this attempt's.
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

  // Another holder's lease stays: its request is on the wire.
  const released = isOurs ? { ...delivery, ...NO_LEASE } : delivery;
  const lane = findLane(db, delivery.lane);
  if (outcomeClass === 'ok') {
    db.put('deliveries', toDelivered(released, nowMs));
    if (lane) recordSuccess(db, lane, nowMs);
  } else {
    const failure = {
      class: outcomeClass,
      retryAfterMs: outcome.retryAfterMs ?? 0,
      leaseToken: claim.leaseToken,
    };
    if (lane) addFailure(db, lane.id, failure, nowMs);
    // Stopped while the request was under way: the verdict stands.
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
    // A late success of a delivery that was delivered since says nothing new.
    deliveredAtMs: delivery.deliveredAtMs ?? nowMs,
    undeliveredAtMs: null,
    reason: null,
  };
}

/** The event's bytes; those of an inline event are made by its first send, whose time they carry. */
function bodyOf(db: Db, event: EventRow, nowMs: number): string | undefined {
  if (event.body !== null) return event.body;
  const session = db.get('sessions', event.sessionId);
  if (!session) return undefined;
  const body = toEventBody({ id: event.id, kind: event.kind, session, nowMs });
  db.put('events', { ...event, body });
  return body;
}
