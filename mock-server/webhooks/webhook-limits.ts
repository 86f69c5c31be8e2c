/**
 * Every number of webhook delivery. Durations are milliseconds. "Specified" is what the interface
 * specification says; the others are ours, and may change.
 */

/** One attempt, by the wall clock: resolve, connect, every redirect, the last response's head. Specified. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** How long an event is tried for. Specified. */
export const DELIVERY_WINDOW_MS = 24 * 3_600_000;

/** The first wait of a durable event; each further one is twice as long, as the grid's five seconds suggest. */
export const BACKOFF_BASE_MS = 5_000;

/** The longest wait. Specified. */
export const BACKOFF_CAP_MS = 600_000;

/** The least share of a wait that jitter leaves; it never adds. */
export const JITTER_FLOOR = 0.85;

/** How often a timeout event is tried unless the account says otherwise. Specified. */
export const TIMEOUT_ATTEMPTS = 3;
export const TIMEOUT_ATTEMPTS_MAX = 10;

/** Retries of timeout events start on multiples of this. Specified. */
export const TIMEOUT_GRID_MS = 5_000;

/** How often an inline event is tried. Specified. */
export const INLINE_ATTEMPTS = 3;

/** The waits between those: short, as somebody may be waiting in a request. */
export const INLINE_WAITS_MS: readonly number[] = [1_000, 2_000];

/** How long an inline event waits for a receiver that asked for patience. */
export const INLINE_PATIENCE_MS = 3_000;

/** The most that a `Retry-After` can ask for. Specified. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/** From so many failures in a row on, one request at a time: more than one inline event makes by itself. */
export const SLOW_AFTER_FAILURES = 5;

/** How many requests a healthy endpoint gets at once. */
export const FULL_RAMP = 8;

/** How long an attempt may hold its delivery before its holder is taken for dead: twice a request's time. */
export const LEASE_MS = 2 * ATTEMPT_TIMEOUT_MS;

/** An endpoint that has only rejected for so long is paused. Specified. */
export const REJECT_PAUSE_MS = 3_600_000;

/** An endpoint that has failed in any way for so long is paused. Specified. */
export const FAIL_PAUSE_MS = 24 * 3_600_000;

/**
 * No pause for fewer failed requests than this: two far apart are not "keeps failing". Each request counts,
 * also when several were under way together.
 */
export const PAUSE_MIN_FAILURES = 3;

/** The oldest event that is redelivered. Specified. */
export const REDELIVERY_WINDOW_MS = 7 * 24 * 3_600_000;

/** The most events of one redelivery. Specified. */
export const REDELIVERY_BATCH = 500;

/** Redirects that are followed. */
export const MAX_REDIRECTS = 5;

/** How many deliveries one transaction gives up, so that 100,000 of them do not hold up requests. */
export const SWEEP_BATCH = 1_000;
