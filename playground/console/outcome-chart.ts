import { formatHour, formatWeekday } from '../../mock-server/words/times.ts';

/** The time span of a chart: the last hour in steps of 5 minutes, 24 hours in hours, or 7 days in days, in UTC. */
export type Span = 'hour' | 'hours' | 'days';

export const SPANS: Readonly<Record<Span, { readonly stepMs: number; readonly count: number }>> = {
  hour: { stepMs: 300_000, count: 12 },
  hours: { stepMs: 3_600_000, count: 24 },
  days: { stepMs: 86_400_000, count: 7 },
};

/**
 * Returns the shortest span that has the oldest session, so that the chart of a few sessions is not empty.
 * @param oldestAt ISO 8601
 */
export function chooseSpan(oldestAt: string, nowMs: number): Span {
  const spans = ['hour', 'hours'] as const;
  return spans.find((span) => toSpanStartMs(span, nowMs) <= Date.parse(oldestAt)) ?? 'days';
}

/** Returns the start of the chart's first step. */
export function toSpanStartMs(span: Span, nowMs: number): number {
  const { stepMs, count } = SPANS[span];
  return (Math.floor(nowMs / stepMs) - count + 1) * stepMs;
}

/** Formats the start of a step as `14:00` or `Sat 21 Nov`. */
export function toStepName(startMs: number, span: Span): string {
  return span === 'days' ? formatWeekday(startMs) : formatHour(startMs);
}

/** The possible distances between two lines of a scale, to be multiplied by a power of ten. */
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10];

/**
 * Returns the values of the scale's lines, from 0 to at least `max`. They are whole numbers, and there are
 * at most six of them.
 */
export function toScale(max: number): number[] {
  const most = Math.max(1, max);
  const least = most / 5;
  const power = Math.max(1, 10 ** Math.floor(Math.log10(least)));
  const step = (STEPS.find((one) => one * power >= least) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}
