import { type ReadonlySignal, signal } from '@preact/signals';
import type { ClockReading } from 'ofage/mock';

/** The provider's clock. */
export interface LiveClock {
  /** As it was last read; null until it was read for the first time. */
  readonly reading: ReadonlySignal<ClockReading | null>;
  /** The provider's time, milliseconds since the epoch, every second; this computer's until it is known. */
  readonly nowMs: ReadonlySignal<number>;
  /** The provider's time at this moment. */
  now(): number;
}

export interface ClockEngine extends LiveClock {
  take(reading: ClockReading): void;
  /** Ticks until the returned function is called. */
  start(): () => void;
}

const TICK_MS = 1_000;

export function createClock(): ClockEngine {
  const reading = signal<ClockReading | null>(null);
  const nowMs = signal(Date.now());
  let readAtMs = 0;
  const now = (): number => {
    const clock = reading.peek();
    if (!clock) return Date.now();
    return toVirtualNow(clock, performance.now() - readAtMs);
  };
  const tick = (): void => void (nowMs.value = now());
  return {
    reading,
    nowMs,
    now,
    take(clock) {
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

/** @param passedMs How long ago the clock was read, in real time. */
export function toVirtualNow(
  { now, frozen }: Pick<ClockReading, 'now' | 'frozen'>,
  passedMs: number,
): number {
  return Date.parse(now) + (frozen ? 0 : Math.max(0, passedMs));
}
