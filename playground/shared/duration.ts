const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** The accepted spellings of the units, with their length in milliseconds. */
const SPELLINGS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  seconds: 1_000,
  ms: 1,
};

const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/g;

/** An upper limit of about 100 years, which every clock of the playground can display. */
const LONGEST_MS = 366 * 86_400_000 * 100;

/** Formats a duration exactly, for example `9 min 30 s`. */
export function toDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms));
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ') || '0 s';
}

/** Formats the two largest units of a duration, for example `1 d 4 h`, `5 min` or `250 ms`. */
export function toRoughDuration(ms: number): string {
  const left = Math.max(0, Math.round(ms));
  const at = UNITS.findIndex(([, length]) => left >= length);
  const [, large = 1] = UNITS[at] ?? [];
  const [, small = 1] = UNITS[at + 1] ?? [];
  // A duration of at least one second shows no milliseconds.
  const step = large === 1_000 ? large : small;
  return left === 0 ? '0 ms' : toDuration(left - (left % step));
}

/**
 * Parses a duration as people write it: `9m 30s`, `1 h`, `90 seconds`, `9 min 30 s`.
 * @returns the duration in milliseconds
 * @throws RangeError with a message for the user
 */
export function parseDuration(text: string): number {
  const parts = [...text.toLowerCase().matchAll(PART)];
  const isWhole = text.toLowerCase().replaceAll(PART, '').replaceAll(/[\s,]/g, '') === '';
  const exactMs = parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (SPELLINGS[unit] ?? Number.NaN),
    0,
  );
  // 1.1 × 3,600,000 is not a whole number in floating point.
  const ms = Math.round(exactMs);
  const isExact = Math.abs(exactMs - ms) < 0.001;
  if (parts.length > 0 && isWhole && isExact && ms <= LONGEST_MS) return ms;
  throw new RangeError(`Enter a duration such as 90s, 9m 30s or 1h, not "${text}"`);
}
