import type { Db } from '../core/db.ts';
import type { DeliveryRow, EndpointHealthRow, QueueName } from '../core/tables.ts';
import { failedRequestsOf, healthOf } from './health.ts';
import { stateOf, type Lane, type LaneState } from './lanes.ts';
import { INLINE_RETRY_AFTER_MAX_MS } from './webhook-limits.ts';

/** The delivery that a lane sends next, and the time of its start. */
export interface Start {
  readonly delivery: DeliveryRow;
  readonly atMs: number;
}

/**
 * Returns the delivery that may start next in a lane, and its time. Only this function decides the pacing
 * of a lane. Returns null if nothing is queued, if nothing may start before a request or a test ends, or if
 * the endpoint is paused or disabled.
 */
export function nextStart(db: Db, lane: Lane, nowMs: number): Start | null {
  const health = healthOf(db, lane.id);
  const holdMs = health.holdUntilMs ?? 0;
  const gateMs = Math.max(holdMs, health.gateAtMs ?? 0);
  const inFlight = db.size('leases', lane.id) + (isTesting(health, nowMs) ? 1 : 0);
  const head = (queue: QueueName, notBeforeMs: number): Start | null => {
    const delivery = db.first(queue, lane.id);
    return delivery ? { delivery, atMs: Math.max(delivery.nextAtMs, notBeforeMs, nowMs) } : null;
  };

  const state = stateOf(lane, health);
  switch (state) {
    case 'paused':
    case 'disabled':
      return null;
    case 'healthy':
      if (inFlight >= health.ramp) return null;
      return earliest(head('fresh', holdMs), head('inline', holdMs), head('retries', holdMs));
    case 'degraded': {
      // Each failed request reduces the parallel requests by one until one succeeds. A dead endpoint with a
      // backlog gets at most a dozen requests before it counts as failing.
      if (inFlight >= Math.max(1, health.ramp - failedRequestsOf(health))) return null;
      // New events still start, but retries run one at a time. Retries of inline events are not held back,
      // because they end within seconds.
      const retry = db.size('retrying', lane.id) === 0 ? head('retries', gateMs) : null;
      return earliest(head('fresh', holdMs), head('inline', holdMs), retry);
    }
    case 'failing':
      if (inFlight > 0) return null;
      return earliest(head('fresh', gateMs), head('inline', gateMs), head('retries', gateMs));
  }
}

/** Tells whether an inline event that is due now would have to wait too long. */
export function mustDropInline(
  state: LaneState,
  health: EndpointHealthRow,
  nowMs: number,
): boolean {
  return state === 'failing' || (health.holdUntilMs ?? 0) > nowMs + INLINE_RETRY_AFTER_MAX_MS;
}

/** Tells whether a test event is in flight. It counts as a parallel request. */
export function isTesting({ testUntilMs }: EndpointHealthRow, nowMs: number): boolean {
  return testUntilMs !== null && nowMs < testUntilMs;
}

/**
 * Returns the delivery that may start first. If several may start at the same time, it is the one that has
 * been due longest, so that none starves.
 */
function earliest(...starts: readonly (Start | null)[]): Start | null {
  let best: Start | null = null;
  for (const start of starts) {
    if (start && (!best || compare(start, best) < 0)) best = start;
  }
  return best;
}

function compare(a: Start, b: Start): number {
  return a.atMs - b.atMs || a.delivery.nextAtMs - b.delivery.nextAtMs;
}
