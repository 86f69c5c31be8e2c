import type { SessionResource } from 'ofage-mock';

export type Status = SessionResource['status'];

/** The statuses in the order in which a bar is stacked, starting at the bottom. */
export const STATUSES = [
  'verified',
  'failed',
  'cancelled',
  'expired',
  'pending',
] as const satisfies readonly Status[];

/** Formats a rate as `67%`, or as a dash if it is null. */
export function toPercent(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(rate * 100)}%`;
}

/**
 * Compares a number with that of the previous period, for example `12% more than the day before`. Returns
 * an empty string if there is nothing to compare with.
 */
export function describeChange(now: number, before: number | null, period: string): string {
  if (before === null || before === 0) return '';
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return `as many as ${period}`;
  return `${Math.abs(change)}% ${change > 0 ? 'more' : 'fewer'} than ${period}`;
}
