import type { Db } from '../core/db.ts';
import type { DeliveryRow } from '../core/tables.ts';
import { toBackoffMs, toInlineWaitMs, toTimeoutRetryMs } from './backoff.ts';
import { giveUp } from './deliveries.ts';
import { timeoutAttemptsOf } from '../accounts/tenants.ts';
import { INLINE_ATTEMPTS, INLINE_PATIENCE_MS } from './webhook-limits.ts';

/**
 * What becomes of a delivery after a failed attempt: tried again when its kind's policy says, or given up.
 * When the day is over is seen by the lane's job, as it is for a delivery that was never tried.
 */
export function scheduleRetry(
  db: Db,
  delivery: DeliveryRow,
  failure: { class: 'reject' | 'fail'; retryAfterMs: number },
  nowMs: number,
): void {
  const failures = delivery.attempts - delivery.baseAttempts;
  const { retryAfterMs } = failure;
  const tryAgainAt = (nextAtMs: number): void =>
    void db.put('deliveries', { ...delivery, nextAtMs });

  switch (delivery.policy) {
    case 'durable': {
      const backoffMs = toBackoffMs(failures, `${delivery.id}:${delivery.attempts}`);
      return tryAgainAt(nowMs + Math.max(backoffMs, retryAfterMs));
    }
    case 'timeout':
      if (failures >= timeoutAttemptsOf(db, delivery.tenantId))
        return giveUp(db, delivery, 'attempts', nowMs);
      return tryAgainAt(toTimeoutRetryMs(nowMs, failures, retryAfterMs));
    case 'inline':
      if (failure.class === 'reject') return giveUp(db, delivery, 'rejected', nowMs);
      if (failures >= INLINE_ATTEMPTS) return giveUp(db, delivery, 'attempts', nowMs);
      if (retryAfterMs > INLINE_PATIENCE_MS) return giveUp(db, delivery, 'retry_after', nowMs);
      return tryAgainAt(nowMs + Math.max(toInlineWaitMs(failures), retryAfterMs));
  }
}
