import { type Db, type Moment, newId } from '../store/db.ts';
import { EVENT_RULES, type EventKind } from '../store/event-kinds.ts';
import type {
  AttemptRow,
  DeliveryRow,
  EndpointRow,
  EventRow,
  PauseReason,
  SessionRow,
  WebhookFaultRow,
} from '../store/rows.ts';
import { recordEndpointChange } from './endpoint-changes.ts';
import { takeWebhookFault } from './faults.ts';
import {
  type Failure,
  findLane,
  findPauseReason,
  getHealth,
  type Lane,
  listHealth,
  nextStart,
  NO_FAILURES,
  pauseTimerMs,
  planLane,
  recordFailure,
  recordSuccess,
  findStopReason,
  toLaneId,
} from './lanes.ts';
import { addPauseNotice } from './pause-notice.ts';
import { toEventBody } from './payload.ts';
import { timeoutAttemptsOf } from './tenants.ts';
import { isHeldLane } from './webhook-hold.ts';
import {
  DELIVERY_WINDOW_MS,
  INLINE_ATTEMPTS,
  INLINE_WINDOW_MS,
  LEASE_MS,
  SWEEP_BATCH,
  toBackoffMs,
  toInlineWaitMs,
  toTimeoutRetryMs,
} from './webhook-limits.ts';

/**
 * Writes a session's event and its deliveries in the transaction that changes the session, so that they
 * become durable together. The rules of sessions emit each kind at most once for a session.
 */
export function emitEvent(db: Db, session: SessionRow, kind: EventKind, moment: Moment): void {
  const id = newId(db, 'events', moment.random);
  const event: EventRow = {
    id,
    tenantId: session.tenantId,
    sessionId: session.id,
    kind,
    createdAtMs: moment.nowMs,
    // The body of an inline event contains the time when it is first sent.
    body: kind === 'session.started' ? null : toEventBody({ id, kind, session, ...moment }),
  };
  db.put('events', event);
  queueDeliveries(db, event, session.pairId, moment);
}

/**
 * Returns the webhooks that get an event: enabled endpoints that are subscribed to its kind, for the whole
 * account or for the session's key pair. The legacy webhook gets events only while the account has no
 * endpoint, not even a disabled or paused one.
 */
function routesOf(
  db: Db,
  event: { tenantId: string; kind: EventKind },
  sessionPairId: string,
): EndpointRow[] {
  const all = db.find('endpoints', 'tenantId', event.tenantId);
  const hasEndpoint = all.some(({ kind }) => kind !== 'legacy');
  return all.filter(
    ({ kind, enabled, events, pairId }) =>
      enabled &&
      !(kind === 'legacy' && hasEndpoint) &&
      events.includes(event.kind) &&
      (pairId === null || pairId === sessionPairId),
  );
}

/** The reason why an event was not delivered. */
export type GiveUpReason =
  | 'paused'
  | 'disabled'
  /** The event was not delivered within 24 hours, or an inline event within ten minutes. */
  | 'expired'
  /** The event used up the attempts of its kind. */
  | 'attempts'
  /** Inline events only: the receiver rejected the event. */
  | 'rejected'
  /** Inline events only: the service stopped during the request. */
  | 'lost';

/**
 * Creates an event's deliveries. Later changes to an endpoint's address, subscriptions or key pair do not
 * affect these deliveries.
 */
function queueDeliveries(db: Db, event: EventRow, sessionPairId: string, moment: Moment): void {
  const { nowMs, random } = moment;
  for (const { id: endpointId, url, pause } of routesOf(db, event, sessionPairId)) {
    const isPaused = pause !== null;
    const lane = toLaneId({ endpointId, url });
    const policy = EVENT_RULES[event.kind].delivery;
    const windowMs = policy === 'inline' ? INLINE_WINDOW_MS : DELIVERY_WINDOW_MS;
    db.put('deliveries', {
      id: newId(db, 'deliveries', random),
      eventId: event.id,
      tenantId: event.tenantId,
      endpointId,
      lane,
      url,
      policy,
      status: isPaused ? 'undelivered' : 'pending',
      attempts: 0,
      baseAttempts: 0,
      nextAtMs: nowMs,
      deadlineAtMs: nowMs + windowMs,
      leaseUntilMs: null,
      leaseToken: null,
      createdAtMs: nowMs,
      deliveredAtMs: null,
      undeliveredAtMs: isPaused ? nowMs : null,
      reason: isPaused ? 'paused' : null,
      redeliveryNo: 0,
    });
    planLane(db, lane, nowMs);
  }
}

