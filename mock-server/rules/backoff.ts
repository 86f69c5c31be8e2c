import {
  BACKOFF_BASE_MS,
  BACKOFF_CAP_MS,
  INLINE_WAITS_MS,
  JITTER_FLOOR,
  TIMEOUT_GRID_MS,
} from './webhook-limits.ts';

/**
 * Returns the wait after the n-th failure. It doubles up to a cap, and jitter only shortens it, so it never
 * exceeds the cap.
 * @param salt The input of the jitter, different for each wait. The service's randomness is not used,
 *   because the retries of one endpoint must not depend on how often another one was tried.
 */
export function toBackoffMs(failures: number, salt: string): number {
  // The exponent is limited, because 2^20 is already far beyond the cap and 2^n would reach Infinity.
  const doublings = Math.min(Math.max(0, failures - 1), 20);
  const cappedMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** doublings);
  return Math.round(cappedMs * (JITTER_FLOOR + (1 - JITTER_FLOOR) * toFraction(salt)));
}

/**
 * Returns the time at which a timeout event is due again after its n-th failure. The delay doubles and is
 * at least the receiver's `Retry-After`. The time is rounded up to the five-second grid.
 */
export function toTimeoutRetryMs(nowMs: number, failures: number, retryAfterMs: number): number {
  const doublings = Math.min(Math.max(0, failures - 1), 20);
  return toGrid(nowMs + Math.max(BACKOFF_BASE_MS * 2 ** doublings, retryAfterMs));
}

/** Rounds a time up to the five-second grid. */
export function toGrid(atMs: number): number {
  return Math.ceil(atMs / TIMEOUT_GRID_MS) * TIMEOUT_GRID_MS;
}

/** Returns the wait after an inline event's n-th failure. */
export function toInlineWaitMs(failures: number): number {
  return INLINE_WAITS_MS[Math.min(failures, INLINE_WAITS_MS.length) - 1] ?? 0;
}

/** Hashes a text to a number in [0, 1) with FNV-1a and a final mix. */
function toFraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  // FNV alone maps texts that differ only in their last letter to neighbouring numbers.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
