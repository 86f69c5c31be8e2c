import type { DeliveryWait } from '../api/deliveries.ts';
import type { EndpointState } from '../api/endpoints.ts';
import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { DeliveryRow, EndpointHealthRow, EndpointRow, PauseReason } from '../store/rows.ts';
import { isHeld } from './webhook-hold.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  BACKOFF_CAP_MS,
  FAIL_PAUSE_MS,
  PAUSE_MIN_FAILURES,
  REJECT_PAUSE_MS,
  RETRY_AFTER_MAX_MS,
} from './webhook-limits.ts';

// How the requests of a lane are paced: which delivery a lane sends next, when, and when an endpoint is
// paused. Only the health of a lane is stored; its state, its gate and its next delivery are derived from it.
//
// lane      An endpoint at one address. Its deliveries are paced together. When the endpoint gets another
//           address, queued deliveries stay in their lane, so that neither address slows the other down.
// health    The stored row of a lane: its failures, its last success, its hold and its test.
// run       The failures since the last 2xx. Every failed request counts, also parallel ones.
// slowed    A lane whose run has at least SLOWED_AFTER failures. It gets one request at a time. Such a lane
//           may be dead, or it may refuse only some events.
// gate      The earliest start of the next request of a slowed lane. The wait grows with the length of the
//           run, so that a dead endpoint gets few requests and a short outage ends soon.
// trial     The first hour of a run of nothing but rejections. An hour of them pauses the endpoint, so the
//           gate opens at least once a minute, to offer the newer events before the endpoint is judged.
// hold      The time until which the receiver has asked for no requests, with `Retry-After`. The hold on all
//           webhooks of a loaded snapshot is another one (webhook-hold.ts).
// untried   A delivery without an attempt in its present schedule. The others wait for their own backoff.

export interface Lane {
  readonly id: string;
  readonly url: string;
  /** The endpoint's current row. Its address may differ from the lane's. */
  readonly endpoint: EndpointRow;
}

/** Returns the id of the lane that a delivery is in. */
export function toLaneId({ endpointId, url }: { endpointId: string; url: string }): string {
  return `${endpointId} ${url}`;
}

/** The health columns of a lane without failures. */
export const NO_FAILURES = {
  consecutiveFailures: 0,
  failingSinceMs: null,
  rejectingSinceMs: null,
} as const satisfies Partial<EndpointHealthRow>;

/** Returns the health of a new lane, to which nothing has been sent. */
export function freshHealth(
  lane: Pick<EndpointHealthRow, 'id' | 'endpointId' | 'url'>,
): EndpointHealthRow {
  return {
    ...lane,
    ...NO_FAILURES,
    lastFailureAtMs: null,
    lastSuccessAtMs: null,
    isLastSuccess: null,
    holdUntilMs: null,
    testToken: null,
    testUntilMs: null,
  };
}

/**
 * Returns the health of a lane.
 * @throws {Error} if the lane does not exist
 */
export function getHealth(db: Db, laneId: string): EndpointHealthRow {
  const health = db.get('endpointHealth', laneId);
  if (!health) throw new Error(`There is no lane "${laneId}"`);
  return health;
}

/**
 * Creates or resets the lane of an endpoint's address. If the endpoint had this address before, the
 * receiver's last `Retry-After` still applies, and the time of its last success is kept.
 */
export function openLane(db: Db, { id: endpointId, url }: EndpointRow): void {
  const id = toLaneId({ endpointId, url });
  const known = db.get('endpointHealth', id);
  db.put('endpointHealth', {
    ...freshHealth({ id, endpointId, url }),
    holdUntilMs: known?.holdUntilMs ?? null,
    lastSuccessAtMs: known?.lastSuccessAtMs ?? null,
  });
}

/** Returns the lane, or undefined when its endpoint was deleted. */
export function findLane(db: Db, laneId: string): Lane | undefined {
  const health = db.get('endpointHealth', laneId);
  const endpoint = health && db.get('endpoints', health.endpointId);
  return endpoint && { id: laneId, url: health.url, endpoint };
}

/**
 * Returns the lane of an endpoint's current address.
 * @throws {ServiceError} not_found if the endpoint does not exist
 */
