import { NEVER } from './states.ts';

// The formats of times in the command and on the pages. All are in UTC, as in the API and the logs of a
// server, so that the same moment reads the same everywhere. The hosted page is an exception: shoppers see
// the time of their own zone, in their language (`playground/verify/page.ts`).

/** A time of the API in ISO 8601, or milliseconds since the epoch. */
type Instant = string | number;

/** Formats a time as `2026-11-28 08:18:34 UTC`. Null is a time that has not come. */
export function formatTime(at: Instant | null): string {
  return at === null ? NEVER : `${formatTimeInUtc(at)} UTC`;
}

/** Formats a time as `2026-11-28 08:18:34`, for a column or a field whose name says UTC. */
export function formatTimeInUtc(at: Instant | null): string {
  return at === null ? NEVER : `${formatDate(at)} ${formatTimeOfDay(at)}`;
}

/** Formats a time as `2026-11-28 08:18:34.123 UTC`, where milliseconds matter. */
export function formatPreciseTime(at: Instant): string {
  return `${formatDate(at)} ${formatPreciseTimeOfDay(at)} UTC`;
}

/** Formats the date of a time as `2026-11-28`. */
export function formatDate(at: Instant): string {
  return toIso(at).slice(0, 10);
}

/** Formats the time of day as `08:18:34`, for a place that says UTC. */
export function formatTimeOfDay(at: Instant): string {
  return toIso(at).slice(11, 19);
}

/** Formats the time of day as `08:18:34.123`, for a place that says UTC. */
export function formatPreciseTimeOfDay(at: Instant): string {
  return toIso(at).slice(11, 23);
}

/** Formats the hour of a chart as `14:00`. */
export function formatHour(at: Instant): string {
  return toIso(at).slice(11, 16);
}

/** Formats the day of a chart as `Sat 21 Nov`. */
export function formatWeekday(at: Instant): string {
  return WEEKDAY.format(Date.parse(toIso(at)));
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Formats a time as the value of a field of a browser: `2026-11-28T08:18`. */
export function toFieldValue(at: Instant): string {
  return toIso(at).slice(0, 16);
}

function toIso(at: Instant): string {
  return new Date(at).toISOString();
}
