import type { DeliveryState, Place } from './durable-rows.ts';
import { HOUR, SECOND, type History } from './history.ts';
import type { SentAttempt } from './sent-attempts.ts';

/** The pacing state of one lane: an endpoint at one URL. */
export interface Pacing {
  /** Number of requests that failed since the last success. */
  readonly failures: number;
  /** Times of the first and the last of them. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The start of an unbroken run of rejections, or null. */
  readonly rejectingMs: number | null;
  /** The receiver's `Retry-After`: no request starts before this time. */
  readonly holdMs: number;
}

/** A lane with this many failures gets one request at a time, and not before its gate. */
export function isFailing({ failures }: Pacing): boolean {
  return failures >= 5;
}

/**
 * Returns the earliest start of the next request of a failing lane: after a quarter of the time since the
 * first failure, but after at least a second and at most 593 seconds. During the first hour of nothing but
 * rejections, it is at most 59 seconds.
 */
export function gateOf({ firstMs, lastMs, rejectingMs }: Pacing): number {
  const runMs = lastMs - firstMs;
  const longestMs = (rejectingMs === firstMs && runMs < HOUR ? 59 : 593) * SECOND;
  return lastMs + Math.min(longestMs, Math.max(SECOND, runMs / 4));
}

export type Step =
  | { readonly kind: 'start' | 'end'; readonly place: Place; readonly one: SentAttempt }
  | { readonly kind: 'forget'; readonly place: Place }
  | { readonly kind: 'return'; readonly place: Place };

/** A lane: the attempts of one endpoint at one URL, and the pacing state before and after each step. */
export interface LaneModel {
  readonly owner: string;
  readonly url: string;
  /** All attempts, including tests, in the order in which they were sent. */
  readonly attempts: readonly SentAttempt[];
  /** The states of each delivery of the lane. */
  readonly line: readonly (readonly DeliveryState[])[];
  readonly steps: readonly {
    readonly step: Step;
    readonly before: Pacing;
    readonly after: Pacing;
  }[];
}

const FRESH: Pacing = { failures: 0, firstMs: 0, lastMs: 0, rejectingMs: null, holdMs: 0 };

export function modelLane(history: History, attempts: readonly SentAttempt[]): LaneModel {
  const [{ owner, url }] = attempts as [SentAttempt];
  const steps: LaneModel['steps'][number][] = [];
  let before = FRESH;
  for (const step of toSteps(history, attempts)) {
    const after = learn(before, step);
    steps.push({ step, before, after });
    before = after;
  }
  const line = [...history.deliveries.values()].filter((states) => {
    const last = states.at(-1)!;
    return last.row.url === url && history.ownerOf(last.row.endpointId, last.commit) === owner;
  });
  return { owner, url, attempts, line, steps };
}

function learn(before: Pacing, step: Step): Pacing {
  if (step.kind === 'start') return before;
  if (step.kind === 'forget') return FRESH;
  const { holdMs } = before;
  // The receiver at this URL asked for the wait, so it also holds when the endpoint gets the URL back.
  if (step.kind === 'return') return { ...FRESH, holdMs };
  const { verdict, retryAfterMs, delivery } = step.one;
  if (verdict === 'ok') return { ...FRESH, holdMs };
  // A failed test does not change the pacing of deliveries.
  if (!delivery) return before;
  const { atMs } = step.place;
  const isFirst = before.failures === 0;
  return {
    failures: before.failures + 1,
    firstMs: isFirst ? atMs : before.firstMs,
    lastMs: atMs,
    rejectingMs: verdict === 'reject' ? (before.rejectingMs ?? atMs) : null,
    holdMs: retryAfterMs > 0 ? Math.max(holdMs, atMs + retryAfterMs) : holdMs,
  };
}

function toSteps(history: History, lane: readonly SentAttempt[]): Step[] {
  const steps: Step[] = [];
  for (const one of lane) {
    steps.push({ kind: 'start', place: one.claimed, one });
    if (one.recorded) steps.push({ kind: 'end', place: one.recorded, one });
  }
  // These steps come after the test that ended the pause, because the sort is stable.
  const [{ owner, url }] = lane as [SentAttempt];
  const returns = history.moves(owner).filter(({ to }) => to === url);
  for (const place of forgets(history, lane)) {
    const isReturn = returns.some(({ order }) => order === place.order);
    steps.push({ kind: isReturn ? 'return' : 'forget', place });
  }
  return steps.sort((a, b) => a.place.order - b.place.order);
}

/**
 * Returns the places at which the failures are forgotten without a success: a new URL, the end of a pause,
 * or the deletion of the endpoint.
 */
export function forgets(history: History, lane: readonly SentAttempt[]): Place[] {
  const [{ owner, url }] = lane as [SentAttempt];
  const resumes = history
    .resumes(owner)
    .filter(({ commit }) => history.configAt(owner, commit)?.url === url);
  return [
    ...history
      .moves(owner)
      // Deleting the endpoint forgets the state of all its URLs.
      .filter(({ to }) => to === url || to === null),
    ...resumes,
  ];
}
