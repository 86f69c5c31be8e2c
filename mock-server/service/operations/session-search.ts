import * as v from 'valibot';
import type {
  SessionCounts,
  SessionResource,
  SessionSearch,
  SessionStatistics,
  SessionStatisticsFilter,
} from '../../api/sessions.ts';
import { isLabSession } from '../../doctor/records.ts';
import type { Db } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import { toIso, toIsoOrNull } from '../../store/instant.ts';
import type { SessionRow } from '../../store/rows.ts';
import { count, instant, instantOrNull, text } from '../schemas/values.ts';
import { createTextMatch, toMatch } from './lists.ts';

// Which sessions match a filter, and how many there are.

/** Returns a function that checks everything that a filter restricts, except the period. */
export function createSessionMatch(filter: SessionSearch): (session: SessionRow) => boolean {
  const { tenantId, pairId, status, externalUserId, reason, labs = true } = filter;
  const isTextFound = createTextMatch(filter.text);
  return (session) =>
    (tenantId === undefined || session.tenantId === tenantId) &&
    (pairId === undefined || session.pairId === pairId) &&
    (status === undefined || toStatus(session) === status) &&
    (externalUserId === undefined || session.externalUserId === externalUserId) &&
    (reason === undefined || session.reason === reason) &&
    isTextFound([session.id], [session.externalUserId]) &&
    (labs || !isLabSession(session));
}

/** Returns a function that tells whether a session was created in the filter's period. */
export function createPeriodMatch(
  filter: Pick<SessionSearch, 'from' | 'to'>,
): (session: Pick<SessionRow, 'createdAtMs'>) => boolean {
  const fromMs = filter.from === undefined ? -Infinity : Date.parse(filter.from);
  const toMs = filter.to === undefined ? Infinity : Date.parse(filter.to);
  return ({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs;
}

export function toStatus({ status }: Pick<SessionRow, 'status'>): SessionResource['status'] {
  return status.toLowerCase() as SessionResource['status'];
}

const sessionCounts = v.strictObject({
  pending: count,
  verified: count,
  failed: count,
  cancelled: count,
  expired: count,
});

const rate = v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1)));

export const sessionStatistics = v.strictObject({
  total: count,
  counts: sessionCounts,
  completionRate: rate,
  passRate: rate,
  medianMs: v.nullable(v.number()),
  reasons: v.array(v.strictObject({ reason: text, count })),
  previousTotal: v.nullable(count),
  steps: v.array(v.strictObject({ from: instant, total: count, counts: sessionCounts })),
  oldestAt: instantOrNull,
});

/** Counts the sessions that match a filter, and those of the period before it. */
export function countSessions(
  db: Db,
  filter: SessionStatisticsFilter,
  nowMs: number,
): SessionStatistics {
  const match = toMatch('tenantId', filter.tenantId);
  const rows = [...(db.newest('sessions', { match }) ?? [])].filter(createSessionMatch(filter));
  const found = rows.filter(createPeriodMatch(filter));
  const counts = countStatuses(found);
  const { verified, failed, pending } = counts;
  return {
    total: found.length,
    counts,
    completionRate: toShare(verified + failed, found.length - pending),
    passRate: toShare(verified, verified + failed),
    medianMs: toMedianMs(found),
    reasons: countReasons(found),
    previousTotal: countPrevious(rows, filter, nowMs),
    steps: toSteps(found, filter, nowMs),
    oldestAt: toIsoOrNull(
      rows.reduce<number | null>(
        (oldestMs, { createdAtMs }) => Math.min(oldestMs ?? createdAtMs, createdAtMs),
        null,
      ),
    ),
  };
}

function countStatuses(sessions: readonly SessionRow[]): SessionCounts {
  const counts = { pending: 0, verified: 0, failed: 0, cancelled: 0, expired: 0 };
  for (const session of sessions) counts[toStatus(session)] += 1;
  return counts;
}

function toShare(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function toMedianMs(sessions: readonly SessionRow[]): number | null {
  const durations = sessions
    .flatMap((session) => {
      const status = toStatus(session);
      const hasResult = status === 'verified' || status === 'failed';
      const { createdAtMs, settledAtMs } = session;
      return hasResult && settledAtMs !== null ? [settledAtMs - createdAtMs] : [];
    })
    .sort((a, b) => a - b);
  const middle = durations.length / 2;
  const [low, high] = [durations[Math.ceil(middle) - 1], durations[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function countReasons(sessions: readonly SessionRow[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const session of sessions) {
    const { reason } = session;
    if (toStatus(session) !== 'failed' || reason === null) continue;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .map(([reason, found]) => ({ reason, count: found }))
    .sort((a, b) => b.count - a.count);
}

function countPrevious(
  rows: readonly SessionRow[],
  { from, to }: SessionStatisticsFilter,
  nowMs: number,
): number | null {
  if (from === undefined) return null;
  const fromMs = Date.parse(from);
  const lengthMs = (to === undefined ? nowMs : Date.parse(to)) - fromMs;
  if (lengthMs <= 0) return null;
  return rows.filter(({ createdAtMs }) => createdAtMs >= fromMs - lengthMs && createdAtMs < fromMs)
    .length;
}

const MAX_STEPS = 1_000;

/** Divides the sessions of the period into steps. */
function toSteps(
  found: readonly SessionRow[],
  { from, to, stepMs }: SessionStatisticsFilter,
  nowMs: number,
): SessionStatistics['steps'] {
  if (stepMs === undefined) return [];
  if (from === undefined)
    throw refuse('stepMs needs from, the time at which the first step begins');
  const fromMs = Date.parse(from);
  // A step without `to` contains the present.
  const endMs = to === undefined ? nowMs + 1 : Date.parse(to);
  const length = Math.max(0, Math.ceil((endMs - fromMs) / stepMs));
  if (length > MAX_STEPS)
    throw refuse(`stepMs must divide the period into at most ${MAX_STEPS} steps, got ${length}`);
  const groups = Array.from({ length }, (): SessionRow[] => []);
  for (const session of found) {
    const step = Math.floor((session.createdAtMs - fromMs) / stepMs);
    groups[Math.min(step, length - 1)]?.push(session);
  }
  return groups.map((group, index) => ({
    from: toIso(fromMs + index * stepMs),
    total: group.length,
    counts: countStatuses(group),
  }));
}

function refuse(sentence: string): ServiceError {
  return new ServiceError('invalid_body', sentence, [sentence]);
}
