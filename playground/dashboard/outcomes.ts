import type { SessionResource } from 'ofage/mock';

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

/** Formats a rate as `67 %`, or as a dash if it is null. */
export function toPercent(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(rate * 100)} %`;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
