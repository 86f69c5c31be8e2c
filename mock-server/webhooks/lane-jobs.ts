import type { Db } from '../core/db.ts';
import type { EndpointHealthRow } from '../core/tables.ts';
import { failedRequestsOf, healthOf } from './health.ts';
import { findLane, isPresent, stateOf, stopOf, type Lane } from './lanes.ts';
import { isTesting, mustDropInline, nextStart } from './next-start.ts';
import {
  BACKOFF_CAP_MS,
  FAIL_PAUSE_MS,
  PAUSE_MIN_FAILURES,
  RETRY_AFTER_MAX_MS,
} from './webhook-limits.ts';

/**
 * Makes the lane's one job due when something can next happen to it, and not before: a dead endpoint with
 * 100,000 queued events costs what it costs with one.
 * @param notBeforeMs Later than this instant when the job itself asks, since what is due now was just done.
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
 * When an endpoint that has only failed is paused although no request fails just then: with a single event in
 * the queue, that event is given up before another failure could show. Null when it is not to be.
 */
export function pauseTimerMs(lane: Lane, health: EndpointHealthRow): number | null {
  const { failingSinceMs, lastFailureAtMs } = health;
  if (!mayPause(lane, health) || failingSinceMs === null) return null;
  const timerMs = failingSinceMs + FAIL_PAUSE_MS;
  // Failures that stopped long before the day was over say nothing about now.
  const isRecent = (lastFailureAtMs ?? 0) >= timerMs - BACKOFF_CAP_MS - RETRY_AFTER_MAX_MS;
  return isRecent ? timerMs : null;
}

/** Whether the endpoint is one to pause, once it has failed for long enough. */
export function mayPause(lane: Lane, health: EndpointHealthRow): boolean {
  return isPresent(lane) && stopOf(lane) === null && failedRequestsOf(health) >= PAUSE_MIN_FAILURES;
}

function nextStepMs(db: Db, laneId: string, nowMs: number): number | null {
  const steps: number[] = [];
  const lease = db.first('leases', laneId)?.leaseUntilMs;
  if (lease != null) steps.push(lease);
  const lane = findLane(db, laneId);
  if (!lane || stopOf(lane)) {
    // What still waits here is given up.
    if (db.size('deadlines', laneId) > 0) steps.push(nowMs);
    return earliest(steps);
  }

  const health = healthOf(db, laneId);
  const state = stateOf(lane, health);
  const start = nextStart(db, lane, nowMs);
  if (start) steps.push(start.atMs);
  const deadline = db.first('deadlines', laneId)?.deadlineAtMs;
  if (deadline !== undefined) steps.push(deadline);
  // An inline event is sent at its time, or given up.
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
