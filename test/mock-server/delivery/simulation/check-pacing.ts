import { groupBy, type Place } from './durable-rows.ts';
import { DAY, type History } from './history.ts';
import type { SentAttempt } from './sent-attempts.ts';
import { forgets, gateOf, isFailing, type LaneModel, type Pacing } from './lane-model.ts';
import type { Report } from './report.ts';

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
