import { groupBy, type DeliveryState, type Place } from './durable-rows.ts';
import { DAY, SECOND, type History } from './history.ts';
import type { SentAttempt } from './sent-attempts.ts';
import type { Report } from './report.ts';

/** Checks I1, I3, I5, I6, I7 and I12: how deliveries end, and how often they are attempted before. */
export function checkEnds(history: History, report: Report): void {
  const attempts = groupBy(history.attempts, ({ delivery }) => delivery?.id ?? '');
  for (const [id, states] of history.deliveries) {
    const own = attempts.get(id) ?? [];
    const series = history.seriesOf(id);
    const { row } = states.at(-1)!;
    const name = `${row.policy} ${row.url} of ${history.formatTime(row.createdAtMs)}`;
    const delivery = { history, report, states, series, own, name };
    checkVerdict(delivery);
    checkGrid(delivery);
    checkDay(delivery);
    checkSeries(delivery);
    checkCopies(delivery);
  }
}

interface Delivery {
  readonly history: History;
  readonly report: Report;
  /** The states of the delivery's row, oldest first. */
  readonly states: readonly DeliveryState[];
  /** The first delivery and each redelivery. */
  readonly series: readonly Place[];
  /** The attempts of this delivery. */
  readonly own: readonly SentAttempt[];
  /** The delivery's name in the report of a failure. */
  readonly name: string;
}

function checkVerdict({ history, report, states, own, name }: Delivery): void {
  const { trace } = history;
  const { row } = states.at(-1)!;
  if (row.policy !== 'inline' && trace.crashes.length > 0) report.saw('I1');
  if (row.status === 'pending' && trace.endMs >= row.deadlineAtMs)
    report.fail('I1', `${name} is still pending`);
  if (row.status === 'undelivered' && row.reason === null)
    report.fail('I1', `${name} has no reason`);
  if (row.reason === 'lost' && !history.wasCutShort(row.id))
    report.fail('I12', `${name} is lost, but no request was in flight`);

  const oks = own.filter(({ verdict }) => verdict === 'ok');
  if (oks.length > 0) report.saw('I3');
  if (row.status === 'delivered' && oks.length === 0)
    report.fail('I3', `${name} is delivered, but no receiver accepted it`);
  for (const { recorded, sent } of oks) {
    if (!recorded) continue;
    // A delivered event must stay delivered.
    const isDelivered = states.every(
      (state) => state.commit < recorded.commit || state.row.status === 'delivered',
    );
    if (!isDelivered) report.fail('I3', `${name} is ${row.status} after the 2xx of #${sent.no}`);
  }
}

/** Retries of a timeout event are due on the grid, even if the end of a failing run brings them forward. */
function checkGrid({ report, states, name }: Delivery): void {
  for (const { row } of states) {
    const isRetry = row.policy === 'timeout' && row.attempts > row.baseAttempts;
    const isWaiting = row.status === 'pending' && row.leaseUntilMs === null;
    if (isRetry && isWaiting && row.nextAtMs % 5_000 !== 0)
      report.fail('I6', `${name} is due off the grid`);
  }
}

function checkDay({ history, report, states, series, own, name }: Delivery): void {
  const isInline = history.events.get(states[0]!.row.eventId)?.kind === 'session.started';
  const endAt = (commit: number): number => {
    const at = series.findLastIndex((one) => one.commit <= commit);
    // After a redelivery, a session.started has a day like all other events.
    return (series[at]?.atMs ?? 0) + (isInline && at === 0 ? 10 * 60 * SECOND : DAY);
  };
  for (const { sent, claimed } of own) {
    if (sent.atMs >= endAt(claimed.commit)) report.fail('I5', `${name} was sent too late`);
  }
  for (const [at, { row, commit, atMs }] of states.entries()) {
    if (row.reason !== 'expired' || states[at - 1]?.row.reason === 'expired') continue;
    report.saw('I5');
    const endMs = endAt(commit);
    if (atMs < endMs) report.fail('I5', `${name} expired too early`);
    // A delivery may expire later if a request is in flight, or if the process died during one.
    const graceMs = endMs + 31 * SECOND;
    // Crashes may follow each other, so it must have been down at each moment.
    const upMs = history.trace.crashes.reduce(
      (until, crash) => (crash.atMs <= until ? Math.max(until, crash.upMs + 31 * SECOND) : until),
      graceMs,
    );
    const isExcused = upMs >= atMs;
    if (atMs > graceMs && !isExcused)
      report.fail('I5', `${name} expired at ${history.formatTime(atMs)}, long after its end`);
  }
}

function checkSeries({ history, report, states, series, own, name }: Delivery): void {
  const { row } = states.at(-1)!;
  const isInline = history.events.get(row.eventId)?.kind === 'session.started';
  for (const [at, { order }] of series.entries()) {
    const next = series[at + 1];
    const attempts = own.filter(
      ({ claimed }) => claimed.order > order && claimed.order < (next?.order ?? Infinity),
    );
    // After a redelivery an inline event is attempted like a durable one.
    const isShort = isInline && at === 0;
    if (row.policy !== 'timeout' && !isShort) continue;
    const max = isShort ? 3 : history.trace.scenario.timeoutAttempts;
    const recorded = attempts.filter((one) => one.recorded !== null);
    if (recorded.length > max) report.fail('I6', `${name} was attempted ${recorded.length} times`);
    if (attempts.length > max + history.trace.crashes.length)
      report.fail('I6', `${name} was sent ${attempts.length} times`);
    // Lost attempts do not count.
    if (!next && row.reason === 'attempts' && recorded.length !== max)
      report.fail('I6', `${name} was abandoned after ${recorded.length} of ${max} attempts`);
    if (isShort) checkInline(report, recorded, name);
  }
}

function checkInline(report: Report, recorded: readonly SentAttempt[], name: string): void {
  if (recorded.some(({ verdict }) => verdict !== 'ok')) report.saw('I12');
  for (const [at, one] of recorded.entries()) {
    const before = recorded[at - 1];
    if (!before) continue;
    if (before.verdict === 'reject') report.fail('I12', `${name} was repeated after a rejection`);
    const waitedMs = one.sent.atMs - before.recorded!.atMs;
    if (waitedMs < [1, 2][at - 1]! * SECOND) report.fail('I12', `${name} waited ${waitedMs} ms`);
  }
}

function checkCopies({ history: { trace }, report, own, name }: Delivery): void {
  const handled = own.filter(({ sent }) => sent.isHandled);
  if (handled.length === 0) return;
  report.saw('I7');
  const crashed = handled.filter(({ recorded, sent }) => recorded === null || sent.isOrphan);
  const broken = handled.filter((one) => !crashed.includes(one) && one.verdict !== 'ok');
  if (handled.length > 1 + crashed.length + broken.length)
    report.fail('I7', `${name} was received ${handled.length} times`);
  if (crashed.length > trace.crashes.length)
    report.fail('I7', `${name}: ${crashed.length} copies in ${trace.crashes.length} crashes`);
}
