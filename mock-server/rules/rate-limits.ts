import type { Db } from '../store/db.ts';
import type { TenantRow } from '../store/tables.ts';
import type { Operation } from './keys.ts';

/** Length of the window of both rate limits, from the interface specification. */
export const WINDOW_MS = 60_000;

export const DEFAULT_RATE_LIMITS = { create: 300, validate: 100 } as const;

/** The state of the account's rate limit after a request, as the response headers report it. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window resets, if the request is over the limit; otherwise null. */
  readonly retryAfterMs: number | null;
}

/**
 * Counts a request against the account's limit for the operation. The window is fixed and starts with its
 * first request. A refused request does not count.
 */
export function countRequest(
  db: Db,
  tenant: TenantRow,
  operation: Operation,
  nowMs: number,
): Quota {
  const limit = tenant.rateLimits[operation];
  const id = `${tenant.id}:${operation}`;
  const known = db.get('rateWindows', id);
  const isOpen = known !== undefined && nowMs < known.startedAtMs + WINDOW_MS;
  const { startedAtMs, count } = isOpen ? known : { startedAtMs: nowMs, count: 0 };
  if (count >= limit) {
    return { limit, remaining: 0, retryAfterMs: startedAtMs + WINDOW_MS - nowMs };
  }
  db.put('rateWindows', { id, startedAtMs, count: count + 1 });
  return { limit, remaining: limit - count - 1, retryAfterMs: null };
}

/** Returns a new account's full quota, for a request that is not counted or whose account is unknown. */
export function untouchedQuota(operation: Operation): Quota {
  const limit = DEFAULT_RATE_LIMITS[operation];
  return { limit, remaining: limit, retryAfterMs: null };
}
