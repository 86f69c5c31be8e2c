import type { Db } from '../core/db.ts';
import { toGrid } from './backoff.ts';
import { addSuccess, healthOf, isFailing } from './health.ts';
import type { Lane } from './lanes.ts';

/**
 * Records a success. If it ends a failing run, all waiting retries become due, because the receiver was
 * down for all of them. Any other success does not change the backoff of other events, because a receiver
 * that refuses one event for its content must not get that event again after every success.
 */
export function recordSuccess(db: Db, lane: Lane, nowMs: number): void {
  const wasFailing = isFailing(healthOf(db, lane.id));
  addSuccess(db, lane.id, nowMs);
  if (wasFailing) releaseRetries(db, lane.id, nowMs);
}

/** Makes waiting retries due now, and timeout events at the next point of their five-second grid. */
function releaseRetries(db: Db, laneId: string, nowMs: number): void {
  for (const delivery of db.queued('retries', laneId)) {
    const nextAtMs = delivery.policy === 'timeout' ? toGrid(nowMs) : nowMs;
    if (delivery.nextAtMs > nextAtMs) db.put('deliveries', { ...delivery, nextAtMs });
  }
}
