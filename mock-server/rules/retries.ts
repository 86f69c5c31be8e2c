import type { Db } from '../store/db.ts';
import type { DeliveryRow } from '../store/tables.ts';
import { toBackoffMs, toInlineWaitMs, toTimeoutRetryMs } from './backoff.ts';
import { giveUp } from './deliveries.ts';
import type { Failure } from './pacing.ts';
import { timeoutAttemptsOf } from './tenants.ts';
import { INLINE_ATTEMPTS } from './webhook-limits.ts';

/**
 * Schedules the retry of a failed delivery by its policy, or ends the delivery. Its deadline is not
 * checked here: the lane's job handles it for all deliveries.
 */
export function scheduleRetry(
  db: Db,
  delivery: DeliveryRow,
  failure: Failure,
  nowMs: number,
): void {
  const failures = delivery.attempts - delivery.baseAttempts;
  const { retryAfterMs } = failure;
  const retryAt = (nextAtMs: number): void => void db.put('deliveries', { ...delivery, nextAtMs });

  switch (delivery.policy) {
    case 'durable': {
      const backoffMs = toBackoffMs(failures, `${delivery.id}:${delivery.attempts}`);
      return retryAt(nowMs + Math.max(backoffMs, retryAfterMs));
    }
    case 'timeout':
      if (failures >= timeoutAttemptsOf(db, delivery.tenantId))
        return giveUp(db, delivery, 'attempts', nowMs);
      return retryAt(toTimeoutRetryMs(nowMs, failures, retryAfterMs));
    case 'inline':
      if (failure.class === 'reject') return giveUp(db, delivery, 'rejected', nowMs);
      if (failures >= INLINE_ATTEMPTS) return giveUp(db, delivery, 'attempts', nowMs);
      return retryAt(nowMs + Math.max(toInlineWaitMs(failures), retryAfterMs));
  }
}
