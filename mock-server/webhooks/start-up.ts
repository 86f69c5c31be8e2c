import type { Db } from '../core/db.ts';
import { adoptEarlierState } from './earlier-state.ts';
import { planLane } from './lane-jobs.ts';
import { reclaimLeases } from './leases.ts';

/**
 * Takes over what an earlier run left.
 * @param isAlone No other holder of the state is alive. Whatever was under way died with the earlier run, so
 * it is taken back at once. With other holders, as tabs have, a lease may be that of a request which is still
 * on the wire, so it has to run out.
 */
export function takeOverDeliveries(db: Db, isAlone: boolean, nowMs: number): void {
  adoptEarlierState(db, nowMs);
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

/** Nobody waits for the result of a test that was under way, and it must not take up a place. */
function endTests(db: Db): void {
  const tested = [...db.all('endpointHealth')].filter(({ testUntilMs }) => testUntilMs !== null);
  for (const health of tested)
    db.put('endpointHealth', { ...health, testToken: null, testUntilMs: null });
}
