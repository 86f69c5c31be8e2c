import type { DeliveryRow } from '../../../../mock-server/store/rows.ts';
import { groupBy, type Place } from './durable-rows.ts';
import { DAY, type History, HOUR, SECOND } from './history.ts';
import { forgets, gateOf, isFailing, type LaneModel, type Pacing } from './lane-model.ts';
import type { Report } from './report.ts';
import type { SentAttempt } from './sent-attempts.ts';

/** Checks P1, P2, P4, P5 and the limit of eight requests in flight of P7, in the order of the log's entries. */
export function checkPacing(history: History, report: Report, lane: LaneModel): void {
  for (const { step, before } of lane.steps) {
    if (step.kind === 'start' && step.one.delivery)
      checkStart(history, report, lane, step.one, before);
  }
  checkLoad(history, report, lane);
}

function checkStart(
  history: History,
  report: Report,
  { attempts }: LaneModel,
  one: SentAttempt,
  pacing: Pacing,
): void {
  const { failures, holdMs } = pacing;
  const { sent, claimed } = one;
  const where = `${one.url} at ${history.formatTime(sent.atMs)}`;
  // The end of a test in the same commit may come before or after this claim.
  const isAmbiguous = attempts.some(
    (other) => !other.delivery && other.recorded?.commit === claimed.commit,
  );
  const inFlight = attempts.filter(
    (other) =>
      other.sent.no < sent.no &&
      other.endMs > sent.atMs &&
      // A test no longer counts after its URL was changed.
      (other.delivery || !wasForgotten(history, attempts, other.claimed, claimed)),
  );
  if (holdMs > 0) report.saw('P4');
  if (sent.atMs < holdMs)
    report.fail('P4', `${where}: the receiver asked for ${history.formatTime(holdMs)}`);
  if (isAmbiguous) return;
  if (inFlight.length >= 8) report.fail('P7', `${where}: ${inFlight.length + 1} at once`);
  if (!isFailing(pacing)) return;
  report.saw('P1');
  report.saw('P2');
  const gateMs = gateOf(pacing);
  if (sent.atMs < gateMs)
    report.fail(
      'P2',
      `${where}: the gate opens at ${history.formatTime(gateMs)} after ${failures} failures`,
    );
  if (inFlight.length > 0)
    report.fail('P1', `${where}: ${inFlight.length} already in flight after ${failures} failures`);
}

function wasForgotten(
  history: History,
  attempts: readonly SentAttempt[],
  from: Place,
  to: Place,
): boolean {
  return forgets(history, attempts).some(({ order }) => order > from.order && order < to.order);
}

/** Checks P5 between two successes, or since a change that cleared the pacing state. */
function checkLoad(history: History, report: Report, { attempts, url }: LaneModel): void {
  const breaks = [
    ...forgets(history, attempts),
    ...attempts.flatMap(({ verdict, recorded }) =>
      verdict === 'ok' && recorded ? [recorded] : [],
    ),
  ];
  const segmentOf = ({ claimed }: SentAttempt): number =>
    breaks.filter(({ order }) => order < claimed.order).length;
  const own = attempts.filter(({ delivery }) => delivery);
  for (const segment of groupBy(own, segmentOf).values()) {
    let from = 0;
    const most = beginsWithRejection(segment) ? 240 : 190;
    for (const [at, { sent }] of segment.entries()) {
      while (segment[from]!.sent.atMs <= sent.atMs - DAY) from += 1;
      const count = at - from + 1;
      const began = segment[from]!.sent.atMs;
      // Requests in flight at a crash are sent again and do not count as failures.
      const crashes = history.trace.crashes.filter(
        ({ atMs }) => atMs >= began && atMs <= sent.atMs,
      );
      if (count >= 100) report.saw('P5');
      if (count > most + 8 * crashes.length)
        return report.fail('P5', `${url}: ${count} requests in a day`);
    }
  }
}

function beginsWithRejection(segment: readonly SentAttempt[]): boolean {
  const [first, ...rest] = segment
    .filter(({ recorded }) => recorded !== null)
    .toSorted((a, b) => a.recorded!.order - b.recorded!.order);
  if (!first) return false;
  return [first, ...rest].some(
    ({ verdict, recorded }) => verdict === 'reject' && recorded!.atMs === first.recorded!.atMs,
  );
}

