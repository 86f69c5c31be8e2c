import { type ReadonlySignal, signal } from '@preact/signals';
import type { ClockReading } from 'ofage-mock';

/** The service's clock. */
export interface LiveClock {
  /** The last reading of the clock. Null until the first read. */
  readonly reading: ReadonlySignal<ClockReading | null>;
  /**
   * The service's time in milliseconds since the epoch, updated every second. Until the first reading it is
   * this computer's time.
   */
  readonly nowMs: ReadonlySignal<number>;
  /** Returns the service's current time in milliseconds since the epoch. */
  now(): number;
}

const TICK_MS = 1_000;

export function createClock(): LiveClock & {
  update(reading: ClockReading): void;
  /** Updates `nowMs` every second until the returned function is called. */
  start(): () => void;
} {
  const reading = signal<ClockReading | null>(null);
  const nowMs = signal(Date.now());
  let readAtMs = 0;
  const now = (): number => {
    const clock = reading.peek();
    if (!clock) return Date.now();
    return Date.parse(clock.now) + (clock.frozen ? 0 : performance.now() - readAtMs);
  };
  function tick(): void {
    nowMs.value = now();
  }
  return {
    reading,
    nowMs,
    now,
    update(clock) {
      readAtMs = performance.now();
      reading.value = clock;
      tick();
    },
    start() {
      const ticking = setInterval(tick, TICK_MS);
      return () => clearInterval(ticking);
    },
  };
}
