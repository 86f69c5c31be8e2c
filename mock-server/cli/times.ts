import { parseInstant } from '../store/instant.ts';

/**
 * Parses an instant.
 * @returns ISO 8601, in UTC
 * @throws {RangeError} with a readable message
 */
export function readInstant(text: string): string {
  const [, date, time] = /^(\S+) (\S+) UTC$/.exec(text) ?? [];
  // A time that the command has printed can be typed again.
  const atMs = parseInstant(date === undefined ? text : `${date}T${time}Z`);
  if (atMs !== null) return new Date(atMs).toISOString();
  throw new RangeError(
    `Invalid instant "${text}": use a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z`,
  );
}

/** Milliseconds in each unit, longest first. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/**
 * Parses a duration such as `500ms`, `90s`, `10m` or `1h30m`.
 * @returns milliseconds
 * @throws {RangeError} with a readable message
 */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|d|h|m|s)/g)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * msIn(unit), 0);
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  if (isWhole && Number.isSafeInteger(ms)) return ms;
  throw new RangeError(
    `Invalid duration "${text}": use a number with a unit, such as 500ms, 90s, 10m, 24h or 1h30m`,
  );
}

/** Formats milliseconds in the form that `parseDuration` reads: `9m58s`. */
export function toDuration(ms: number): string {
  let rest = ms;
  let text = '';
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}

function msIn(unit: string | undefined): number {
  return UNITS.find(([name]) => name === unit)?.[1] ?? Number.NaN;
}
