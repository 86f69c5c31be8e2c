import type { Db } from '../store/db.ts';
import type { EndpointHealthRow } from '../store/rows.ts';
import { LEAVE_GRACE_MS } from './hosted-page.ts';
import { planLane } from './lanes.ts';
import { LEASE_MS, RETRY_AFTER_MAX_MS, toGrid } from './webhook-limits.ts';

/**
 * Shortens the waits that would last too long because the computer's clock was set back. A wait after a
 * failure begins again. A time that others know, such as the `expiresAt` of a session, stays as it is.
 */
export function shortenWaits(db: Db, nowMs: number): void {
  // The rows are copied first, because a table must not change during an iteration.
  const lanes = [...db.all('endpointHealth')];
  for (const health of lanes) {
    shortenHealth(db, health, nowMs);
    shortenDeliveries(db, health, nowMs);
    planLane(db, health.id, nowMs);
  }
  const lastMs = nowMs + LEAVE_GRACE_MS;
  const leaves = [...db.all('jobs')].filter(
    ({ kind, dueMs }) => kind === 'leave' && dueMs > lastMs,
  );
  for (const job of leaves) db.put('jobs', { ...job, dueMs: lastMs });
}

/** Returns the time by which the clock was set back since the last failure, as far as it is known. */
function setBackMs({ lastFailureAtMs }: EndpointHealthRow, nowMs: number): number {
  return Math.max(0, (lastFailureAtMs ?? nowMs) - nowMs);
}

function shortenHealth(db: Db, health: EndpointHealthRow, nowMs: number): void {
  const { lastFailureAtMs, failingSinceMs, rejectingSinceMs, holdUntilMs, testUntilMs } = health;
  const byMs = setBackMs(health, nowMs);
  const shortened: EndpointHealthRow = {
    ...health,
    lastFailureAtMs: atMost(lastFailureAtMs, nowMs),
    failingSinceMs: atMost(failingSinceMs, nowMs, byMs),
    rejectingSinceMs: atMost(rejectingSinceMs, nowMs, byMs),
    holdUntilMs: atMost(holdUntilMs, nowMs + RETRY_AFTER_MAX_MS, byMs),
    testUntilMs: atMost(testUntilMs, nowMs + LEASE_MS),
  };
  const columns = Object.keys(shortened) as (keyof EndpointHealthRow)[];
  if (columns.some((column) => shortened[column] !== health[column]))
    db.put('endpointHealth', shortened);
}

function shortenDeliveries(db: Db, health: EndpointHealthRow, nowMs: number): void {
  const { id } = health;
  const byMs = setBackMs(health, nowMs);
  for (const retry of db.queued('retries', id)) {
    const lastMs = Math.max(nowMs, atMost(retry.nextAtMs, nowMs + RETRY_AFTER_MAX_MS, byMs));
    const nextAtMs = retry.policy === 'timeout' ? toGrid(lastMs) : lastMs;
    if (nextAtMs < retry.nextAtMs) db.put('deliveries', { ...retry, nextAtMs });
  }
  for (const claimed of db.queued('leases', id)) {
    const leaseUntilMs = atMost(claimed.leaseUntilMs, nowMs + LEASE_MS);
    if (leaseUntilMs !== claimed.leaseUntilMs) db.put('deliveries', { ...claimed, leaseUntilMs });
  }
}

/** Moves a time back, and further if it is still later than `lastMs`. Null stays null. */
function atMost<T extends number | null>(timeMs: T, lastMs: number, byMs = 0): T {
  return (timeMs === null ? null : Math.min(timeMs - byMs, lastMs)) as T;
}
