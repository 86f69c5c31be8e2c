// The limits of webhook delivery, with durations in milliseconds. "Specified" means that the interface
// specification names the value. The other values are our choice and may change.

/**
 * The wall-clock limit of one attempt: name resolution, connection, all redirects and the headers of the
 * last response. Specified.
 */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** The time after which an event is no longer retried. Specified. */
export const DELIVERY_WINDOW_MS = 24 * 3_600_000;

/**
 * The time after which an inline event is not sent any more. A session lasts ten minutes, so the report of
 * its start is useless after that.
 */
export const INLINE_WINDOW_MS = 600_000;

/** The base of the waits of durable and timeout events, which double with each failure. */
export const BACKOFF_BASE_MS = 5_000;

/** The longest backoff of a durable event. Specified. */
export const BACKOFF_CAP_MS = 600_000;

/** The smallest fraction to which jitter shortens a wait. Jitter never makes a wait longer. */
const JITTER_FLOOR = 0.85;

/** The number of attempts for a timeout event, unless the account sets another number. Specified. */
export const TIMEOUT_ATTEMPTS = 3;
export const TIMEOUT_ATTEMPTS_MAX = 10;

/** The grid of timeout events: retries are due on multiples of this. Specified. */
const TIMEOUT_GRID_MS = 5_000;

/** The number of attempts for an inline event. Specified. */
export const INLINE_ATTEMPTS = 3;

/** The waits between the attempts of an inline event. */
const INLINE_WAITS_MS: readonly number[] = [1_000, 2_000];

/** The longest wait for a `Retry-After`. A longer one is shortened to this. Specified. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * The duration of a lease, which is twice the time limit of a request. After it, the process that made the
 * attempt counts as dead.
 */
export const LEASE_MS = 2 * ATTEMPT_TIMEOUT_MS;

/** The maximum age of an event that is redelivered. Specified. */
export const REDELIVERY_WINDOW_MS = 7 * 24 * 3_600_000;

/** The maximum number of events in one redelivery. Specified. */
export const REDELIVERY_BATCH = 500;

/** The duration of unbroken rejections after which an endpoint is paused. Specified. */
export const REJECT_PAUSE_MS = 3_600_000;

/** The duration of failures of any kind after which an endpoint is paused. Specified. */
export const FAIL_PAUSE_MS = 24 * 3_600_000;

/** The failures that a pause needs, because two failures far apart do not mean that all requests fail. */
export const PAUSE_MIN_FAILURES = 3;

/** One more redirect ends the attempt with the error `too_many_redirects`. */
export const MAX_REDIRECTS = 5;

/**
 * The maximum number of deliveries of a lane that are ended at a time, so that ending 100,000 of them does
 * not delay requests. Enabling or resuming an endpoint has no such limit.
 */
export const SWEEP_BATCH = 1_000;

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
