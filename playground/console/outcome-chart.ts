import { countStatuses, type Status, type StatusCounts } from './outcomes.ts';

/** The time span of a chart: the last hour in steps of 5 minutes, 24 hours in hours, or 7 days in days, in UTC. */
export type Span = 'hour' | 'hours' | 'days';

export const SPANS: Readonly<Record<Span, { readonly stepMs: number; readonly count: number }>> = {
  hour: { stepMs: 300_000, count: 12 },
  hours: { stepMs: 3_600_000, count: 24 },
  days: { stepMs: 86_400_000, count: 7 },
};

/** The sessions that were created in one step of the span. */
export interface Bucket {
  readonly startMs: number;
  readonly counts: StatusCounts;
  readonly total: number;
}

/** Returns the shortest span that has all sessions, so that the chart of a few sessions is not empty. */
export function chooseSpan(
  sessions: readonly { readonly createdAt: string }[],
  nowMs: number,
): Span {
  const spans = ['hour', 'hours'] as const;
  return (
    spans.find((span) => filterBySpan(sessions, span, nowMs).length === sessions.length) ?? 'days'
  );
}

/** Returns the start of the chart's first bucket. */
export function toSpanStartMs(span: Span, nowMs: number): number {
  const { stepMs, count } = SPANS[span];
  return (Math.floor(nowMs / stepMs) - count + 1) * stepMs;
}

export function filterBySpan<S extends { readonly createdAt: string }>(
  sessions: readonly S[],
  span: Span,
  nowMs: number,
): S[] {
  const startMs = toSpanStartMs(span, nowMs);
  return sessions.filter(({ createdAt }) => Date.parse(createdAt) >= startMs);
}

/**
 * Returns the sessions of the previous span. It ends one span before `nowMs`, so that both spans are equally
 * long although their last step is incomplete.
 */
export function filterByPreviousSpan<S extends { readonly createdAt: string }>(
  sessions: readonly S[],
  span: Span,
  nowMs: number,
): S[] {
  const { stepMs, count } = SPANS[span];
  const lengthMs = stepMs * count;
  const endMs = nowMs - lengthMs;
  const earlier = sessions.filter(({ createdAt }) => Date.parse(createdAt) <= endMs);
  return filterBySpan(earlier, span, endMs);
}

/**
 * Groups sessions by their creation time. The last bucket contains the current time. Sessions from before
 * the first bucket are left out.
 */
export function toBuckets(
  sessions: readonly { readonly createdAt: string; readonly status: Status }[],
  span: Span,
  nowMs: number,
): Bucket[] {
  const { stepMs, count } = SPANS[span];
  const lastStep = Math.floor(nowMs / stepMs);
  const firstStep = lastStep - count + 1;
  const steps = Array.from({ length: count }, (): { readonly status: Status }[] => []);
  for (const session of sessions) {
    // A session that was created while the page was loading may be newer than `nowMs`. It belongs to the
    // last bucket.
    const step = Math.min(lastStep, Math.floor(Date.parse(session.createdAt) / stepMs));
    steps[step - firstStep]?.push(session);
  }
  return steps.map((inside, index) => ({
    startMs: (firstStep + index) * stepMs,
    counts: countStatuses(inside),
    total: inside.length,
  }));
}

/** Formats the start of a bucket as `14:00` or `Sat 21 Nov`. */
export function toBucketName(startMs: number, span: Span): string {
  return (span === 'days' ? DAY : HOUR).format(startMs);
}

const HOUR = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

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
