import type { DeliveryRow } from '../../../../mock-server/store/tables.ts';
import { groupBy } from './durable-rows.ts';
import { SECOND, type History } from './history.ts';
import type { SentAttempt } from './sent-attempts.ts';
import { gateOf, type LaneModel } from './lane-model.ts';
import type { Report } from './report.ts';

/**
 * Checks P7b and I6: each event waits for its own backoff, no matter how the receiver responds to other
 * events. Because every single wait is long enough, no event has more attempts in any period than its
 * backoff allows.
 */
export function checkBackoff(history: History, report: Report, lane: LaneModel): void {
  const retried = lane.attempts.filter(({ delivery, isInline }) => delivery && !isInline);
  const seriesOf = ({ delivery, claimed }: SentAttempt): string => {
    const series = history.seriesOf(delivery!.id);
    return `${delivery!.id}/${series.filter(({ order }) => order < claimed.order).length}`;
  };
  for (const series of groupBy(retried, seriesOf).values())
    checkSeries(history, report, lane, series);
}

function checkSeries(
  history: History,
  report: Report,
  lane: LaneModel,
  series: readonly SentAttempt[],
): void {
  let failures = 0;
  let before: SentAttempt | null = null;
  for (const one of series) {
    if (before) checkWait(history, report, lane, before, failures, one);
    // A lost attempt does not change the backoff.
    if (!one.recorded) continue;
    failures += 1;
    before = one;
  }
}

function checkWait(
  history: History,
  report: Report,
  lane: LaneModel,
  before: SentAttempt,
  failures: number,
  one: SentAttempt,
): void {
  const { atMs } = before.recorded!;
  const { sent } = one;
  const what = `${one.delivery!.policy} ${lane.url}: attempt ${failures + 1}`;
  if (one.delivery!.policy === 'timeout') {
    report.saw('I6');
    const asked = Math.max(before.retryAfterMs, 5 * SECOND * 2 ** (failures - 1));
    const earliestMs = Math.ceil((atMs + asked) / 5_000) * 5_000;
    if (sent.atMs < earliestMs)
      report.fail(
        'I6',
        `${what} at ${history.formatTime(sent.atMs)}, but is due at ${history.formatTime(earliestMs)}`,
      );
    if (sent.atMs % 5_000 !== 0 && !wasDelayed(history, lane, one))
      report.fail('I6', `${what} is off the grid, at ${history.formatTime(sent.atMs)}`);
    return;
  }
  if (succeededBetween(lane, before, one)) report.saw('P7b');
  const backoffMs = 0.85 * Math.min(600, 5 * 2 ** Math.min(failures - 1, 20)) * SECOND;
  // Allow for rounding.
  const earliestMs = atMs + Math.max(backoffMs, before.retryAfterMs) - 1;
  if (sent.atMs < earliestMs)
    report.fail(
      'P7b',
      `${what} was sent ${sent.atMs - atMs} ms after the last failure, but its backoff is ${backoffMs} ms`,
    );
}

/** Tells whether another event of the endpoint was accepted between the two attempts. */
function succeededBetween({ attempts }: LaneModel, from: SentAttempt, to: SentAttempt): boolean {
  return attempts.some(
    ({ verdict, recorded }) =>
      verdict === 'ok' &&
      recorded !== null &&
      recorded.order > from.recorded!.order &&
      recorded.order < to.claimed.order,
  );
}

/**
 * Tells whether something that can delay a request ended when this one was sent: another request, a lease,
 * the gate, a Retry-After, a crash or an operation.
 */
function wasDelayed(history: History, lane: LaneModel, { owner, url, sent }: SentAttempt): boolean {
  const { trace, attempts } = history;
  const isNow = (atMs: number | null): boolean => atMs !== null && Math.abs(atMs - sent.atMs) <= 1;
  const isFreed = attempts.some(
    (other) => other.owner === owner && other.url === url && isNow(other.recorded?.atMs ?? null),
  );
  if (isFreed || trace.crashes.some(({ upMs }) => isNow(upMs))) return true;
  if (trace.operations.some(({ atMs }) => isNow(atMs))) return true;
  if (lane.steps.some(({ after }) => isNow(after.holdMs) || isNow(Math.ceil(gateOf(after)))))
    return true;
  return trace.log.some(({ changes }, commit) =>
    changes.some(([table, , row]) => {
      // This is the lease of a process that died, perhaps before it had sent anything.
      if (table !== 'deliveries' || row === null) return false;
      const { endpointId, leaseUntilMs, url: to } = row as DeliveryRow;
      return to === url && isNow(leaseUntilMs) && history.ownerOf(endpointId, commit) === owner;
    }),
  );
}
