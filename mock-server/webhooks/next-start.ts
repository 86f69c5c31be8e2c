import type { Db } from '../core/db.ts';
import type { DeliveryRow, EndpointHealthRow, QueueName } from '../core/tables.ts';
import { failedRequestsOf, healthOf } from './health.ts';
import { stateOf, type Lane, type LaneState } from './lanes.ts';
import { INLINE_PATIENCE_MS } from './webhook-limits.ts';

/** Which delivery a lane tries next, and when. */
export interface Start {
  readonly delivery: DeliveryRow;
  readonly atMs: number;
}

/**
 * The pacing of a lane, in one place. Null when nothing may start before something else happens: the end of
 * a request, a test, an operator.
 */
export function nextStart(db: Db, lane: Lane, nowMs: number): Start | null {
  const health = healthOf(db, lane.id);
  const holdMs = health.holdUntilMs ?? 0;
  const gateMs = Math.max(holdMs, health.gateAtMs ?? 0);
  const underWay = db.size('leases', lane.id) + (isTesting(health, nowMs) ? 1 : 0);
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
      if (underWay >= health.ramp) return null;
      return earliest(head('fresh', holdMs), head('inline', holdMs), head('retries', holdMs));
    case 'degraded': {
      // Each failed request takes a place until one succeeds: a dead endpoint with a backlog gets no more
      // than a dozen requests before it counts as failing.
      if (underWay >= Math.max(1, health.ramp - failedRequestsOf(health))) return null;
      // New events still go; retries take turns. Those of an inline event are over in seconds.
      const retry = db.size('retrying', lane.id) === 0 ? head('retries', gateMs) : null;
      return earliest(head('fresh', holdMs), head('inline', holdMs), retry);
    }
    case 'failing':
      if (underWay > 0) return null;
      return earliest(head('fresh', gateMs), head('inline', gateMs), head('retries', gateMs));
  }
}

/** Whether an inline event that is due now had to wait longer than it may. */
export function mustDropInline(
  state: LaneState,
  health: EndpointHealthRow,
  nowMs: number,
): boolean {
  return state === 'failing' || (health.holdUntilMs ?? 0) > nowMs + INLINE_PATIENCE_MS;
}

/** Whether a test event is under way, which takes up a place. */
export function isTesting({ testUntilMs }: EndpointHealthRow, nowMs: number): boolean {
  return testUntilMs !== null && nowMs < testUntilMs;
}

/** The one that may start first; of several, the one that has been due longest, so that none is starved. */
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
