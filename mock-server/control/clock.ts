import type { RoutesOf } from './route.ts';

/** The clock at a glance. Times are ISO 8601. */
export interface ClockReading {
  now: string;
  frozen: boolean;
  /** Due time of the next job; null if none is scheduled. */
  nextDue: string | null;
}

/** The clock's operations, as they are on the wire. */
export interface ClockOperations {
  read(): Promise<ClockReading>;
  /** Stands still. */
  freeze(): Promise<ClockReading>;
  /** Runs on from where it stands. */
  resume(): Promise<ClockReading>;
  /** Moves forward to the next thing due and runs it; stays when nothing is. */
  next(): Promise<ClockReading>;
  /**
   * Moves forward, running in order everything that falls due on the way and awaiting what it causes. A
   * webhook receiver that hangs is awaited for five seconds of real time; its attempts time out as the clock
   * passes their fifteen seconds.
   * @param ms Milliseconds, integer, 0 or more.
   */
  advance(ms: number): Promise<ClockReading>;
  /** @param now ISO 8601 */
  set(now: string): Promise<ClockReading>;
}

/** The clock of the control surface. */
export interface ServiceClock extends Omit<ClockOperations, 'set'> {
  /** Virtual now. */
  now(): Promise<Date>;
  /** Moves forward to an instant; rejects when it has passed. */
  set(to: Date | number): Promise<ClockReading>;
}

export const clockRoutes = {
  read: { method: 'GET', path: '/clock' },
  freeze: { method: 'POST', path: '/clock/freeze' },
  resume: { method: 'POST', path: '/clock/resume' },
  next: { method: 'POST', path: '/clock/next' },
  advance: { method: 'POST', path: '/clock/advance', field: 'ms' },
  set: { method: 'POST', path: '/clock/set', field: 'now' },
} as const satisfies RoutesOf<ClockOperations>;

/** Makes the clock that callers see, which takes and gives dates. */
export function createServiceClock(operations: ClockOperations): ServiceClock {
  return {
    ...operations,
    now: async () => new Date((await operations.read()).now),
    set: (to) => operations.set(toText(new Date(to))),
  };
}

/** A time that cannot be shown is left for the service to refuse. */
function toText(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString();
}
