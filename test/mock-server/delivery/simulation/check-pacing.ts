import { DAY, groupBy, SECOND, type History, type Place, type Try } from './history.ts';
import type { Report } from './report.ts';

/** What the engine knew of an endpoint at one address, when. */
type Step =
  | { readonly kind: 'start' | 'end'; readonly place: Place; readonly one: Try }
  | { readonly kind: 'forget'; readonly place: Place; readonly isResume: boolean };

/** How many requests may be on their way since an instant. */
export interface Ramp {
  readonly atMs: number;
  readonly ramp: number;
}

/** P1, P2, P4, P5 and the eight of P7: no start before its time, in the order in which things became durable. */
export function checkPacing(history: History, report: Report, lane: readonly Try[]): Ramp[] {
  const ramps: Ramp[] = [];
  let run = 0;
  let gateMs = 0;
  let holdMs = 0;
  let ramp = 8;
  for (const step of toSteps(history, lane)) {
    if (step.kind === 'forget') {
      [run, gateMs, holdMs] = [0, 0, 0];
      // Who was ill a moment ago is not run over.
      if (!step.isResume) ramp = 8;
    } else if (step.kind === 'start') checkStart(step.one, step.place);
    else learn(step.one, step.place.atMs);
    ramps.push({ atMs: step.place.atMs, ramp });
  }
  checkLoad(history, report, lane);
  return ramps;

  function learn({ verdict, retryAfterMs, delivery }: Try, atMs: number): void {
    if (verdict === 'ok') {
      ramp = run >= 5 ? 1 : Math.min(8, ramp * 2);
      [run, gateMs] = [0, 0];
      // A test that fails says nothing about deliveries.
    } else if (delivery) {
      const backoffMs = 0.85 * Math.min(600, 5 * 2 ** Math.min(run, 20)) * SECOND;
      run += 1;
      gateMs = Math.max(gateMs, atMs + Math.max(backoffMs, retryAfterMs));
      if (retryAfterMs > 0) holdMs = Math.max(holdMs, atMs + retryAfterMs);
    }
  }

  function checkStart(one: Try, place: Place): void {
    if (!one.delivery) return;
    const { sent } = one;
    const where = `${one.url} at ${history.say(sent.atMs)}`;
    // A test's end, or an operator, in the same commit: either order is right.
    const isTorn = lane.some((other) => !other.delivery && other.recorded?.commit === place.commit);
    const flying = lane.filter(
      (other) =>
        other.sent.no < sent.no &&
        other.endMs > sent.atMs &&
        // Whose test it was is forgotten with the address.
        (other.delivery || !wasForgotten(other.claimed, place)),
    );
    const deliveries = flying.filter(({ delivery }) => delivery);
    if (deliveries.length >= 8) report.fail('P7', `${where}: ${deliveries.length + 1} at once`);
    if (holdMs > 0) report.saw('P4');
    if (sent.atMs < holdMs)
      report.fail('P4', `${where}: the receiver asked for ${history.say(holdMs)}`);
    if (isTorn) return;
    if (flying.length >= ramp)
      report.fail('P7', `${where}: ${flying.length + 1} at once, and only ${ramp} may be`);
    const isRetry = one.n > 1 && !one.isInline;
    if (run >= 5) report.saw('P1');
    if (run >= 5) report.saw('P2');
    // Half a millisecond is rounding.
    if ((run >= 5 || (run > 0 && isRetry)) && sent.atMs < gateMs - 1)
      report.fail('P2', `${where}: the gate opens at ${history.say(gateMs)} after ${run} failures`);
    if (run >= 5 && flying.length > 0)
      report.fail('P1', `${where}: ${flying.length} under way already after ${run} failures`);
  }

  function wasForgotten(from: Place, to: Place): boolean {
    return forgets(history, lane).some(({ order }) => order > from.order && order < to.order);
  }
}

function toSteps(history: History, lane: readonly Try[]): Step[] {
  const steps: Step[] = [];
  for (const one of lane) {
    steps.push({ kind: 'start', place: one.claimed, one });
    if (one.recorded) steps.push({ kind: 'end', place: one.recorded, one });
  }
  // After the test that ended the pause.
  for (const { isResume, ...place } of forgets(history, lane))
    steps.push({ kind: 'forget', place, isResume });
  return steps.sort((a, b) => a.place.order - b.place.order);
}

export interface Forget extends Place {
  readonly isResume: boolean;
}

/** When a run of failures ends without a success: the address is taken, again or anew, or a pause is over. */
export function forgets(history: History, lane: readonly Try[]): Forget[] {
  const [{ owner, url }] = lane as [Try];
  const resumes = history
    .resumes(owner)
    .filter(({ commit }) => history.configAt(owner, commit)?.url === url);
  return [
    ...history
      .moves(owner)
      // With the endpoint itself goes what was known of any address.
      .filter(({ to }) => to === url || to === null)
      .map((place) => ({ ...place, isResume: false })),
    ...resumes.map((place) => ({ ...place, isResume: true })),
  ];
}

/** P5, between one success and the next, or since whatever made the engine forget. */
function checkLoad(history: History, report: Report, lane: readonly Try[]): void {
  const breaks = [
    ...forgets(history, lane),
    ...lane.flatMap(({ verdict, recorded }) => (verdict === 'ok' && recorded ? [recorded] : [])),
  ];
  const segmentOf = ({ claimed }: Try): number =>
    breaks.filter(({ order }) => order < claimed.order).length;
  const own = lane.filter(({ delivery }) => delivery);
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
        return report.fail('P5', `${lane[0]!.url}: ${count} requests in a day`);
    }
  }
}
