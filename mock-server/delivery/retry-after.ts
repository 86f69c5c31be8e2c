import { RETRY_AFTER_MAX_MS } from '../rules/webhook-limits.ts';

/**
 * Reads a `Retry-After` header: whole seconds or an HTTP date. Null when there is none, or it is neither; a
 * date in the past is 0.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  // Date.parse takes almost anything for a date; RFC 9110 wants one that starts with a day's name.
  const atMs = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, atMs - nowMs), RETRY_AFTER_MAX_MS);
}
