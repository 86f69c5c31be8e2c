import type { RealClock } from '../../mock-server/core/clock.ts';

/** Real time that a test moves. */
export interface ManualClock extends RealClock {
  /** Moves on, calling in order everyone who asked to be woken on the way. */
  pass(ms: number): Promise<void>;
  /** How many ask to be woken. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();

  function nextBefore(untilMs: number): Sleeper | undefined {
    return [...sleepers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
  }

  return {
    now: () => nowMs,
    wakeAt(atMs, wake) {
      const sleeper = { atMs, wake };
      sleepers.add(sleeper);
      return () => void sleepers.delete(sleeper);
    },
    get sleepers() {
      return sleepers.size;
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (let next = nextBefore(untilMs); next; next = nextBefore(untilMs)) {
        nowMs = Math.max(nowMs, next.atMs);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      nowMs = untilMs;
    },
  };
}

/**
 * Lets everything happen that waits for nothing but its turn. What other threads do, Web Crypto or a disk, may
 * take longer: wait for what comes of it.
 */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
