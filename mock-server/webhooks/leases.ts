import type { Db } from '../core/db.ts';
import type { DeliveryRow } from '../core/tables.ts';
import { giveUp } from './deliveries.ts';

/** A delivery without a lease. */
export const NO_LEASE = { leaseUntilMs: null, leaseToken: null } as const;

/**
 * Takes back the deliveries of dead holders, so that they are sent again: at least once.
 * @param untilMs Leases that end later are left to their holders. Infinity takes all of them.
 */
export function reclaimLeases(db: Db, laneId: string, untilMs: number, nowMs: number): void {
  for (;;) {
    const delivery = db.first('leases', laneId);
    if (!delivery || (delivery.leaseUntilMs ?? 0) > untilMs) return;
    const released = loseAttempt(db, delivery, nowMs);
    // Its request may have been answered; an inline event is not repeated for that.
    if (released.status === 'pending' && released.policy === 'inline')
      giveUp(db, released, 'lost', nowMs);
  }
}

/** Closes the attempts of a holder that did not come back from them. The schedule does not count them. */
function loseAttempt(db: Db, delivery: DeliveryRow, nowMs: number): DeliveryRow {
  for (const attempt of db.find('attempts', 'deliveryId', delivery.id)) {
    if (attempt.finishedAtMs !== null) continue;
    db.put('attempts', { ...attempt, finishedAtMs: nowMs, outcome: 'lost' });
  }
  return db.put('deliveries', {
    ...delivery,
    ...NO_LEASE,
    baseAttempts: delivery.baseAttempts + 1,
  });
}