export function getCurrentLane(db: Db, endpointId: string): Lane {
  const endpoint = db.get('endpoints', endpointId);
  if (!endpoint) throw new ServiceError('not_found', 'Webhook endpoint not found');
  const { url } = endpoint;
  return { id: toLaneId({ endpointId, url }), url, endpoint };
}

/**
 * Tells whether the endpoint still has the lane's address. Only requests to its current address can pause
 * or resume an endpoint.
 */
export function isCurrentAddress({ url, endpoint }: Lane): boolean {
  return url === endpoint.url;
}

/** Returns the health of each address that the endpoint has had. */
export function listHealth(db: Db, endpointId: string): EndpointHealthRow[] {
  return db.find('endpointHealth', 'endpointId', endpointId);
}

/**
 * Returns the reason why the lane sends nothing and ends its waiting deliveries, or null if it sends. The
 * reason applies to every address of the endpoint.
 */
export function findStopReason({ endpoint }: Lane): 'disabled' | 'paused' | null {
  if (!endpoint.enabled) return 'disabled';
  return endpoint.pause ? 'paused' : null;
}

/** The largest number of parallel requests to an endpoint that is not slowed. */
const PARALLEL_REQUESTS = 8;

/** The number of failures in a row that slow a lane down. */
const SLOWED_AFTER = 5;

/** The part of the run's length that a slowed lane waits after each failure. */
const GATE_SHARE = 1 / 4;
const SHORTEST_GATE_MS = 1_000;

/**
 * The longest waits of a slowed lane: nearly ten minutes, or nearly a minute during a trial. Their seconds have
 * no common factor with those of a usual period. A receiver may be up for one minute in six: requests that
 * are exactly ten minutes apart meet only three moments of these 360 seconds, and may miss each of its
 * minutes. Those that are 593 seconds apart meet all of them in turn.
 */
const LONGEST_GATE_MS = 593_000;
const LONGEST_TRIAL_GATE_MS = 59_000;

/**
 * Every fourth request of a slowed lane sends the delivery that has been due longest. The receiver may
 * refuse all new events and accept the old ones.
 */
const OLD_EVERY = 4;

/** Derives the state of the lane from its rows. It is not stored. */
export function stateOf(lane: Lane, { isLastSuccess }: EndpointHealthRow): EndpointState {
  const stopReason = findStopReason(lane);
  if (stopReason) return stopReason;
  if (isLastSuccess === null) return 'new';
  return isLastSuccess ? 'healthy' : 'failing';
}

/** Tells whether the lane gets one request at a time, after a growing wait. */
export function isSlowed({ consecutiveFailures }: EndpointHealthRow): boolean {
  return consecutiveFailures >= SLOWED_AFTER;
}

/** The delivery that a lane sends next, and the time of its start. */
export interface Start {
  readonly delivery: DeliveryRow;
  readonly atMs: number;
}

/**
 * Returns the delivery that may start next in a lane, and its time. Returns null if
 * - the endpoint is paused or disabled, or its webhooks are held;
 * - as many requests are in flight, a test included, as the lane may have at the same time;
 * - no delivery waits.
 */
export function nextStart(db: Db, lane: Lane, nowMs: number): Start | null {
  if (findStopReason(lane) || isHeld(db, lane.url)) return null;
  const health = getHealth(db, lane.id);
  const inFlight = db.size('leases', lane.id) + (isTesting(health, nowMs) ? 1 : 0);
  const mostInFlight = isSlowed(health) ? 1 : PARALLEL_REQUESTS;
  if (inFlight >= mostInFlight) return null;
  const earliestMs = Math.max(nowMs, gateMs(health));
  const delivery = chooseDelivery(db, lane.id, choiceAt(health, earliestMs));
  if (!delivery) return null;
  const isRetry = delivery.attempts > delivery.baseAttempts;
  return { delivery, atMs: isRetry ? Math.max(earliestMs, delivery.nextAtMs) : earliestMs };
}

/** Which delivery comes next: the oldest or the newest untried one, or the one that is due longest. */
type Choice = 'oldest' | 'newest' | 'longest due';

