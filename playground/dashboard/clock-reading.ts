import type { ClockReading } from 'ofage/mock';

/** The provider's clock, and when it was heard, so that it can be told on without asking again. */
export interface HeardClock {
  readonly clock: Pick<ClockReading, 'now' | 'frozen'>;
  /** By any clock of this computer that runs evenly. */
  readonly heardAtMs: number;
}

export function toVirtualNow({ clock, heardAtMs }: HeardClock, realNowMs: number): number {
  const passedMs = clock.frozen ? 0 : Math.max(0, realNowMs - heardAtMs);
  return Date.parse(clock.now) + passedMs;
}
