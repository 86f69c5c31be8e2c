import type { Db } from '../core/db.ts';
import type { EndpointHealthRow } from '../core/tables.ts';
import { toBackoffMs } from './backoff.ts';
import { FULL_RAMP, SLOW_AFTER_FAILURES } from './webhook-limits.ts';

export function healthOf(db: Db, laneId: string): EndpointHealthRow {
  const health = db.get('endpointHealth', laneId);
  if (!health) throw new Error(`There is no lane "${laneId}"`);
  return health;
}

/** Tells whether a lane has failed so often in a row that it gets one request at a time. */
export function isFailing({ consecutiveFailures }: EndpointHealthRow): boolean {
  return consecutiveFailures >= SLOW_AFTER_FAILURES;
}

/**
 * Records a success, which ends any run of failures and doubles the ramp. A lane that was failing starts
 * again with one request at a time.
 */
export function addSuccess(db: Db, laneId: string, nowMs: number): EndpointHealthRow {
  const health = healthOf(db, laneId);
  return db.put('endpointHealth', {
    ...health,
    ...NO_FAILURES,
    lastSuccessAtMs: nowMs,
    isLastSuccess: true,
    ramp: isFailing(health) ? 1 : Math.min(FULL_RAMP, health.ramp * 2),
  });
}

export interface Failure {
  readonly class: 'reject' | 'fail';
  readonly retryAfterMs: number;
  /** The token of the failed delivery's lease, which is not released yet. */
  readonly leaseToken: string;
}

/**
 * Adds a failure to the run and delays the next retries. Requests that were in flight together count as one
 * failure, because they report the same outage. Otherwise eight parallel failures would delay the next
 * retry by up to ten minutes.
 */
export function addFailure(
  db: Db,
  laneId: string,
  { class: failureClass, retryAfterMs, leaseToken }: Failure,
  nowMs: number,
): EndpointHealthRow {
  const health = healthOf(db, laneId);
  const isSameWave = health.consecutiveFailures > 0 && health.wave?.includes(leaseToken) === true;
  const consecutiveFailures = health.consecutiveFailures + (isSameWave ? 0 : 1);
  const failingSinceMs = health.failingSinceMs ?? nowMs;
  const backoffMs = toBackoffMs(
    consecutiveFailures,
    `${laneId}:${failingSinceMs}:${consecutiveFailures}`,
  );
  return db.put('endpointHealth', {
    ...health,
    consecutiveFailures,
    failedRequests: failedRequestsOf(health) + 1,
    ...(!isSameWave && { wave: othersInFlight(db, laneId, leaseToken) }),
    failingSinceMs,
    // A failure that is not a rejection interrupts a run of rejections.
    rejectingSinceMs: failureClass === 'reject' ? (health.rejectingSinceMs ?? nowMs) : null,
    lastFailureAtMs: nowMs,
    isLastSuccess: false,
    gateAtMs: latest(health.gateAtMs, nowMs + Math.max(backoffMs, retryAfterMs)),
    // A success of a concurrent request does not shorten this delay. A failure without `Retry-After` does
    // not set it: if the machine's clock were set back later, the stored time would delay new events.
    holdUntilMs:
      retryAfterMs > 0 ? latest(health.holdUntilMs, nowMs + retryAfterMs) : health.holdUntilMs,
  });
}

/** Returns the number of failed requests in the current run of failures, each counted separately. */
export function failedRequestsOf({
  failedRequests,
  consecutiveFailures,
}: EndpointHealthRow): number {
  return failedRequests ?? consecutiveFailures;
}

function othersInFlight(db: Db, laneId: string, leaseToken: string): string[] {
  return db
    .queued('leases', laneId)
    .flatMap(({ leaseToken: token }) => (token === null || token === leaseToken ? [] : [token]));
}

export const NO_FAILURES = {
  consecutiveFailures: 0,
  failedRequests: 0,
  wave: [],
  failingSinceMs: null,
  rejectingSinceMs: null,
  gateAtMs: null,
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
    ramp: FULL_RAMP,
    testToken: null,
    testUntilMs: null,
  };
}

function latest(known: number | null, atMs: number): number {
  return Math.max(known ?? 0, atMs);
}
