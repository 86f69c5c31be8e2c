/** The service's clock as last heard, by which deadlines count: the shopper's own may be wrong. */
export interface ServiceTime {
  readonly serviceMs: number;
  readonly heardAtMs: number;
  /** A test may have stopped the service's clock; then ours must not run on either. */
  readonly isFrozen: boolean;
}

export function hearServiceTime(
  before: ServiceTime | null,
  now: string,
  localMs: number,
): ServiceTime {
  const serviceMs = Date.parse(now);
  return { serviceMs, heardAtMs: localMs, isFrozen: before?.serviceMs === serviceMs };
}

/** Milliseconds until `expiresAt`, never below 0. */
export function remainingMs(time: ServiceTime, expiresAt: string, localMs: number): number {
  const elapsedMs = time.isFrozen ? 0 : localMs - time.heardAtMs;
  return Math.max(0, Date.parse(expiresAt) - time.serviceMs - elapsedMs);
}

/** `9:05`. Rounded up, so that 0:00 means over. */
export function toMinutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * The minutes to read out: the last five, each when it begins, and 0 within the last one; `null` while
 * there is more. Rounded up as what is shown, so that a page that comes up in between says no less.
 */
export function toMinutesToSay(leftMs: number): number | null {
  if (leftMs < 60_000) return 0;
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes <= 5 ? minutes : null;
}
