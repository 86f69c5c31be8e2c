import type { RealClock } from './clock.ts';
import type { Effect, EffectTimeout } from './jobs.ts';

/** The effects in progress. */
export interface Effects {
  /** Starts effects. Their errors are reported. */
  launch(effects: readonly Effect[]): void;
  /** Resolves when no effect is in progress. */
  settle(): Promise<void>;

  /** Marks the start of a clock move. It is patient again with effects of slow groups. */
  beginMove(): void;
  /**
   * Waits for the effects in progress, for at most this many milliseconds of real time, and makes those time
   * out for which a clock move has waited long enough. Returns false if some are still running then.
   */
  waitFor(ms: number): Promise<boolean>;
}

/**
 * The real time for which a clock move waits for an effect that may hang. It is long enough for the cold
 * start of a receiver, and short enough to move past one that hangs.
 */
const WAIT_MS = 5_000;

/** The shorter wait for an effect of a slow group. */
const SHORT_WAIT_MS = 50;

interface InFlight {
  readonly done: Promise<void>;
  readonly timeout: EffectTimeout | undefined;
  readonly startedAtMs: number;
  isTimedOut: boolean;
}

export function createEffects(clock: RealClock, onError: (error: unknown) => void): Effects {
  const inFlight = new Set<InFlight>();
  /** The groups in which the current clock move has made an effect time out. */
  const slow = new Set<string>();
  let moveBeganMs = 0;

  function launchOne(effect: Effect): void {
    const { timeout } = effect;
    const one: InFlight = {
      done: run(effect, onError).finally(() => {
        inFlight.delete(one);
        if (timeout && !one.isTimedOut) slow.delete(timeout.group);
      }),
      timeout,
      startedAtMs: clock.now(),
      isTimedOut: false,
    };
    inFlight.add(one);
  }

  /** Returns the real time until which the clock move waits for an effect. */
  function waitEndMs({ timeout, startedAtMs, isTimedOut }: InFlight): number {
    // An effect that has timed out settles a little later.
    if (!timeout || isTimedOut) return Infinity;
    const waitMs = slow.has(timeout.group) ? SHORT_WAIT_MS : WAIT_MS;
    return Math.max(startedAtMs, moveBeganMs) + waitMs;
  }

  function timeOutHanging(): void {
    const hanging = [...inFlight].filter((one) => waitEndMs(one) <= clock.now());
    for (const one of hanging) {
      one.isTimedOut = true;
      if (one.timeout) slow.add(one.timeout.group);
      one.timeout?.expire();
    }
  }

  return {
    launch(effects) {
      for (const effect of effects) launchOne(effect);
    },
    async settle() {
      while (inFlight.size > 0) await settleAll(inFlight);
    },
    beginMove() {
      slow.clear();
      moveBeganMs = clock.now();
    },
    async waitFor(ms) {
      const untilMs = clock.now() + ms;
      while (inFlight.size > 0 && clock.now() < untilMs) {
        const wakeAtMs = Math.min(untilMs, ...[...inFlight].map(waitEndMs));
        await settleUntil(inFlight, wakeAtMs, clock);
        timeOutHanging();
      }
      return inFlight.size === 0;
    },
  };
}

async function run(effect: Effect, onError: (error: unknown) => void): Promise<void> {
  try {
    await effect();
  } catch (error) {
    onError(error);
  }
}

async function settleAll(effects: ReadonlySet<InFlight>): Promise<void> {
  await Promise.allSettled([...effects].map(({ done }) => done));
}

/** Resolves when all effects have settled, or at the given real time. */
async function settleUntil(
  effects: ReadonlySet<InFlight>,
  untilMs: number,
  clock: RealClock,
): Promise<void> {
  let cancel = (): void => {};
  const time = new Promise<void>((resolve) => {
    cancel = clock.wakeAt(untilMs, resolve, true);
  });
  await Promise.race([settleAll(effects), time]);
  cancel();
}
