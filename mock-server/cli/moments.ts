import { parseInstant } from '../store/instant.ts';

/** Formats an instant for a table: in UTC, without fractions of a second. */
export function toShort(iso: string | null): string | null {
  return iso === null ? null : iso.slice(0, 19).replace('T', ' ');
}

/**
 * Parses an instant.
 * @returns ISO 8601, in UTC
 * @throws {RangeError} with a readable message
 */
export function readInstant(text: string): string {
  const atMs = parseInstant(text);
  if (atMs !== null) return new Date(atMs).toISOString();
  throw new RangeError(
    `Invalid instant "${text}": use a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z`,
  );
}