/**
 * Checks P9: each request sends the delivery whose turn it is, and the health counts every failed request.
 */
export function checkOrder(history: History, report: Report, lane: LaneModel): void {
  const { owner, url, line, steps } = lane;
  for (const { step, before } of steps) {
    if (step.kind !== 'start' || !step.one.delivery) continue;
    const waiting = line.flatMap((states) => {
      const row = states.findLast(({ order }) => order < step.place.order)?.row;
      return row?.status === 'pending' && row.leaseUntilMs === null ? [row] : [];
    });
    checkTurn(history, report, { one: step.one, place: step.place, waiting, pacing: before });
  }
  for (const { commit, atMs, row, url: of } of history.health.get(owner) ?? []) {
    if (!row || of !== url) continue;
    const failures = steps.findLast(({ step }) => step.place.commit <= commit)?.after.failures ?? 0;
    if (row.consecutiveFailures !== failures)
      report.fail(
        'P9',
        `${url} has ${row.consecutiveFailures} failures at ${history.formatTime(atMs)} instead of ${failures}`,
      );
  }
}

interface Turn {
  readonly one: SentAttempt;
  readonly place: Place;
  /** The deliveries that were waiting before this one was claimed. */
  readonly waiting: readonly DeliveryRow[];
  readonly pacing: Pacing;
}

function checkTurn(history: History, report: Report, { one, place, waiting, pacing }: Turn): void {
  const states = history.deliveries.get(one.delivery!.id)!;
  // The claim has counted the attempt already.
  const claimed = history.at(states, place.commit)?.row;
  if (!claimed || waiting.length < 2) return;
  if (isFailing(pacing)) report.saw('P9');
  const isUntried = claimed.attempts - 1 <= claimed.baseAttempts;
  const untried = waiting.filter(({ attempts, baseAttempts }) => attempts <= baseAttempts);
  // A request that ends after an hour of rejections may be the last one, so it is no turn of the old ones.
  const { rejectingMs } = pacing;
  const isLast = rejectingMs !== null && place.atMs + 15 * SECOND >= rejectingMs + HOUR;
  const isOldTurn = isFailing(pacing) && pacing.failures % 4 === 0 && !isLast;
  // After a crash, the row may have lost its lease and got another one in the same commit.
  const hasUntried = isUntried || untried.length > 0;
  const times = (isOldTurn || !hasUntried ? waiting : untried).map(({ nextAtMs }) => nextAtMs);
  const isNewestTurn = isFailing(pacing) && !isOldTurn && hasUntried;
  const dueMs = isNewestTurn ? Math.max(...times) : Math.min(...times);
  const where = `${one.url} at ${history.formatTime(one.sent.atMs)}`;
  if (hasUntried && !isOldTurn && !isUntried)
    return report.fail('P9', `${where}: a retry was sent while ${untried.length} are untried`);
  if (isNewestTurn ? claimed.nextAtMs < dueMs : claimed.nextAtMs > dueMs)
    report.fail(
      'P9',
      `${where}: sent the delivery of ${history.formatTime(claimed.nextAtMs)} instead of ${history.formatTime(dueMs)}, after ${pacing.failures} failures`,
    );
}

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
 * Checks P10. A process that is the only one on its log takes back what the earlier one had in flight, because
 * no other process is sending. P3 and P7 see that it then sends what is due.
 */
export function checkRestarts(history: History, report: Report, { url, line }: LaneModel): void {
  const { scenario, crashes, endMs, log } = history.trace;
  if (scenario.isShared) return;
  for (const [n, { upMs }] of crashes.entries()) {
    // The next crash may come in the same millisecond.
    if (upMs > endMs || crashes[n + 1]?.atMs === upMs) continue;
    const last = log.findLastIndex(({ process }) => process === n);
    for (const states of line) {
      const left = history.at(states, last);
      if (!left || left.row.leaseUntilMs === null) continue;
      report.saw('P10');
      if (history.at(states, history.commitAt(upMs)) === left)
        report.fail('P10', `${url} waits for a lease after ${history.formatTime(upMs)}`);
    }
  }
}
