import type { Place } from './durable-rows.ts';
import { SECOND, type History } from './history.ts';
import type { SentAttempt } from './sent-attempts.ts';

/** The pacing state of one lane: an endpoint at one URL. */
export interface Pacing {
  /** Consecutive failures. Requests that were in flight together count as one. */
  readonly run: number;
  /** Number of requests that failed in the run, each counted separately. */
  readonly failed: number;
  /** The place at which the last failure of the run was counted. */
  readonly counted: Place | null;
  /** The gate: no retry starts before this time, and after five failures no attempt at all. */
  readonly gateMs: number;
  /** The receiver's `Retry-After`: no request starts before this time. */
  readonly holdMs: number;
  /** The ramp: the number of requests that may be in flight while none fails. */
  readonly ramp: number;
}

/**
 * Returns the number of requests that may be in flight. Each failure lowers it by one, to one at the least,
 * until a success.
 */
export function placesOf({ ramp, failed }: Pacing): number {
  return Math.max(1, ramp - failed);
}

export type Step =
  | { readonly kind: 'start' | 'end'; readonly place: Place; readonly one: SentAttempt }
  | { readonly kind: 'forget'; readonly place: Place; readonly isResume: boolean };

/** A lane: the attempts of one endpoint at one URL, and the pacing state before and after each step. */
export interface LaneModel {
  readonly owner: string;
  readonly url: string;
  /** All attempts, including tests, in the order in which they were sent. */
  readonly attempts: readonly SentAttempt[];
  readonly steps: readonly {
    readonly step: Step;
    readonly before: Pacing;
    readonly after: Pacing;
  }[];
  /** Successes after five or more consecutive failures. All waiting events are due then. */
  readonly releases: readonly Place[];
}

const FRESH: Pacing = { run: 0, failed: 0, counted: null, gateMs: 0, holdMs: 0, ramp: 8 };

export function modelLane(history: History, attempts: readonly SentAttempt[]): LaneModel {
  const [{ owner, url }] = attempts as [SentAttempt];
  const steps: LaneModel['steps'][number][] = [];
  const releases: Place[] = [];
  let before = FRESH;
  for (const step of toSteps(history, attempts)) {
    const after = learn(before, step);
    steps.push({ step, before, after });
    if (step.kind === 'end' && step.one.verdict === 'ok' && before.run >= 5)
      releases.push(step.place);
    before = after;
  }
  return { owner, url, attempts, steps, releases };
}

/** Tells whether a success after five or more failures came between two places. */
export function wasReleased({ releases }: LaneModel, from: Place, to: Place): boolean {
  return releases.some(({ order }) => order > from.order && order < to.order);
}

/** Tells whether a failed request had started before the last failure was counted (P9). */
export function isSameWave({ counted }: Pacing, { claimed }: SentAttempt): boolean {
  return counted !== null && claimed.order < counted.order;
}

function learn(before: Pacing, step: Step): Pacing {
  if (step.kind === 'start') return before;
  const { gateMs, holdMs, ramp } = before;
  // After a pause the ramp starts with one request, as after any failing run.
  if (step.kind === 'forget') return { ...FRESH, ramp: step.isResume ? 1 : 8 };
  const { verdict, retryAfterMs, delivery } = step.one;
  if (verdict === 'ok')
    return { ...FRESH, holdMs, ramp: before.run >= 5 ? 1 : Math.min(8, ramp * 2) };
  // A failed test does not change the pacing of deliveries.
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

function toSteps(history: History, lane: readonly SentAttempt[]): Step[] {
  const steps: Step[] = [];
  for (const one of lane) {
    steps.push({ kind: 'start', place: one.claimed, one });
    if (one.recorded) steps.push({ kind: 'end', place: one.recorded, one });
  }
  // These steps come after the test that ended the pause, because the sort is stable.
  for (const { isResume, ...place } of forgets(history, lane))
    steps.push({ kind: 'forget', place, isResume });
  return steps.sort((a, b) => a.place.order - b.place.order);
}

export interface Forget extends Place {
  readonly isResume: boolean;
}

/**
 * Returns the places at which the failures are forgotten without a success: a new URL, the end of a pause,
 * or the deletion of the endpoint.
 */
export function forgets(history: History, lane: readonly SentAttempt[]): Forget[] {
  const [{ owner, url }] = lane as [SentAttempt];
  const resumes = history
    .resumes(owner)
    .filter(({ commit }) => history.configAt(owner, commit)?.url === url);
  return [
    ...history
      .moves(owner)
      // Deleting the endpoint forgets the state of all its URLs.
      .filter(({ to }) => to === url || to === null)
      .map((place) => ({ ...place, isResume: false })),
    ...resumes.map((place) => ({ ...place, isResume: true })),
  ];
}
