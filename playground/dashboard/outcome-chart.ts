import { countStatuses, type Status, STATUSES, type StatusCounts } from './outcomes.ts';

/** How much a chart covers: the last 24 hours by the hour, or the last 7 days by the day. UTC. */
export type Span = 'hours' | 'days';

export const SPANS: Readonly<Record<Span, { readonly stepMs: number; readonly count: number }>> = {
  hours: { stepMs: 3_600_000, count: 24 },
  days: { stepMs: 86_400_000, count: 7 },
};

/** The sessions that began in one hour, or on one day. */
export interface Bucket {
  readonly startMs: number;
  readonly counts: StatusCounts;
  readonly total: number;
}

/** The sessions that a chart shows. */
export function inSpan<S extends { readonly createdAt: string }>(
  sessions: readonly S[],
  span: Span,
  nowMs: number,
): S[] {
  const { stepMs, count } = SPANS[span];
  const startMs = (Math.floor(nowMs / stepMs) - count + 1) * stepMs;
  return sessions.filter(({ createdAt }) => Date.parse(createdAt) >= startMs);
}

/** Sorts sessions by when they began; the last bucket is the one that now is in. Older ones are left out. */
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
    // One that began while the page was loading is not of tomorrow.
    const step = Math.min(lastStep, Math.floor(Date.parse(session.createdAt) / stepMs));
    steps[step - firstStep]?.push(session);
  }
  return steps.map((inside, index) => ({
    startMs: (firstStep + index) * stepMs,
    counts: countStatuses(inside),
    total: inside.length,
  }));
}

/** `14:00`, or `Sat 21 Nov`. */
export function toBucketName(startMs: number, span: Span): string {
  return (span === 'hours' ? HOUR : DAY).format(startMs);
}

const HOUR = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

export interface Bar {
  readonly bucket: Bucket;
  readonly x: number;
  readonly width: number;
  readonly parts: readonly {
    readonly status: Status;
    readonly y: number;
    readonly height: number;
  }[];
}

export interface Drawing {
  readonly bars: readonly Bar[];
  /** Where the lines of the scale are, and what they stand for; the lowest one first. */
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
}

/** Lays the bars out on a field of that size, whose origin is at the top left. */
export function drawBars(buckets: readonly Bucket[], width: number, height: number): Drawing {
  const top = toRoundTop(Math.max(0, ...buckets.map(({ total }) => total)));
  const slot = width / Math.max(1, buckets.length);
  const bars = buckets.map((bucket, index) => {
    let y = height;
    const parts = STATUSES.filter((status) => bucket.counts[status] > 0).map((status) => {
      const partHeight = (bucket.counts[status] / top) * height;
      y -= partHeight;
      return { status, y, height: partHeight };
    });
    return { bucket, x: slot * index + slot * 0.14, width: slot * 0.72, parts };
  });
  const ticks = [0, top / 2, top].map((value) => ({ y: height - (value / top) * height, value }));
  return { bars, ticks };
}

/** The end of the scale: even, so that its middle is a whole number. */
export function toRoundTop(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [1, 2, 4, 6, 8, 10].map((step) => step * power);
  const top = steps.find((step) => step >= most) ?? power * 10;
  return top % 2 === 0 ? top : top + 1;
}
