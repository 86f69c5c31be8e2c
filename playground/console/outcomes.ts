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

export type StatusCounts = Readonly<Record<Status, number>>;

export interface OutcomeSummary {
  readonly counts: StatusCounts;
  readonly total: number;
  /** The share of the ended sessions that have a result, or null if no session has ended. */
  readonly completionRate: number | null;
  /** The share of the results that are passes, or null if no session has a result. */
  readonly passRate: number | null;
}

export function summarise(sessions: readonly { readonly status: Status }[]): OutcomeSummary {
  const counts = countStatuses(sessions);
  const { verified, failed, pending } = counts;
  const total = sessions.length;
  return {
    counts,
    total,
    completionRate: share(verified + failed, total - pending),
    passRate: share(verified, verified + failed),
  };
}

export function countStatuses(sessions: readonly { readonly status: Status }[]): StatusCounts {
  const counts = { verified: 0, failed: 0, cancelled: 0, expired: 0, pending: 0 };
  for (const { status } of sessions) counts[status] += 1;
  return counts;
}

/** Formats a rate as `67%`, or as a dash if it is null. */
export function toPercent(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(rate * 100)}%`;
}

/**
 * Returns the median time from the creation of a session to its result, or null if no session has a result.
 */
export function medianDurationMs(
  sessions: readonly Pick<SessionResource, 'status' | 'createdAt' | 'settledAt'>[],
): number | null {
  const durations = sessions
    .filter(({ status }) => status === 'verified' || status === 'failed')
    .flatMap(({ createdAt, settledAt }) =>
      settledAt === null ? [] : [Date.parse(settledAt) - Date.parse(createdAt)],
    )
    .sort((a, b) => a - b);
  const middle = durations.length / 2;
  const [low, high] = [durations[Math.ceil(middle) - 1], durations[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Counts the failed sessions by reason, the most frequent reason first. */
export function countReasons(
  sessions: readonly Pick<SessionResource, 'status' | 'reason'>[],
): readonly (readonly [reason: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { status, reason } of sessions) {
    if (status === 'failed' && reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/**
 * Compares a number with that of the previous period, for example `12% more than the day before`. Returns
 * an empty string if the previous number is 0.
 */
export function describeChange(now: number, before: number, period: string): string {
  if (before === 0) return '';
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return `as many as ${period}`;
  return `${Math.abs(change)}% ${change > 0 ? 'more' : 'fewer'} than ${period}`;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
