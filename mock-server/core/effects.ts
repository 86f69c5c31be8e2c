import type { RealClock } from './clock.ts';
import type { Effect, TimeLimit } from './due-jobs.ts';

/** The effects in progress. */
export interface Effects {
  /** Starts effects. Their errors are reported. */
  launch(effects: readonly Effect[]): void;
  /** Resolves when no effect is in progress. */
  settle(): Promise<void>;

  /** Marks the start of a move of the clock, which resets the patience with all groups. */
  beginMove(): void;
  /**
   * Waits for the effects that a move still has patience with. Returns false when the time is over, in
   * milliseconds of real time.
   */
  waitFor(ms: number): Promise<boolean>;
  /** Returns the earliest time limit of the effects in progress, in virtual time. */
  nextEndMs(): number | null;
  /** Ends the effects whose time limit has passed at an instant. Returns their number. */
  expire(atMs: number): number;
}

/**
 * The real time for which a move of the clock waits for an effect with a time limit. It is long enough for
 * the cold start of a receiver, and short enough to move past one that hangs.
 */
const PATIENCE_MS = 5_000;

/** The same after an effect of this group was ended during the move. */
const SHORT_PATIENCE_MS = 50;

interface InFlight {
  readonly done: Promise<void>;
  readonly limit: TimeLimit | undefined;
  /** The end of a move's patience, in real time. */
  readonly patientUntilMs: number;
  /** True after a move has ended the effect, which settles a little later. */
  isExpired: boolean;
}

export function createEffects(clock: RealClock, onError: (error: unknown) => void): Effects {
  const inFlight = new Set<InFlight>();
  /** Groups with an effect that was ended during the move. */
  const slow = new Set<string>();

  function launchOne(effect: Effect): void {
    const { limit } = effect;
    const patienceMs = limit && slow.has(limit.group) ? SHORT_PATIENCE_MS : PATIENCE_MS;
    const one: InFlight = {
      done: run(effect, onError).finally(() => {
        inFlight.delete(one);
        if (limit && !one.isExpired) slow.delete(limit.group);
      }),
      limit,
      patientUntilMs: limit ? clock.now() + patienceMs : Infinity,
      isExpired: false,
    };
    inFlight.add(one);
  }

  return {
    launch(effects) {
      for (const effect of effects) launchOne(effect);
    },
    async settle() {
      while (inFlight.size > 0) await settleAll([...inFlight]);
    },
    beginMove: () => slow.clear(),
    async waitFor(ms) {
      const untilMs = clock.now() + ms;
      for (;;) {
        const nowMs = clock.now();
        const awaited = [...inFlight].filter((one) => isAwaited(one, nowMs));
        if (awaited.length === 0) return true;
        if (nowMs >= untilMs) return false;
        const patientUntilMs = Math.max(...awaited.map((one) => one.patientUntilMs));
        await settleUntil(awaited, Math.min(untilMs, patientUntilMs), clock);
      }
    },
    nextEndMs() {
      let next: number | null = null;
      for (const one of inFlight) {
        if (one.limit && !one.isExpired) next = Math.min(next ?? Infinity, one.limit.endMs);
      }
      return next;
    },
    expire(atMs) {
      let count = 0;
      for (const one of inFlight) {
        const { limit } = one;
        if (!limit || limit.endMs > atMs || one.isExpired) continue;
        one.isExpired = true;
        slow.add(limit.group);
        limit.expire();
        count += 1;
      }
      return count;
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

/** Tells whether a move waits for the effect. An expired one is about to settle. */
function isAwaited({ isExpired, patientUntilMs }: InFlight, nowMs: number): boolean {
  return isExpired || patientUntilMs > nowMs;
}

async function settleAll(awaited: readonly InFlight[]): Promise<void> {
  await Promise.allSettled(awaited.map(({ done }) => done));
}

/** Resolves when all effects have settled, or at a time of the real clock. */
async function settleUntil(
  awaited: readonly InFlight[],
  untilMs: number,
  clock: RealClock,
): Promise<void> {
  let cancel = (): void => {};
  const time = new Promise<void>((resolve) => {
    cancel = clock.wakeAt(untilMs, resolve, true);
  });
  await Promise.race([settleAll(awaited), time]);
  cancel();
}
