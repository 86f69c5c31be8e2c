import type { RealClock } from '../../mock-server/store/clock.ts';

/** A replacement for the real clock that a test moves. */
export interface ManualClock extends RealClock {
  /** Moves the time forward and calls the due wake-ups in order. */
  pass(ms: number): Promise<void>;
  /** Number of pending wake-ups. */
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
 * Waits for a few turns of the event loop, so that all pending callbacks run. Work of other threads, such
 * as Web Crypto or a disk, may take longer. Wait for its result instead.
 */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
