import type { Db } from '../core/db.ts';
import { giveUp } from './deliveries.ts';
import { planLane } from './lane-jobs.ts';

/**
 * Takes over what an earlier run left. Inline events live in the process that made them: one that was not
 * through is recorded as not delivered, so that nothing is silent.
 * @param isAlone No other holder of the state is alive, so nobody can be sending what is under way. With
 * others, as tabs have, only lanes where nobody is at work are touched.
 */
export function takeOverDeliveries(db: Db, isAlone: boolean, nowMs: number): void {
  addLanes(db);
  const lanes = new Set<string>();
  const left = [];
  for (const delivery of db.all('deliveries')) {
    if (delivery.status !== 'pending' && delivery.leaseUntilMs === null) continue;
    lanes.add(delivery.lane);
    const isIdle = isAlone || db.size('leases', delivery.lane) === 0;
    const isOverdue = isAlone || delivery.nextAtMs + OVERDUE_MS < nowMs;
    if (delivery.policy === 'inline' && delivery.status === 'pending' && isIdle && isOverdue)
      left.push(delivery);
  }
  for (const delivery of left) giveUp(db, delivery, 'lost', nowMs);
  for (const lane of lanes) planLane(db, lane, nowMs);
}

/** Later than this, nobody who is alive has an inline event still before them. */
const OVERDUE_MS = 60_000;

/** A state of an earlier version knows no lanes. */
function addLanes(db: Db): void {
  const old = [...db.all('deliveries')].filter(({ lane }) => lane === undefined);
  for (const delivery of old) db.put('deliveries', { ...delivery, lane: delivery.endpointId });
}
