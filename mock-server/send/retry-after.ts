import { RETRY_AFTER_MAX_MS } from '../rules/webhook-limits.ts';

/**
 * Parses a `Retry-After` header: whole seconds or an HTTP date, in any of the three forms of RFC 9110,
 * 5.6.7. Returns milliseconds, at most an hour. The result is 0 for a date in the past, and null if the
 * header is missing or invalid.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  const atMs = parseHttpDate(text);
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, atMs - nowMs), RETRY_AFTER_MAX_MS);
}

/**
 * Parses an HTTP date. The form is checked first, because `Date.parse` accepts almost anything. All three
 * forms begin with the name of a day.
 */
function parseHttpDate(text: string): number {
  if (/^[A-Z][a-z]{2,8}, /.test(text)) return Date.parse(text);
  // The form of asctime() is in UTC, but does not say so.
  if (/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text))
    return Date.parse(`${text} GMT`);
  return Number.NaN;
}
