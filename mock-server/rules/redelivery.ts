import type { Redelivery } from '../api/endpoints.ts';
import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { getCurrentLane, healthOf, type Lane, lanesOf, planLane, stateOf } from './lanes.ts';
import { DELIVERY_WINDOW_MS, REDELIVERY_BATCH, REDELIVERY_WINDOW_MS } from './webhook-limits.ts';

/**
 * Queues the oldest undelivered events of the last seven days again for another day, with the same id,
 * bytes and address.
 * @throws {ServiceError} conflict if `mayRedeliver` is false
 */
export function redeliver(db: Db, endpointId: string, nowMs: number): Redelivery {
  const lane = getCurrentLane(db, endpointId);
  if (!mayRedeliver(db, lane)) {
    const why = WHY[stateOf(lane, healthOf(db, lane.id))];
    throw new ServiceError(
      'conflict',
      `Cannot redeliver: ${why}. Try again once the endpoint has accepted a request`,
    );
  }

  const missing = db
    .queued('undelivered', endpointId)
    .filter(({ createdAtMs }) => createdAtMs >= nowMs - REDELIVERY_WINDOW_MS)
    .sort((a, b) => a.createdAtMs - b.createdAtMs);
  const batch = missing.slice(0, REDELIVERY_BATCH);
  for (const delivery of batch) {
    db.put('deliveries', {
      ...delivery,
      status: 'pending',
      // A redelivered inline event is no longer urgent, so it gets the retries of a durable one.
      policy: delivery.policy === 'inline' ? 'durable' : delivery.policy,
      baseAttempts: delivery.attempts,
      nextAtMs: nowMs,
      deadlineAtMs: nowMs + DELIVERY_WINDOW_MS,
      undeliveredAtMs: null,
      reason: null,
      redeliveryNo: delivery.redeliveryNo + 1,
    });
  }
  for (const { id } of lanesOf(db, endpointId)) planLane(db, id, nowMs);
  return { queued: batch.length, remaining: missing.length - batch.length };
}

/**
 * Tells whether the endpoint is healthy and has accepted the last request to this address. Otherwise old
 * events would fail again.
 */
export function mayRedeliver(db: Db, lane: Lane): boolean {
  const health = healthOf(db, lane.id);
  return stateOf(lane, health) === 'healthy' && health.isLastSuccess === true;
}

const WHY = {
  healthy: 'the last request to the current URL was not accepted, or none was sent yet',
  failing: 'the endpoint keeps failing',
  paused: 'the endpoint is paused',
  disabled: 'the endpoint is disabled',
} as const;
