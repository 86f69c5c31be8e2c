/** An instant in a table: to the second, in UTC, as short as can be read. */
export function toShort(iso: string | null): string | null {
  return iso === null ? null : iso.slice(0, 19).replace('T', ' ');
}

/**
 * Reads an instant. A time of day without its zone would mean another instant on another machine.
 * @returns ISO 8601, in UTC
 * @throws {RangeError} with a sentence
 */
export function parseInstant(text: string): string {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/i;
  const atMs = form.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return new Date(atMs).toISOString();
  throw new RangeError(
    `An instant is a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "${text}"`,
  );
}
