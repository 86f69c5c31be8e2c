import {
  BACKOFF_BASE_MS,
  BACKOFF_CAP_MS,
  INLINE_WAITS_MS,
  JITTER_FLOOR,
  TIMEOUT_GRID_MS,
} from './webhook-limits.ts';

/**
 * How long to wait after the n-th failure: doubling, capped, and then shortened by jitter, so that nothing
 * ever exceeds the cap.
 * @param salt What makes this wait differ from others. Not the service's randomness: one endpoint's retries
 * must not depend on how often another one was tried.
 */
export function toBackoffMs(failures: number, salt: string): number {
  // 2^20 is far beyond the cap, and 2^n would one day be Infinity.
  const doublings = Math.min(Math.max(0, failures - 1), 20);
  const cappedMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** doublings);
  return Math.round(cappedMs * (JITTER_FLOOR + (1 - JITTER_FLOOR) * toFraction(salt)));
}

/** When a timeout event is due again after its n-th failure: the delay doubles, on the five-second grid. */
export function toTimeoutRetryMs(nowMs: number, failures: number, retryAfterMs: number): number {
  const doublings = Math.min(Math.max(0, failures - 1), 20);
  return toGrid(nowMs + Math.max(BACKOFF_BASE_MS * 2 ** doublings, retryAfterMs));
}

/** The next point of the five-second grid, or this instant when it is one. */
export function toGrid(atMs: number): number {
  return Math.ceil(atMs / TIMEOUT_GRID_MS) * TIMEOUT_GRID_MS;
}

/** The wait after an inline event's n-th failure. */
export function toInlineWaitMs(failures: number): number {
  return INLINE_WAITS_MS[Math.min(failures, INLINE_WAITS_MS.length) - 1] ?? 0;
}

/** A number in [0, 1) that looks random, and is always the same for the same text: FNV-1a, then mixed. */
function toFraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  // FNV alone leaves texts that differ in their last letter close together.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