/** Ends a delivery without success. A lease is kept, because the request in flight may still succeed. */
function giveUp(db: Db, delivery: DeliveryRow, reason: GiveUpReason, nowMs: number): void {
  db.put('deliveries', { ...delivery, status: 'undelivered', undeliveredAtMs: nowMs, reason });
}

/** How to end the waiting deliveries of a lane. */
export interface Sweep {
  readonly nowMs: number;
  /** Maximum number to end in each lane. The lane's job ends the rest. @default SWEEP_BATCH */
  readonly limit?: number | undefined;
}

/**
 * Ends the waiting deliveries of an endpoint that is paused, disabled or deleted. Requests in flight
 * continue, and a success still marks its delivery as delivered.
 */
export function sweepLanes(db: Db, endpointId: string, { nowMs, limit }: Sweep): void {
  for (const { id } of listHealth(db, endpointId)) {
    sweepLane(db, id, { nowMs, limit });
    planLane(db, id, nowMs);
  }
}

function sweepLane(db: Db, laneId: string, { nowMs, limit = SWEEP_BATCH }: Sweep): void {
  const lane = findLane(db, laneId);
  // Without a lane, the endpoint was deleted. A lane without a reason is in use.
  const ending = lane ? findStopReason(lane) : 'cancel';
  if (ending === null) return;
  // Either end takes the delivery out of the queue of waiting ones.
  const end = (delivery: DeliveryRow): void => {
    if (ending === 'cancel') cancel(db, delivery);
    else giveUp(db, delivery, ending, nowMs);
  };
  for (let swept = 0; swept < limit; swept += 1) {
    const delivery = db.first('deadlines', laneId);
    if (!delivery) break;
    end(delivery);
  }
  for (const delivery of db.queued('leases', laneId)) {
    if (delivery.status === 'pending') end(delivery);
  }
}

function cancel(db: Db, delivery: DeliveryRow): void {
  db.put('deliveries', { ...delivery, status: 'cancelled' });
}

/** Does everything that is due on a lane, and returns the attempts to be made now. */
export function processLane(db: Db, laneId: string, moment: Moment): Claim[] {
  const { nowMs } = moment;
  // Comes first, because a reclaimed delivery waits again: it may have expired, or be the next to send.
  reclaimLeases(db, laneId, nowMs);
  if (!isHeldLane(db, laneId)) {
    // Comes before the pause, which would end expired deliveries as paused.
    expireDeliveries(db, laneId, nowMs);
    pauseByTimer(db, laneId, nowMs);
  }
  // Ends what an earlier sweep has left because of its limit, and what was just reclaimed.
  sweepLane(db, laneId, { nowMs });
  const lane = findLane(db, laneId);
  const claims = lane ? startDue(db, lane, moment) : [];
  // The next job is due in one millisecond at the earliest, because this millisecond's job is running. It
  // also continues a sweep that has reached its limit.
  planLane(db, laneId, nowMs, nowMs + 1);
  return claims;
}

function expireDeliveries(db: Db, laneId: string, nowMs: number): void {
  for (let expired = 0; expired < SWEEP_BATCH; expired += 1) {
    const delivery = db.first('deadlines', laneId);
    if (!delivery || nowMs < delivery.deadlineAtMs) return;
    giveUp(db, delivery, 'expired', nowMs);
  }
}

function startDue(db: Db, lane: Lane, moment: Moment): Claim[] {
  const { nowMs } = moment;
  const claims: Claim[] = [];
  // Each delivery is claimed or cancelled, so the next round finds another one.
  for (;;) {
    const start = nextStart(db, lane, nowMs);
    if (!start || start.atMs > nowMs) return claims;
    const { delivery } = start;
    // A large backlog has expired deliveries that are not ended yet. The lane's next job ends them first.
    if (delivery.deadlineAtMs <= nowMs) return claims;
    const claim = claimDelivery(db, { lane, delivery }, moment);
    if (claim) claims.push(claim);
  }
}

/** One attempt to be made now. */
export interface Claim {
  readonly deliveryId: string;
  /** The id of the attempt. While it is the delivery's lease token, this attempt holds the lease. */
  readonly attemptId: string;
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
  { lane, delivery }: { readonly lane: Lane; readonly delivery: DeliveryRow },
  { nowMs, random }: Moment,
): Claim | null {
  const { secret } = lane.endpoint;
  const event = db.get('events', delivery.eventId);
  const bodyText = event && bodyOf(db, event, nowMs);
  if (bodyText === undefined) {
    cancel(db, delivery);
    return null;
  }

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
    hops: 0,
    bodySha256: null,
    ...(fault && { fault: fault.fault }),
  };
  db.put('attempts', attempt);
  const lease = { leaseUntilMs: nowMs + LEASE_MS, leaseToken: attempt.id };
  db.put('deliveries', { ...delivery, attempts, ...lease });
  return {
    deliveryId: delivery.id,
    attemptId: attempt.id,
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
  readonly hops: number;
  readonly bodySha256: string;
  readonly signature: string | null;
}

