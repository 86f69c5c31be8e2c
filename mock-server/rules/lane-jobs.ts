import type { Db } from '../store/db.ts';
import { findLane, healthOf, stopOf } from './lanes.ts';
import { isTesting, nextStart, pauseTimerMs } from './pacing.ts';

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
  const start = nextStart(db, lane, nowMs);
  if (start) steps.push(start.atMs);
  const deadline = db.first('deadlines', laneId)?.deadlineAtMs;
  if (deadline !== undefined) steps.push(deadline);
  if (isTesting(health, nowMs) && health.testUntilMs !== null) steps.push(health.testUntilMs);
  const timer = pauseTimerMs(lane, health);
  if (timer !== null) steps.push(timer);
  return earliest(steps);
}

function earliest(steps: readonly number[]): number | null {
  return steps.length === 0 ? null : Math.min(...steps);
}
