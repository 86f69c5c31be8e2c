import type { SessionResource } from 'ofage/mock';

export type Status = SessionResource['status'];

/** In the order in which a bar is stacked, from below. */
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
  /** Of the sessions that have ended, the part that ended with a result; null while none has. */
  readonly completionRate: number | null;
  /** Of the results, the part that is a pass; null while there is none. */
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

/** `67 %`, or a dash where there is nothing to divide. */
export function toPercent(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(rate * 100)} %`;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