/**
 * Returns the choice for a request that starts at this time. A lane sends untried deliveries first,
 * oldest first, because a delivery that has failed may fail again. A slowed lane sends the newest one
 * first: the older ones may be a burst of events that the receiver refuses.
 */
function choiceAt(health: EndpointHealthRow, startMs: number): Choice {
  if (!isSlowed(health)) return 'oldest';
  // A request that ends after an hour of rejections may be the last one, so it offers the newest event.
  const { rejectingSinceMs } = health;
  const isLast =
    rejectingSinceMs !== null && startMs + ATTEMPT_TIMEOUT_MS >= rejectingSinceMs + REJECT_PAUSE_MS;
  return health.consecutiveFailures % OLD_EVERY === 0 && !isLast ? 'longest due' : 'newest';
}

function chooseDelivery(db: Db, laneId: string, choice: Choice): DeliveryRow | undefined {
  const untried = db.first('untried', laneId);
  const longestDue = earlierDue(untried, db.first('retries', laneId));
  if (choice === 'longest due') return longestDue;
  return (choice === 'oldest' ? untried : db.first('newest', laneId)) ?? longestDue;
}

function earlierDue(
  a: DeliveryRow | undefined,
  b: DeliveryRow | undefined,
): DeliveryRow | undefined {
  if (!a || !b) return a ?? b;
  return b.nextAtMs < a.nextAtMs ? b : a;
}

/** The earliest start of a delivery that waits, and what else than its own schedule it waits for. */
export interface PlannedStart {
  /** Null while it is held. */
  readonly atMs: number | null;
  readonly waitsFor: DeliveryWait | null;
}

/** Returns the planned start of a delivery, or null if it does not wait. */
export function findPlannedStart(db: Db, delivery: DeliveryRow): PlannedStart | null {
  const { status, leaseUntilMs, lane, url, nextAtMs } = delivery;
  if (status !== 'pending' || leaseUntilMs !== null) return null;
  if (isHeld(db, url)) return { atMs: null, waitsFor: 'release' };
  const health = getHealth(db, lane);
  const laneMs = gateMs(health);
  if (laneMs <= nextAtMs) return { atMs: nextAtMs, waitsFor: null };
  return { atMs: laneMs, waitsFor: laneMs === health.holdUntilMs ? 'retry_after' : 'failures' };
}

/** Returns the earliest start of the next request, which may have passed. */
function gateMs(health: EndpointHealthRow): number {
  const holdMs = health.holdUntilMs ?? 0;
  const { failingSinceMs, lastFailureAtMs } = health;
  if (!isSlowed(health) || failingSinceMs === null || lastFailureAtMs === null) return holdMs;
  const runMs = lastFailureAtMs - failingSinceMs;
  const isTrial = health.rejectingSinceMs === failingSinceMs && runMs < REJECT_PAUSE_MS;
  const longestMs = isTrial ? LONGEST_TRIAL_GATE_MS : LONGEST_GATE_MS;
  const waitMs = Math.min(longestMs, Math.max(SHORTEST_GATE_MS, runMs * GATE_SHARE));
  return Math.max(holdMs, lastFailureAtMs + Math.ceil(waitMs));
}

/** Tells whether a test event is in flight. It counts as a parallel request. */
export function isTesting({ testUntilMs }: EndpointHealthRow, nowMs: number): boolean {
  return testUntilMs !== null && nowMs < testUntilMs;
}

/**
 * Records a success, which ends the run. The other deliveries keep their times, because a receiver that
 * refuses one event for its content must not get that event again after every success.
 */
export function recordSuccess(db: Db, laneId: string, nowMs: number): void {
  db.put('endpointHealth', {
    ...getHealth(db, laneId),
    ...NO_FAILURES,
    lastSuccessAtMs: nowMs,
    isLastSuccess: true,
  });
}

export interface Failure {
  readonly class: 'reject' | 'fail';
  readonly retryAfterMs: number;
}

