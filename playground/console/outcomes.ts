import { NONE } from '../../mock-server/words/states.ts';

/** Formats a rate as `67%`. Null means that there is nothing to count. */
export function toPercent(rate: number | null): string {
  return rate === null ? NONE : `${Math.round(rate * 100)}%`;
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
