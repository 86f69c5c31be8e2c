import type { DeliveryRow, EndpointHealthRow } from '../../../../mock-server/core/tables.ts';
import {
  DAY,
  groupBy,
  SECOND,
  type DeliveryState,
  type History,
  type Place,
  type Try,
} from './history.ts';
import type { Report } from './report.ts';

/** I1, I3, I5, I6, I7: how deliveries end, and how often they are tried before. */
export function checkEnds(history: History, report: Report): void {
  const tries = groupBy(history.tries, ({ delivery }) => delivery?.id ?? '');
  for (const [id, states] of history.deliveries) {
    const own = tries.get(id) ?? [];
    const series = history.seriesOf(id);
    const { row } = states.at(-1)!;
    const name = `${row.policy} ${row.url} of ${history.say(row.createdAtMs)}`;
    checkVerdict(history, report, states, own, name);
    checkDay(history, report, states, series, own, name);
    checkSeries(history, report, states, series, own, name);
    checkCopies(history, report, own, name);
  }
}

function checkVerdict(
  { trace }: History,
  report: Report,
  states: readonly DeliveryState[],
  own: readonly Try[],
  name: string,
): void {
  const { row } = states.at(-1)!;
  if (row.policy !== 'inline' && trace.crashes.length > 0) report.saw('I1');
  if (row.status === 'pending' && trace.endMs >= row.deadlineAtMs)
    report.fail('I1', `${name} is still pending`);
  if (row.status === 'undelivered' && row.reason === null)
    report.fail('I1', `${name} has no reason`);

  const oks = own.filter(({ verdict }) => verdict === 'ok');
  if (oks.length > 0) report.saw('I3');
  if (row.status === 'delivered' && oks.length === 0)
    report.fail('I3', `${name} is delivered, and no receiver took it`);
  for (const { recorded, sent } of oks) {
    if (!recorded) continue;
    // From then on, whatever happens.
    const isDelivered = states.every(
      (state) => state.commit < recorded.commit || state.row.status === 'delivered',
    );
    if (!isDelivered) report.fail('I3', `${name} is ${row.status} after the 2xx of #${sent.no}`);
  }
}

function checkDay(
  history: History,
  report: Report,
  states: readonly DeliveryState[],
  series: readonly Place[],
  own: readonly Try[],
  name: string,
): void {
  const beganAt = (commit: number): number =>
    series.findLast((one) => one.commit <= commit)?.atMs ?? 0;
  for (const { sent, claimed } of own) {
    if (sent.atMs >= beganAt(claimed.commit) + DAY)
      report.fail('I5', `${name} was sent after its day`);
  }
  for (const { row, commit, atMs } of states) {
    if (row.status !== 'undelivered' || row.reason !== 'expired') continue;
    report.saw('I5');
    const endMs = beganAt(commit) + DAY;
    if (atMs < endMs) report.fail('I5', `${name} expired before its day was over`);
    // Unless a request is under way, or its holder died in it.
    const graceMs = endMs + 31 * SECOND;
    const isExcused = history.trace.crashes.some(
      (crash) => crash.atMs <= graceMs && crash.upMs + 31 * SECOND >= atMs,
    );
    if (atMs > graceMs && !isExcused)
      report.fail('I5', `${name} expired at ${history.say(atMs)}, long after its day`);
  }
}

function checkSeries(
  history: History,
  report: Report,
  states: readonly DeliveryState[],
  series: readonly Place[],
  own: readonly Try[],
  name: string,
): void {
  const { row } = states.at(-1)!;
  const isInline = history.events.get(row.eventId)?.kind === 'session.started';
  for (const [at, { order }] of series.entries()) {
    const next = series[at + 1];
    const tries = own.filter(
      ({ claimed }) => claimed.order > order && claimed.order < (next?.order ?? Infinity),
    );
    // Queued again, an inline event is tried like the durable ones.
    const isShort = isInline && at === 0;
    if (row.policy !== 'timeout' && !isShort) continue;
    const max = isShort ? 3 : history.trace.scenario.timeoutAttempts;
    const recorded = tries.filter((one) => one.recorded !== null);
    if (recorded.length > max) report.fail('I6', `${name} was tried ${recorded.length} times`);
    if (tries.length > max + history.trace.crashes.length)
      report.fail('I6', `${name} was sent ${tries.length} times`);
    // Lost ones do not count.
    if (!next && row.reason === 'attempts' && recorded.length !== max)
      report.fail('I6', `${name} was given up after ${recorded.length} of ${max} attempts`);
    if (isShort) checkInline(report, recorded, name);
    else checkGrid(history, report, tries, name);
  }
}

