import type { Db } from '../core/db.ts';
import type { EndpointHealthRow } from '../core/tables.ts';
import { failedRequestsOf, healthOf } from './health.ts';
import { findLane, isCurrentAddress, stateOf, stopOf, type Lane } from './lanes.ts';
import { isTesting, mustDropInline, nextStart } from './next-start.ts';
import {
  BACKOFF_CAP_MS,
  FAIL_PAUSE_MS,
  PAUSE_MIN_FAILURES,
  RETRY_AFTER_MAX_MS,
} from './webhook-limits.ts';

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

/** Tells whether the endpoint may be paused once it has failed for long enough. */
export function mayPause(lane: Lane, health: EndpointHealthRow): boolean {
  return (
    isCurrentAddress(lane) &&
    stopOf(lane) === null &&
    failedRequestsOf(health) >= PAUSE_MIN_FAILURES
  );
}

function nextStepMs(db: Db, laneId: string, nowMs: number): number | null {
  const steps: number[] = [];
  const lease = db.first('leases', laneId)?.leaseUntilMs;
  if (lease != null) steps.push(lease);
  const lane = findLane(db, laneId);
  if (!lane || stopOf(lane)) {
    // The waiting deliveries of this lane are ended at once.
    if (db.size('deadlines', laneId) > 0) steps.push(nowMs);
    return earliest(steps);
  }

  const health = healthOf(db, laneId);
  const state = stateOf(lane, health);
  const start = nextStart(db, lane, nowMs);
  if (start) steps.push(start.atMs);
  const deadline = db.first('deadlines', laneId)?.deadlineAtMs;
  if (deadline !== undefined) steps.push(deadline);
  // An inline event is sent or dropped when it is due.
  const inline = db.first('inline', laneId)?.nextAtMs;
  if (inline !== undefined && (inline > nowMs || mustDropInline(state, health, nowMs)))
    steps.push(inline);
  if (isTesting(health, nowMs) && health.testUntilMs !== null) steps.push(health.testUntilMs);
  const timer = pauseTimerMs(lane, health);
  if (timer !== null) steps.push(timer);
  return earliest(steps);
}

function earliest(steps: readonly number[]): number | null {
  return steps.length === 0 ? null : Math.min(...steps);
}