/**
 * Records an attempt's outcome and updates the delivery and its endpoint.
 *
 * - A success always counts, even if the attempt has lost its lease or its delivery was ended meanwhile.
 * - A failure counts only while the attempt holds the lease. A delivery that was ended meanwhile stays ended.
 * - A lease of another attempt is kept, because that attempt has a request in flight.
 */
export function finishDelivery(db: Db, claim: Claim, outcome: AttemptOutcome, nowMs: number): void {
  const attempt = db.get('attempts', claim.attemptId);
  const delivery = db.get('deliveries', claim.deliveryId);
  if (!attempt || !delivery) return;
  recordOutcome(db, attempt, outcome, nowMs);
  const holdsLease = delivery.leaseToken === claim.attemptId;
  const released = holdsLease ? { ...delivery, ...NO_LEASE } : delivery;
  if (outcome.class === 'ok') succeed(db, released, nowMs);
  else if (holdsLease)
    fail(db, released, { class: outcome.class, retryAfterMs: outcome.retryAfterMs ?? 0 }, nowMs);
}

/** Records an outcome. An attempt that was recorded as lost stays lost, unless it has succeeded. */
function recordOutcome(db: Db, attempt: AttemptRow, outcome: AttemptOutcome, nowMs: number): void {
  const { class: outcomeClass, ...facts } = outcome;
  if (attempt.outcome === 'lost' && outcomeClass !== 'ok') return;
  db.put('attempts', { ...attempt, finishedAtMs: nowMs, outcome: outcomeClass, ...facts });
}

function succeed(db: Db, delivery: DeliveryRow, nowMs: number): void {
  db.put('deliveries', {
    ...delivery,
    status: 'delivered',
    // Keeps the first time if a later copy of the event succeeds too.
    deliveredAtMs: delivery.deliveredAtMs ?? nowMs,
    undeliveredAtMs: null,
    reason: null,
  });
  const lane = findLane(db, delivery.lane);
  if (lane) recordSuccess(db, lane.id, nowMs);
  planLane(db, delivery.lane, nowMs);
}

