import { DAY, groupBy, type History, type Place, type Try } from './history.ts';
import { forgets, placesOf, type LaneModel, type Pacing } from './lane-model.ts';
import type { Report } from './report.ts';

/** P1, P2, P4, P5 and the eight of P7: no start before its time, in the order in which things became durable. */
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
  { tries }: LaneModel,
  one: Try,
  pacing: Pacing,
): void {
  const { run, gateMs, holdMs } = pacing;
  const places = placesOf(pacing);
  const { sent, claimed } = one;
  const where = `${one.url} at ${history.say(sent.atMs)}`;
  // A test's end, or an operator, in the same commit: either order is right.
  const isTorn = tries.some(
    (other) => !other.delivery && other.recorded?.commit === claimed.commit,
  );
  const flying = tries.filter(
    (other) =>
      other.sent.no < sent.no &&
      other.endMs > sent.atMs &&
      // Whose test it was is forgotten with the address.
      (other.delivery || !wasForgotten(history, tries, other.claimed, claimed)),
  );
  const deliveries = flying.filter(({ delivery }) => delivery);
  if (deliveries.length >= 8) report.fail('P7', `${where}: ${deliveries.length + 1} at once`);
  if (holdMs > 0) report.saw('P4');
  if (sent.atMs < holdMs)
    report.fail('P4', `${where}: the receiver asked for ${history.say(holdMs)}`);
  if (isTorn) return;
  if (flying.length >= places)
    report.fail('P7', `${where}: ${flying.length + 1} at once, and only ${places} may be`);
  const isRetry = one.n > 1 && !one.isInline;
  if (run >= 5) report.saw('P1');
  if (run >= 5) report.saw('P2');
  // Half a millisecond is rounding.
  if ((run >= 5 || (run > 0 && isRetry)) && sent.atMs < gateMs - 1)
    report.fail('P2', `${where}: the gate opens at ${history.say(gateMs)} after ${run} failures`);
  if (run >= 5 && flying.length > 0)
    report.fail('P1', `${where}: ${flying.length} under way already after ${run} failures`);
}

function wasForgotten(history: History, tries: readonly Try[], from: Place, to: Place): boolean {
  return forgets(history, tries).some(({ order }) => order > from.order && order < to.order);
}

/** P5, between one success and the next, or since whatever made the engine forget. */
function checkLoad(history: History, report: Report, { tries, url }: LaneModel): void {
  const breaks = [
    ...forgets(history, tries),
    ...tries.flatMap(({ verdict, recorded }) => (verdict === 'ok' && recorded ? [recorded] : [])),
  ];
  const segmentOf = ({ claimed }: Try): number =>
    breaks.filter(({ order }) => order < claimed.order).length;
  const own = tries.filter(({ delivery }) => delivery);
  for (const segment of groupBy(own, segmentOf).values()) {
    let from = 0;
    for (const [at, { sent }] of segment.entries()) {
      while (segment[from]!.sent.atMs <= sent.atMs - DAY) from += 1;
      const count = at - from + 1;
      const began = segment[from]!.sent.atMs;
      // What was under way at a crash is sent again, and counts as no failure.
      const crashes = history.trace.crashes.filter(
        ({ atMs }) => atMs >= began && atMs <= sent.atMs,
      );
      if (count >= 100) report.saw('P5');
      if (count > 183 + 8 * crashes.length)
        return report.fail('P5', `${url}: ${count} requests in a day`);
    }
  }
}