function checkInline(report: Report, recorded: readonly Try[], name: string): void {
  for (const [at, one] of recorded.entries()) {
    const before = recorded[at - 1];
    if (!before) continue;
    if (before.verdict === 'reject') report.fail('5.8', `${name} was repeated after a rejection`);
    const waitedMs = one.sent.atMs - before.recorded!.atMs;
    if (waitedMs < [1, 2][at - 1]! * SECOND) report.fail('5.8', `${name} waited ${waitedMs} ms`);
  }
}

/** Retries lie on the grid, or start in the instant in which something stopped keeping them. */
function checkGrid(history: History, report: Report, tries: readonly Try[], name: string): void {
  let failures = 0;
  let before: Try | null = null;
  for (const one of tries) {
    const { sent } = one;
    if (before) {
      report.saw('I6');
      const { atMs } = before.recorded!;
      const asked = Math.max(before.retryAfterMs, 5 * SECOND * 2 ** (failures - 1));
      const early = sent.atMs < Math.ceil((atMs + asked) / 5_000) * 5_000;
      if (early && !wasReleased(history, before, one))
        report.fail('I6', `${name} was tried again at ${history.say(sent.atMs)}, too soon`);
      if (sent.atMs % 5_000 !== 0 && !wasKept(history, one))
        report.fail('I6', `${name} was tried off the grid, at ${history.say(sent.atMs)}`);
    }
    if (!one.recorded) continue;
    failures += 1;
    before = one;
  }
}

/** A success on the same way, which has the others follow at the next point of the grid. */
function wasReleased(history: History, from: Try, to: Try): boolean {
  return history.tries.some(
    ({ owner, url, verdict, recorded }) =>
      owner === to.owner &&
      url === to.url &&
      verdict === 'ok' &&
      recorded !== null &&
      recorded.order > from.recorded!.order &&
      recorded.order < to.claimed.order,
  );
}

/** Whether something that holds starts back ended just then. */
function wasKept(history: History, { owner, url, sent }: Try): boolean {
  const { trace, tries } = history;
  const isNow = (atMs: number | null): boolean => atMs !== null && Math.abs(atMs - sent.atMs) <= 1;
  const isFreed = tries.some(
    (other) => other.owner === owner && other.url === url && isNow(other.recorded?.atMs ?? null),
  );
  if (isFreed || trace.crashes.some(({ upMs }) => isNow(upMs))) return true;
  if (trace.operations.some(({ atMs }) => isNow(atMs))) return true;
  return trace.log.some(({ changes }, commit) =>
    changes.some(([table, id, row]) => {
      // The lease of a holder that died, be it before it had sent anything.
      if (table === 'deliveries' && row !== null) {
        const { endpointId, leaseUntilMs, url: to } = row as DeliveryRow;
        return to === url && isNow(leaseUntilMs) && history.ownerOf(endpointId, commit) === owner;
      }
      // The gate, or the receiver's Retry-After, also of what is queued for a former address.
      if (table !== 'endpointHealth' || !row || history.ownerOf(id, commit) !== owner) return false;
      const { gateAtMs, holdUntilMs } = row as EndpointHealthRow;
      return isNow(gateAtMs) || isNow(holdUntilMs);
    }),
  );
}

function checkCopies({ trace }: History, report: Report, own: readonly Try[], name: string): void {
  const handled = own.filter(({ sent }) => sent.isHandled);
  if (handled.length === 0) return;
  report.saw('I7');
  const crashed = handled.filter(({ recorded, sent }) => recorded === null || sent.isOrphan);
  const broken = handled.filter((one) => !crashed.includes(one) && one.verdict !== 'ok');
  if (handled.length > 1 + crashed.length + broken.length)
    report.fail('I7', `${name} was received ${handled.length} times`);
  if (crashed.length > trace.crashes.length)
    report.fail('I7', `${name}: ${crashed.length} copies of ${trace.crashes.length} crashes`);
}
