import type { RealClock } from './clock.ts';
import type { Effect, TimeLimit } from './due-jobs.ts';

/** The effects under way. */
export interface Effects {
  /** Starts them all. One that fails is reported. */
  launch(effects: readonly Effect[]): void;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;

  /** Tells that the clock begins to move: every group gets its full patience again. */
  beginMove(): void;
  /** Waits, for some real time at most, until nothing is under way that a move has patience for. */
  waitFor(ms: number): Promise<boolean>;
  /** The earliest instant, in virtual time, at which an effect under way is to end. */
  nextEndMs(): number | null;
  /** Ends the effects whose time is over at an instant, and returns how many. */
  expire(atMs: number): number;
}

/**
 * How long a move of the clock waits in real time for an effect that may take its time: long enough for a
 * receiver that starts cold, and short enough to move past one that hangs.
 */
const PATIENCE_MS = 5_000;

/** The same for a group of which an effect was ended during the move. */
const SHORT_PATIENCE_MS = 50;

interface UnderWay {
  readonly done: Promise<void>;
  readonly limit: TimeLimit | undefined;
  /** In real time. */
  readonly patientUntilMs: number;
  /** Whether a move has told it to end. */
  isExpired: boolean;
}

export function createEffects(clock: RealClock, onError: (error: unknown) => void): Effects {
  const underWay = new Set<UnderWay>();
  /** Groups that a move has lost its patience with. */
  const slow = new Set<string>();

  function launchOne(effect: Effect): void {
    const { limit } = effect;
    const patienceMs = limit && slow.has(limit.group) ? SHORT_PATIENCE_MS : PATIENCE_MS;
    const one: UnderWay = {
      done: run(effect, onError).finally(() => {
        underWay.delete(one);
        if (limit && !one.isExpired) slow.delete(limit.group);
      }),
      limit,
      patientUntilMs: limit ? clock.now() + patienceMs : Infinity,
      isExpired: false,
    };
    underWay.add(one);
  }

  return {
    launch(effects) {
      for (const effect of effects) launchOne(effect);
    },
    async settle() {
      while (underWay.size > 0) await settleAll([...underWay]);
    },
    beginMove: () => slow.clear(),
    async waitFor(ms) {
      const untilMs = clock.now() + ms;
      for (;;) {
        const nowMs = clock.now();
        const awaited = [...underWay].filter((one) => isAwaited(one, nowMs));
        if (awaited.length === 0) return true;
        if (nowMs >= untilMs) return false;
        const patientUntilMs = Math.max(...awaited.map((one) => one.patientUntilMs));
        await settleUntil(awaited, Math.min(untilMs, patientUntilMs), clock);
      }
    },
    nextEndMs() {
      let next: number | null = null;
      for (const one of underWay) {
        if (one.limit && !one.isExpired) next = Math.min(next ?? Infinity, one.limit.endMs);
      }
      return next;
    },
    expire(atMs) {
      let count = 0;
      for (const one of underWay) {
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

/** An effect that was told to end is about to. */
function isAwaited({ isExpired, patientUntilMs }: UnderWay, nowMs: number): boolean {
  return isExpired || patientUntilMs > nowMs;
}

async function settleAll(awaited: readonly UnderWay[]): Promise<void> {
  await Promise.allSettled(awaited.map(({ done }) => done));
}

/** Resolves when all of them have settled, or at an instant of real time. */
async function settleUntil(
  awaited: readonly UnderWay[],
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
