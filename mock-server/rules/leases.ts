import type { Db } from '../store/db.ts';
import type { DeliveryRow } from '../store/tables.ts';
import { giveUp } from './deliveries.ts';

/** The columns of a delivery without a lease. */
export const NO_LEASE = { leaseUntilMs: null, leaseToken: null } as const;

/**
 * Releases the deliveries of dead processes. They are sent again, because an event is delivered at least
 * once. Only inline events are given up.
 * @param untilMs Leases that end later are kept. Infinity releases all of them.
 */
export function reclaimLeases(db: Db, laneId: string, untilMs: number, nowMs: number): void {
  for (;;) {
    const delivery = db.first('leases', laneId);
    if (!delivery || (delivery.leaseUntilMs ?? 0) > untilMs) return;
    const released = loseAttempt(db, delivery, nowMs);
    // The receiver may have received the request, so an inline event is not sent again after a crash.
    if (released.status === 'pending' && released.policy === 'inline')
      giveUp(db, released, 'lost', nowMs);
  }
}

/** Closes the attempts whose process died. They do not count in the retry schedule. */
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
