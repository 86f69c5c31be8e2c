import { type History, SECOND } from './history.ts';
import { gateOf, isFailing, type LaneModel, type Pacing } from './lane-model.ts';
import { matches } from './receivers.ts';
import type { Report } from './report.ts';
import type { SentAttempt } from './sent-attempts.ts';

/**
 * Checks P3 and P7: no delivery that is due waits, unless its lane waits for a gate, for a `Retry-After` or
 * for the end of a request. The service needs two milliseconds at most, because the next job of a lane is due
 * a millisecond later.
 */
export function checkProgress(history: History, report: Report, lane: LaneModel): void {
  const free = freeSpans(history, lane);
  for (const states of lane.line) {
    for (const [at, { row, atMs }] of states.entries()) {
      if (row.status !== 'pending' || row.leaseUntilMs !== null) continue;
      const dueMs = Math.max(atMs, row.nextAtMs);
      const endMs = Math.min(states[at + 1]?.atMs ?? history.trace.endMs, row.deadlineAtMs);
      const span = free.find(
        ({ fromMs, toMs }) => Math.min(toMs, endMs) - Math.max(fromMs, dueMs) > 2,
      );
      if (span)
        report.fail(
          span.isFailing ? 'P3' : 'P7',
          `${lane.url}: a delivery that was due at ${history.formatTime(dueMs)} still waits at ${history.formatTime(Math.max(span.fromMs, dueMs) + 2)}, although a request may start`,
        );
      const isReleased = lane.steps.some(
        ({ before, after, step }) =>
          isFailing(before) &&
          !isFailing(after) &&
          step.place.atMs >= dueMs &&
          step.place.atMs <= endMs,
      );
      if (isReleased) report.saw('P7');
    }
  }
  for (const one of lane.attempts) checkDue(history, report, one);
}

/** Checks P3: after a failure, a delivery is due within the longest wait of its policy, or its `Retry-After`. */
function checkDue(history: History, report: Report, one: SentAttempt): void {
  const { delivery, recorded, n, isInline, retryAfterMs, url } = one;
  if (!delivery || !recorded) return;
  const row = history.at(history.deliveries.get(delivery.id), recorded.commit)?.row;
  if (row?.status !== 'pending' || row.leaseUntilMs !== null) return;
  const isTimeout = row.policy === 'timeout';
  const backoffMs = isInline ? n * SECOND : 5 * SECOND * 2 ** Math.min(n - 1, 20);
  const longestMs = Math.max(
    isTimeout ? backoffMs : Math.min(600 * SECOND, backoffMs),
    retryAfterMs,
  );
  if (longestMs > 60 * SECOND) report.saw('P3');
  // Retries of a timeout event are due on a grid of five seconds.
  const latestMs = recorded.atMs + longestMs + (isTimeout ? 5 * SECOND : 0);
  if (row.nextAtMs > latestMs)
    report.fail(
      'P3',
      `${url}: attempt ${n + 1} is due at ${history.formatTime(row.nextAtMs)}, after ${history.formatTime(latestMs)}`,
    );
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface FreeSpan extends Span {
  readonly isFailing: boolean;
}

/** Returns the periods in which the lane may start a request, while nothing interferes. */
function freeSpans(
  history: History,
  { owner, attempts, line, steps }: LaneModel,
): readonly FreeSpan[] {
  const { trace } = history;
  const disturbed: readonly Span[] = [
    // Another process may still use the lease of a request until it ends.
    ...trace.crashes.map(({ atMs, upMs }) => ({
      fromMs: atMs,
      toMs: trace.scenario.isShared ? upMs + SECOND : upMs,
    })),
    ...attempts.flatMap(({ delivery, sent, endMs }) =>
      delivery
        ? []
        : [{ fromMs: sent.atMs, toMs: sent.isOrphan ? sent.atMs + 30 * SECOND : endMs }],
    ),
    ...(history.configs.get(owner) ?? []).map(({ atMs }) => ({ fromMs: atMs, toMs: atMs })),
  ];
  const changes = [
    ...steps.map(({ step, after }) => ({ ...step.place, pacing: after, leased: null })),
    ...line.flatMap((states) =>
      states.map(({ row, ...place }, at) => {
        const was = states[at - 1]?.row.leaseUntilMs != null;
        const leased = Number(row.leaseUntilMs !== null) - Number(was);
        return { ...place, pacing: null, leased };
      }),
    ),
    // After each disturbance, the lane is checked again.
    ...disturbed.map(({ toMs }) => {
      const commit = history.commitAt(toMs + 1);
      return {
        commit,
        atMs: toMs + 1,
        order: commit * 65_536 + 65_535,
        pacing: null,
        leased: null,
      };
    }),
  ].sort((a, b) => a.order - b.order);

  const free: FreeSpan[] = [];
  let leased = 0;
  let pacing: Pacing | null = null;
  for (const [at, change] of changes.entries()) {
    leased += change.leased ?? 0;
    pacing = change.pacing ?? pacing;
    const toMs = changes[at + 1]?.atMs ?? trace.endMs;
    const gateMs = pacing !== null && isFailing(pacing) ? gateOf(pacing) : null;
    const most = gateMs === null ? 8 : 1;
    const fromMs = Math.max(change.atMs, pacing?.holdMs ?? 0, gateMs ?? 0);
    if (leased >= most || toMs - fromMs <= 2 || !isSending(history, owner, change.commit)) continue;
    if (disturbed.some((span) => span.fromMs <= toMs && span.toMs >= fromMs)) continue;
    free.push({ fromMs, toMs, isFailing: gateMs !== null });
  }
  return free;
}

function isSending(history: History, owner: string, commit: number): boolean {
  return history.configAt(owner, commit)?.enabled === true && !history.isPausedAt(owner, commit);
}

/** Checks P11: an event that the receiver accepts arrives, although it refuses others. */
export function checkArrival(
  { trace, deliveries, sessions, events }: History,
  report: Report,
): void {
  if (!trace.scenario.expectsArrival) return;
  report.saw('P11');
  const refused = (trace.scenario.endpoints[0]?.segments[0] ?? []).flatMap(
    ({ exception }) => exception?.events ?? [],
  );
  for (const states of deliveries.values()) {
    const { row } = states.at(-1)!;
    const event = events.get(row.eventId)!;
    if (event.kind === 'session.started' || !sessions.has(event.sessionId)) continue;
    const bodyText = `{"event":"${event.kind}","data":{"sessionId":"${event.sessionId}"}}`;
    if (refused.some((match) => matches(match, bodyText))) continue;
    if (row.status !== 'delivered')
      report.fail(
        'P11',
        `${row.url}: the accepted event ${event.id} is ${row.status} ${row.reason}`,
      );
  }
}
