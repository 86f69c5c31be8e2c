import type { Db } from '../store/db.ts';
import { claimDelivery, type Claim } from './attempts.ts';
import { giveUp, sweepLane } from './deliveries.ts';
import { planLane } from './lane-jobs.ts';
import { findLane, type Lane } from './lanes.ts';
import { reclaimLeases } from './leases.ts';
import type { Moment } from '../store/moment.ts';
import { nextStart } from './pacing.ts';
import { pauseByTimer } from './pauses.ts';
import { SWEEP_BATCH } from './webhook-limits.ts';

/** Does everything that is due on a lane, and returns the attempts to be made now. */
export function pumpLane(db: Db, laneId: string, moment: Moment): Claim[] {
  const { nowMs } = moment;
  reclaimLeases(db, laneId, nowMs, nowMs);
  expire(db, laneId, nowMs);
  pauseByTimer(db, laneId, nowMs);
  sweepLane(db, laneId, nowMs);
  const lane = findLane(db, laneId);
  const claims = lane ? startDue(db, lane, moment) : [];
  // The next job is due in one millisecond at the earliest, because this millisecond's job is running. It
  // also continues a sweep that has reached its limit.
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
    // In a large backlog, some expired deliveries may not have been ended yet.
    if (start.delivery.deadlineAtMs <= moment.nowMs) return claims;
    const claim = claimDelivery(db, lane, start.delivery, moment);
    if (claim) claims.push(claim);
  }
}
