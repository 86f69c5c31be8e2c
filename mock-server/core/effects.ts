import type { RealClock } from './clock.ts';
import type { Effect, TimeLimit } from './due-jobs.ts';

/** The effects in progress. */
export interface Effects {
  /** Starts effects. Their errors are reported. */
  launch(effects: readonly Effect[]): void;
  /** Resolves when no effect is in progress. */
  settle(): Promise<void>;

  /** Marks the start of a clock move. No group counts as slow until the move has ended one of its effects. */
  beginMove(): void;
  /**
   * Waits for the effects for which a clock move still has to wait, for at most this many milliseconds of
   * real time. Returns false if some of them are still running then.
   */
  waitFor(ms: number): Promise<boolean>;
  /** Returns the earliest time limit of the effects in progress, in virtual time. */
  nextEndMs(): number | null;
  /** Ends the effects whose time limit has passed at an instant. Returns their number. */
  expire(atMs: number): number;
}

/**
 * The real time for which a clock move waits for an effect with a time limit. It is long enough for the
 * cold start of a receiver, and short enough to move past one that hangs.
 */
const WAIT_MS = 5_000;

/** The shorter wait for an effect of a slow group. */
const SHORT_WAIT_MS = 50;

interface InFlight {
  readonly done: Promise<void>;
  readonly limit: TimeLimit | undefined;
  /** The real time until which a clock move waits for the effect. */
  readonly awaitedUntilMs: number;
  /** True after a clock move has ended the effect, which settles a little later. */
  isExpired: boolean;
}

export function createEffects(clock: RealClock, onError: (error: unknown) => void): Effects {
  const inFlight = new Set<InFlight>();
  /** The groups that count as slow, because the current clock move has ended one of their effects. */
  const slow = new Set<string>();

  function launchOne(effect: Effect): void {
    const { limit } = effect;
    const waitMs = limit && slow.has(limit.group) ? SHORT_WAIT_MS : WAIT_MS;
    const one: InFlight = {
      done: run(effect, onError).finally(() => {
        inFlight.delete(one);
        if (limit && !one.isExpired) slow.delete(limit.group);
      }),
      limit,
      awaitedUntilMs: limit ? clock.now() + waitMs : Infinity,
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
        const awaitedUntilMs = Math.max(...awaited.map((one) => one.awaitedUntilMs));
        await settleUntil(awaited, Math.min(untilMs, awaitedUntilMs), clock);
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

/**
 * Tells whether a clock move waits for the effect. It also waits for an ended effect, which settles
 * shortly.
 */
function isAwaited({ isExpired, awaitedUntilMs }: InFlight, nowMs: number): boolean {
  return isExpired || awaitedUntilMs > nowMs;
}

async function settleAll(awaited: readonly InFlight[]): Promise<void> {
  await Promise.allSettled(awaited.map(({ done }) => done));
}

/** Resolves when all effects have settled, or at the given real time. */
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
