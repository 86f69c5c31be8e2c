import TinyQueue from 'tinyqueue';
import type { RealClock } from '../../../../mock-server/store/clock.ts';

/** A clock that moves only after all work that needs no time has finished. */
export interface SimClock extends RealClock {
  /** Runs all timers that are due until `endMs`, and sets the time to `endMs`. */
  runUntil(endMs: number): Promise<void>;
  sleep(ms: number): Promise<void>;
}

interface Alarm {
  readonly atMs: number;
  readonly order: number;
  ring: (() => void) | null;
}

/** @param onStep Called before each step. If it throws, the run ends. */
export function createSimClock(startMs: number, onStep: () => void = () => {}): SimClock {
  let nowMs = startMs;
  let order = 0;
  const alarms = new TinyQueue<Alarm>([], (a, b) => a.atMs - b.atMs || a.order - b.order);

  function wakeAt(atMs: number, ring: () => void): () => void {
    order += 1;
    const alarm: Alarm = { atMs: Math.max(atMs, nowMs), order, ring };
    alarms.push(alarm);
    return () => (alarm.ring = null);
  }

  return {
    now: () => nowMs,
    wakeAt,
    sleep: (ms) => new Promise((resolve) => wakeAt(nowMs + ms, resolve)),
    async runUntil(endMs) {
      await drain();
      let steps = 0;
      for (let next = alarms.peek(); next && next.atMs <= endMs; next = alarms.peek()) {
        nowMs = next.atMs;
        onStep();
        steps += 1;
        if (steps > MOST_STEPS) throw new Error(`${MOST_STEPS} steps without an end`);
        let hasRung = false;
        for (; next && next.atMs === nowMs; next = alarms.peek()) {
          alarms.pop();
          if (!next.ring) continue;
          next.ring();
          hasRung = true;
        }
        if (hasRung) await drain();
      }
      nowMs = endMs;
    },
  };
}

/**
 * The limit is far above the steps that a scenario needs. It stops an engine that polls instead of waiting.
 */
const MOST_STEPS = 100_000;

/**
 * Runs one turn of the event loop. This settles every promise that needs no timer, because no code here
 * uses threads.
 */
const drain = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
