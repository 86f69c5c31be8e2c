/**
 * The service's clock in its last response. Deadlines follow it, because the shopper's clock may be wrong.
 */
export interface ServiceTime {
  readonly serviceMs: number;
  readonly receivedAtMs: number;
  /**
   * True if the service's clock has not moved since the previous response, because it is frozen. The
   * countdown must not run then.
   */
  readonly isFrozen: boolean;
}

export function updateServiceTime(
  before: ServiceTime | null,
  now: string,
  localMs: number,
): ServiceTime {
  const serviceMs = Date.parse(now);
  return { serviceMs, receivedAtMs: localMs, isFrozen: before?.serviceMs === serviceMs };
}

/** Returns the milliseconds until `expiresAt`, never below 0. */
export function remainingMs(time: ServiceTime, expiresAt: string, localMs: number): number {
  const elapsedMs = time.isFrozen ? 0 : localMs - time.receivedAtMs;
  return Math.max(0, Date.parse(expiresAt) - time.serviceMs - elapsedMs);
}

/** Formats a duration as `9:05`. Rounds up, so that 0:00 means that the time is over. */
export function toMinutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Returns the number of minutes to announce to screen readers, rounded up as in the visible countdown. It
 * is 0 in the last minute, and `null` while more than five minutes are left.
 */
export function toMinutesToSay(leftMs: number): number | null {
  if (leftMs < 60_000) return 0;
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes <= 5 ? minutes : null;
}
