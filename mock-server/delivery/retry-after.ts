import { RETRY_AFTER_MAX_MS } from '../webhooks/webhook-limits.ts';

/**
 * Reads a `Retry-After` header: whole seconds or an HTTP date, in any of the three forms of RFC 9110, 5.6.7.
 * Null when there is none, or it is neither; a date in the past is 0.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  const atMs = parseHttpDate(text);
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, atMs - nowMs), RETRY_AFTER_MAX_MS);
}

/** `Date.parse` takes almost anything for a date, so the form is checked first: all three begin with a day's name. */
function parseHttpDate(text: string): number {
  if (/^[A-Z][a-z]{2,8}, /.test(text)) return Date.parse(text);
  // What asctime() writes is in UTC, and does not say so.
  if (/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text))
    return Date.parse(`${text} GMT`);
  return Number.NaN;
}
