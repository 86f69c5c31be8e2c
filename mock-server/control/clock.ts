import type { ClockControl, ClockState } from '../core/scheduler.ts';
import { toIso } from './resources.ts';

/** The clock at a glance. Times are ISO 8601. */
export interface ClockReading {
  now: string;
  frozen: boolean;
  /** When the next thing falls due; null when nothing waits. */
  nextDue: string | null;
}

/** The clock of the control surface. */
export interface ServiceClock {
  /** Virtual now. */
  now(): Promise<Date>;
  read(): Promise<ClockReading>;
  /** Stands still. */
  freeze(): Promise<ClockReading>;
  /** Runs on from where it stands. */
  resume(): Promise<ClockReading>;
  /**
   * Moves forward, running in order everything that falls due on the way and awaiting what it causes.
   * @param ms Milliseconds, integer, 0 or more.
   */
  advance(ms: number): Promise<ClockReading>;
  /** Moves forward to an instant; rejects with a RangeError when it has passed. */
  set(to: Date | number): Promise<ClockReading>;
  /** Moves forward to the next thing due and runs it; stays when nothing is. */
  next(): Promise<ClockReading>;
}

/** The clock of a service that opens at its first use. */
export function createServiceClock(
  clock: ClockControl,
  open: () => Promise<unknown>,
): ServiceClock {
  const after = async (use: () => Promise<ClockState>): Promise<ClockReading> => {
    await open();
    return toReading(await use());
  };
  return {
    async now() {
      await open();
      return new Date(await clock.now());
    },
    read: () => after(() => clock.read()),
    freeze: () => after(() => clock.freeze()),
    resume: () => after(() => clock.resume()),
    advance: (ms) => after(() => clock.advance(ms)),
    set: (to) => after(() => clock.set(Number(to))),
    next: () => after(() => clock.next()),
  };
}

/** Returns the clock as the control surface shows it. */
export function toReading({ nowMs, frozen, nextDueMs }: ClockState): ClockReading {
  return { now: toIso(nowMs), frozen, nextDue: nextDueMs === null ? null : toIso(nextDueMs) };
}
