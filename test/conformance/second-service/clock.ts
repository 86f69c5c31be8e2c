import { setTimeout as wait } from 'node:timers/promises';

/**
 * The real time after which `advance` no longer waits for work in progress, because a receiver may never
 * respond.
 */
const PATIENCE_MS = 1_000;

/** Creates a clock that moves only when `advance` is called. */
export function createClock() {
  let nowMs = Date.now();
  let alarms: { atMs: number; ring: () => void }[] = [];
  const work = new Set<Promise<void>>();

  /** Waits for the work in progress, until none of it has finished for `PATIENCE_MS`. */
  async function finishWork(): Promise<void> {
    while (work.size > 0) {
      const patience = wait(PATIENCE_MS, 'over', { ref: false });
      if ((await Promise.race([...work, patience])) === 'over') return;
    }
  }

  return {
    now: () => nowMs,
    /** Calls `ring` when the clock reaches a time. */
    at(atMs: number, ring: () => void): void {
      alarms.push({ atMs, ring });
    },
    /** Makes `advance` wait for work that takes no time on this clock. */
    hold(task: Promise<void>): void {
      const held = task.finally(() => work.delete(held));
      work.add(held);
    },
    /** Moves the clock forward. Alarms ring in the order of their times, and `advance` waits for their work. */
    async advance(ms: number): Promise<void> {
      const targetMs = nowMs + ms;
      await finishWork();
      for (;;) {
        alarms = alarms.toSorted((a, b) => a.atMs - b.atMs);
        const [next] = alarms;
        if (!next || next.atMs > targetMs) break;
        alarms.shift();
        nowMs = Math.max(next.atMs, nowMs);
        next.ring();
        await finishWork();
      }
      nowMs = targetMs;
    },
  };
}
