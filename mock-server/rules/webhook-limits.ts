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
export const JITTER_FLOOR = 0.85;

/** The number of attempts for a timeout event, unless the account sets another number. Specified. */
export const TIMEOUT_ATTEMPTS = 3;
export const TIMEOUT_ATTEMPTS_MAX = 10;

/** The grid of timeout events: retries start on multiples of this. Specified. */
export const TIMEOUT_GRID_MS = 5_000;

/** The number of attempts for an inline event. Specified. */
export const INLINE_ATTEMPTS = 3;

/** The waits between the attempts of an inline event. */
export const INLINE_WAITS_MS: readonly number[] = [1_000, 2_000];

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

/** One more redirect ends the attempt with the error `too_many_redirects`. */
export const MAX_REDIRECTS = 5;

/**
 * The maximum number of deliveries of a lane that are ended at a time, so that ending 100,000 of them does
 * not delay requests. Enabling or resuming an endpoint has no such limit.
 */
export const SWEEP_BATCH = 1_000;
