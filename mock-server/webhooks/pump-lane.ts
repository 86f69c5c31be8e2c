import type { Db } from '../core/db.ts';
import { claimDelivery, type Claim } from './attempts.ts';
import { giveUp, sweepLane } from './deliveries.ts';
import { healthOf } from './health.ts';
import { planLane } from './lane-jobs.ts';
import { findLane, stateOf, type Lane } from './lanes.ts';
import { reclaimLeases } from './leases.ts';
import type { Moment } from '../core/moment.ts';
import { mustDropInline, nextStart } from './next-start.ts';
import { pauseByTimer } from './pauses.ts';
import { SWEEP_BATCH } from './webhook-limits.ts';

/** Does everything that is due on a lane, and returns the attempts that are now to be made. */
export function pumpLane(db: Db, laneId: string, moment: Moment): Claim[] {
  const { nowMs } = moment;
  reclaimLeases(db, laneId, nowMs, nowMs);
  expire(db, laneId, nowMs);
  pauseByTimer(db, laneId, nowMs);
  sweepLane(db, laneId, nowMs);
  const lane = findLane(db, laneId);
  const claims = lane ? startDue(db, lane, moment) : [];
  if (lane) giveUpInline(db, lane, nowMs);
  // The next millisecond, for what is left of a sweep: at this one the job has run.
  planLane(db, laneId, nowMs, nowMs + 1);
  return claims;
}

function expire(db: Db, laneId: string, nowMs: number): void {
  for (let expired = 0; expired < SWEEP_BATCH; expired += 1) {
    const delivery = db.first('deadlines', laneId);
    if (!delivery || nowMs < delivery.deadlineAtMs) return;
    giveUp(db, delivery, 'expired', nowMs);
  }
}

function startDue(db: Db, lane: Lane, moment: Moment): Claim[] {
  const claims: Claim[] = [];
  for (;;) {
    const start = nextStart(db, lane, moment.nowMs);
    if (!start || start.atMs > moment.nowMs) return claims;
    // A backlog that is given up in parts: what is over is never sent.
    if (start.delivery.deadlineAtMs <= moment.nowMs) return claims;
    const claim = claimDelivery(db, lane, start.delivery, moment);
    if (claim) claims.push(claim);
  }
}

/** An inline event belongs to its moment: it does not queue up behind a receiver in trouble. */
function giveUpInline(db: Db, lane: Lane, nowMs: number): void {
  const health = healthOf(db, lane.id);
  const state = stateOf(lane, health);
  if (!mustDropInline(state, health, nowMs)) return;
  for (;;) {
    const delivery = db.first('inline', lane.id);
    if (!delivery || delivery.nextAtMs > nowMs) return;
    giveUp(db, delivery, state === 'failing' ? 'failing' : 'retry_after', nowMs);
  }
}
