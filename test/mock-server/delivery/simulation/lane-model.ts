import { SECOND, type History, type Place, type Try } from './history.ts';

/** What an engine has to know of one endpoint at one address. */
export interface Pacing {
  /** Consecutive failures; those of requests that were under way together are one. */
  readonly run: number;
  /** The requests that failed in the run, each of them. */
  readonly failed: number;
  /** When the last failure of the run was counted. */
  readonly counted: Place | null;
  /** No retry starts before. */
  readonly gateMs: number;
  /** Nothing starts before: the receiver's `Retry-After`. */
  readonly holdMs: number;
  /** How many requests may be under way at once while nothing fails. */
  readonly ramp: number;
}

/** How many requests may be under way at once: each failure takes a place until a success. */
export function placesOf({ ramp, failed }: Pacing): number {
  return Math.max(1, ramp - failed);
}

export type Step =
  | { readonly kind: 'start' | 'end'; readonly place: Place; readonly one: Try }
  | { readonly kind: 'forget'; readonly place: Place; readonly isResume: boolean };

/** One endpoint at one address: its attempts, and what was known before each step. */
export interface LaneModel {
  readonly owner: string;
  readonly url: string;
  /** Tests included, in the order in which they were sent. */
  readonly tries: readonly Try[];
  readonly steps: readonly {
    readonly step: Step;
    readonly before: Pacing;
    readonly after: Pacing;
  }[];
  /** Successes that ended a failing run: everything that waits is due then. */
  readonly releases: readonly Place[];
}

const FRESH: Pacing = { run: 0, failed: 0, counted: null, gateMs: 0, holdMs: 0, ramp: 8 };

export function modelLane(history: History, tries: readonly Try[]): LaneModel {
  const [{ owner, url }] = tries as [Try];
  const steps: LaneModel['steps'][number][] = [];
  const releases: Place[] = [];
  let before = FRESH;
  for (const step of toSteps(history, tries)) {
    const after = learn(before, step);
    steps.push({ step, before, after });
    if (step.kind === 'end' && step.one.verdict === 'ok' && before.run >= 5)
      releases.push(step.place);
    before = after;
  }
  return { owner, url, tries, steps, releases };
}

/** Whether a failing run ended between two places. */
export function wasReleased({ releases }: LaneModel, from: Place, to: Place): boolean {
  return releases.some(({ order }) => order > from.order && order < to.order);
}

/** P9: whether a request that failed had started before the last failure was counted. */
export function isSameWave({ counted }: Pacing, { claimed }: Try): boolean {
  return counted !== null && claimed.order < counted.order;
}

function learn(before: Pacing, step: Step): Pacing {
  if (step.kind === 'start') return before;
  const { gateMs, holdMs, ramp } = before;
  // After a pause it is one request at a time, as after any failing run.
  if (step.kind === 'forget') return { ...FRESH, ramp: step.isResume ? 1 : 8 };
  const { verdict, retryAfterMs, delivery } = step.one;
  if (verdict === 'ok')
    return { ...FRESH, holdMs, ramp: before.run >= 5 ? 1 : Math.min(8, ramp * 2) };
  // A test that fails says nothing about deliveries.
  if (!delivery) return before;
  const isCounted = !isSameWave(before, step.one);
  const { atMs } = step.place;
  const run = before.run + (isCounted ? 1 : 0);
  const backoffMs = 0.85 * Math.min(600, 5 * 2 ** Math.min(run - 1, 20)) * SECOND;
  return {
    run,
    failed: before.failed + 1,
    counted: isCounted ? step.place : before.counted,
    gateMs: Math.max(gateMs, atMs + Math.max(backoffMs, retryAfterMs)),
    holdMs: retryAfterMs > 0 ? Math.max(holdMs, atMs + retryAfterMs) : holdMs,
    ramp,
  };
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