function fail(db: Db, delivery: DeliveryRow, failure: Failure, nowMs: number): void {
  const lane = findLane(db, delivery.lane);
  if (lane) recordFailure(db, lane.id, failure, nowMs);
  if (delivery.status === 'pending') scheduleRetry(db, delivery, failure, nowMs);
  else db.put('deliveries', delivery);
  if (lane) pauseAfterFailure(db, lane, nowMs);
  planLane(db, delivery.lane, nowMs);
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

/**
 * Schedules the retry of a failed delivery by its policy, or ends the delivery. Lost attempts, and those
 * before a redelivery, are its `baseAttempts` and do not count. Its deadline is not checked here: the lane's
 * job handles it for all deliveries.
 */
function scheduleRetry(db: Db, delivery: DeliveryRow, failure: Failure, nowMs: number): void {
  const failures = delivery.attempts - delivery.baseAttempts;
  const { retryAfterMs } = failure;
  const retryAt = (nextAtMs: number): void => void db.put('deliveries', { ...delivery, nextAtMs });

  switch (delivery.policy) {
    case 'durable': {
      const backoffMs = toBackoffMs(failures, `${delivery.id}:${delivery.attempts}`);
      return retryAt(nowMs + Math.max(backoffMs, retryAfterMs));
    }
    case 'timeout':
      if (failures >= timeoutAttemptsOf(db, delivery.tenantId))
        return giveUp(db, delivery, 'attempts', nowMs);
      return retryAt(toTimeoutRetryMs(nowMs, failures, retryAfterMs));
    case 'inline':
      if (failure.class === 'reject') return giveUp(db, delivery, 'rejected', nowMs);
      if (failures >= INLINE_ATTEMPTS) return giveUp(db, delivery, 'attempts', nowMs);
      return retryAt(nowMs + Math.max(toInlineWaitMs(failures), retryAfterMs));
  }
}

/** The columns of a delivery without a lease. */
const NO_LEASE = { leaseUntilMs: null, leaseToken: null } as const;

/**
 * Releases the deliveries of dead processes. They are sent again, because an event is delivered at least
 * once. Only inline events are given up.
 * @param untilMs Leases that end later are kept. Infinity releases all of them. @default nowMs
 */
function reclaimLeases(db: Db, laneId: string, nowMs: number, untilMs = nowMs): void {
  for (;;) {
    const delivery = db.first('leases', laneId);
    if (!delivery || (delivery.leaseUntilMs ?? 0) > untilMs) return;
    // Without its lease, the delivery is no longer in this queue.
    const released = loseAttempt(db, delivery, nowMs);
    // A delivery that was ended or delivered during the request stays so. The receiver may have received the
    // request, so an inline event is not sent again after a crash.
    if (released.status === 'pending' && released.policy === 'inline')
      giveUp(db, released, 'lost', nowMs);
  }
}

/**
 * Releases a delivery whose request was aborted because the service closes. The next service sends the event
 * at once. This applies to inline events too, because an ordinary restart must not lose an event.
 */
export function releaseDelivery(db: Db, claim: Claim, nowMs: number): void {
  const delivery = db.get('deliveries', claim.deliveryId);
  if (delivery?.leaseToken !== claim.attemptId) return;
  loseAttempt(db, delivery, nowMs);
  planLane(db, delivery.lane, nowMs);
}

/** Closes the attempt whose process died or closed, so that it does not count in the retry schedule. */
function loseAttempt(db: Db, delivery: DeliveryRow, nowMs: number): DeliveryRow {
  for (const attempt of db.find('attempts', 'deliveryId', delivery.id)) {
    if (attempt.finishedAtMs !== null) continue;
    db.put('attempts', { ...attempt, finishedAtMs: nowMs, outcome: 'lost' });
  }
  return db.put('deliveries', {
    ...delivery,
    ...NO_LEASE,
    baseAttempts: delivery.baseAttempts + 1,
  });
}

/**
 * Continues the deliveries of an earlier run.
 * @param options.isShared True if other processes or tabs may use this state. A lease may then belong to a
 *   request that is still in flight, so it must expire. Otherwise all leases are from the earlier run and
 *   are released at once.
 */
export function takeOverDeliveries(
  db: Db,
  { isShared, nowMs }: { readonly isShared: boolean; readonly nowMs: number },
): void {
  const lanes = new Set<string>();
  for (const { status, leaseUntilMs, lane } of db.all('deliveries')) {
    if (status === 'pending' || leaseUntilMs !== null) lanes.add(lane);
  }
  if (!isShared) {
    endTests(db);
    for (const lane of lanes) reclaimLeases(db, lane, nowMs, Infinity);
  }
  for (const lane of lanes) planLane(db, lane, nowMs);
}

/** Ends the tests that an earlier run had in flight, because they would count as parallel requests. */
function endTests(db: Db): void {
  const tested = [...db.all('endpointHealth')].filter(({ testUntilMs }) => testUntilMs !== null);
  for (const health of tested)
    db.put('endpointHealth', { ...health, testToken: null, testUntilMs: null });
}

/** Pauses the endpoint if its failures, including the one just added, have lasted long enough. */
function pauseAfterFailure(db: Db, lane: Lane, nowMs: number): void {
  const reason = findPauseReason(lane, getHealth(db, lane.id), nowMs);
  if (reason) pause(db, lane, reason, nowMs);
}

/** Pauses the endpoint after a day of failures, even if no request fails at that moment. */
function pauseByTimer(db: Db, laneId: string, nowMs: number): void {
  const lane = findLane(db, laneId);
  if (!lane) return;
  const timerMs = pauseTimerMs(lane, getHealth(db, laneId));
  if (timerMs !== null && nowMs >= timerMs) pause(db, lane, 'failing', nowMs);
}

/** Ends a pause. Only new events are sent. Undelivered events stay undelivered. */
export function resume(db: Db, { id, endpoint }: Lane, nowMs: number): void {
  // Ends the remaining deliveries while the row still has the pause, because they would be sent after it.
  sweepLanes(db, endpoint.id, { nowMs, limit: Infinity });
  const resumed = db.put('endpoints', { ...endpoint, pause: null });
  recordEndpointChange(db, 'endpoint.resumed', resumed);
  db.put('endpointHealth', {
    ...getHealth(db, id),
    ...NO_FAILURES,
    holdUntilMs: null,
  });
}

/** Pauses the endpoint and adds a notice. */
function pause(db: Db, { endpoint }: Lane, reason: PauseReason, nowMs: number): void {
  const paused = db.put('endpoints', { ...endpoint, pause: { atMs: nowMs, reason } });
  recordEndpointChange(db, 'endpoint.paused', paused, {
    values: [{ name: 'pauseReason', after: reason }],
  });
  addPauseNotice(db, paused, reason, nowMs);
  sweepLanes(db, endpoint.id, { nowMs });
}