/** Adds a failure to the run. */
export function recordFailure(db: Db, laneId: string, failure: Failure, nowMs: number): void {
  const health = getHealth(db, laneId);
  const { failingSinceMs, rejectingSinceMs, holdUntilMs } = health;
  const isRejection = failure.class === 'reject';
  db.put('endpointHealth', {
    ...health,
    consecutiveFailures: health.consecutiveFailures + 1,
    failingSinceMs: failingSinceMs ?? nowMs,
    // A failure that is not a rejection interrupts a run of rejections.
    rejectingSinceMs: isRejection ? (rejectingSinceMs ?? nowMs) : null,
    lastFailureAtMs: nowMs,
    isLastSuccess: false,
    // A success of a concurrent request does not end the hold.
    ...(failure.retryAfterMs > 0 && {
      holdUntilMs: Math.max(holdUntilMs ?? 0, nowMs + failure.retryAfterMs),
    }),
  });
}

/** Returns the reason to pause the endpoint now, after a failure that was just recorded. */
export function findPauseReason(
  lane: Lane,
  health: EndpointHealthRow,
  nowMs: number,
): PauseReason | null {
  if (!mayPause(lane, health)) return null;
  const { rejectingSinceMs, failingSinceMs } = health;
  if (rejectingSinceMs !== null && nowMs - rejectingSinceMs >= REJECT_PAUSE_MS) return 'rejecting';
  return failingSinceMs !== null && nowMs - failingSinceMs >= FAIL_PAUSE_MS ? 'failing' : null;
}

/**
 * Returns the time at which an endpoint that has failed for a day is paused without a further request. This
 * timer is needed because a single queued event may expire before its next retry. Returns null if there is
 * no such time.
 */
export function pauseTimerMs(lane: Lane, health: EndpointHealthRow): number | null {
  const { failingSinceMs, lastFailureAtMs } = health;
  if (!mayPause(lane, health) || failingSinceMs === null) return null;
  const timerMs = failingSinceMs + FAIL_PAUSE_MS;
  // If the failures stopped long before the end of the day, the endpoint may have recovered.
  const isRecent = (lastFailureAtMs ?? 0) >= timerMs - BACKOFF_CAP_MS - RETRY_AFTER_MAX_MS;
  return isRecent ? timerMs : null;
}

function mayPause(lane: Lane, { consecutiveFailures }: EndpointHealthRow): boolean {
  return (
    isCurrentAddress(lane) &&
    findStopReason(lane) === null &&
    consecutiveFailures >= PAUSE_MIN_FAILURES
  );
}

/**
 * Schedules the lane's only job for the next time at which it has something to do. A dead endpoint with
 * 100,000 queued events therefore costs as little as one with a single event.
 * @param notBeforeMs The earliest time for the job. The running job passes a time after `nowMs`, because it
 *   has already done everything that is due now.
 */
export function planLane(db: Db, laneId: string, nowMs: number, notBeforeMs = nowMs): void {
  const id = `deliver:${laneId}`;
  const stepMs = nextStepMs(db, laneId, nowMs);
  if (stepMs === null) return db.delete('jobs', id);
  const dueMs = Math.max(stepMs, notBeforeMs);
  if (db.get('jobs', id)?.dueMs === dueMs) return;
  db.put('jobs', { id, kind: 'deliver', dueMs, ref: laneId });
}

/** Returns the next time at which the lane has something to do, or null if it has nothing to do. */
function nextStepMs(db: Db, laneId: string, nowMs: number): number | null {
  const leaseEndMs = db.first('leases', laneId)?.leaseUntilMs;
  const lane = findLane(db, laneId);
  if (!lane || findStopReason(lane)) {
    // The waiting deliveries of this lane are ended at once.
    const hasWaiting = db.size('deadlines', laneId) > 0;
    return earliest([leaseEndMs, hasWaiting ? nowMs : null]);
  }
  if (isHeld(db, lane.url)) return earliest([leaseEndMs]);
  const health = getHealth(db, laneId);
  return earliest([
    leaseEndMs,
    nextStart(db, lane, nowMs)?.atMs,
    db.first('deadlines', laneId)?.deadlineAtMs,
    isTesting(health, nowMs) ? health.testUntilMs : null,
    pauseTimerMs(lane, health),
  ]);
}

/** Returns the earliest of the times that exist. */
function earliest(times: readonly (number | null | undefined)[]): number | null {
  const known = times.filter((atMs) => typeof atMs === 'number');
  return known.length === 0 ? null : Math.min(...known);
}
