/** The end of the year 9999. Later times need more digits than most parsers of ISO 8601 accept. */
export const LAST_INSTANT_MS = 253_402_300_799_999;

/** Tells whether a value is a time, in milliseconds since the epoch, that can be formatted. */
export function isInstant(atMs: unknown): atMs is number {
  return Number.isSafeInteger(atMs) && Math.abs(atMs as number) <= LAST_INSTANT_MS;
}

/**
 * The last time of the clock: 1 December 9999. Times that the rules derive from it, such as the deadline of a
 * delivery, are still in the year 9999.
 */
export const LAST_CLOCK_MS = 253_399_622_400_000;

/** Tells whether the clock can show a time. */
export function isClockTime(atMs: unknown): atMs is number {
  return isInstant(atMs) && atMs <= LAST_CLOCK_MS;
}

export function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}

/**
 * The pattern of a date, or of a date and time with its zone. A time that has no zone would depend on the
 * time zone of the machine.
 */
export const INSTANT_PATTERN =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;

/**
 * Parses a text that matches INSTANT_PATTERN to milliseconds since the epoch. Returns null for any other
 * text, and for a day that does not exist.
 */
export function parseInstant(text: string): number | null {
  if (!INSTANT_PATTERN.test(text)) return null;
  const [date = ''] = text.split(/t/i);
  // Date.parse reads 30 February as 2 March.
  const dayMs = Date.parse(date);
  if (Number.isNaN(dayMs) || !new Date(dayMs).toISOString().startsWith(date)) return null;
  const atMs = Date.parse(text.toUpperCase());
  return isInstant(atMs) ? atMs : null;
}
