import type { Db } from '../store/db.ts';
import { planLane } from './lane-jobs.ts';
import { reclaimLeases } from './leases.ts';

/**
 * Continues the deliveries of an earlier run.
 * @param isAlone True if no other process or tab uses this state. All leases are then from the earlier run
 *   and are released at once. Otherwise a lease may belong to a request that is still in flight, so it must
 *   expire.
 */
export function takeOverDeliveries(db: Db, isAlone: boolean, nowMs: number): void {
  const lanes = new Set<string>();
  for (const { status, leaseUntilMs, lane } of db.all('deliveries')) {
    if (status === 'pending' || leaseUntilMs !== null) lanes.add(lane);
  }
  if (isAlone) {
    endTests(db);
    for (const lane of lanes) reclaimLeases(db, lane, Infinity, nowMs);
  }
  for (const lane of lanes) planLane(db, lane, nowMs);
}

/** Ends the tests that an earlier run had in flight, because they would count as parallel requests. */
function endTests(db: Db): void {
  const tested = [...db.all('endpointHealth')].filter(({ testUntilMs }) => testUntilMs !== null);
  for (const health of tested)
    db.put('endpointHealth', { ...health, testToken: null, testUntilMs: null });
}
