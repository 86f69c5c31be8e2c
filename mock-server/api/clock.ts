/** The state of the clock. Times are ISO 8601. */
export interface ClockReading {
  now: string;
  frozen: boolean;
  /**
   * How far the clock is ahead of this computer's, in milliseconds. Negative if it is behind. While the clock
   * is frozen: the offset when it was frozen, plus the moves since then.
   */
  offsetMs: number;
  /** Due time of the next job of a session or a webhook, or null if none is scheduled. */
  nextDue: string | null;
}

/** The clock's operations in the form of the HTTP API. */
export interface ClockOperations {
  /** Returns the state of the clock. */
  read(): Promise<ClockReading>;
  /** Stops the clock until `resume`. `advance`, `set` and `next` still move it. */
  freeze(): Promise<ClockReading>;
  /** Restarts the clock from its current time. */
  resume(): Promise<ClockReading>;
  /**
   * Advances to the next job of a session or a webhook, and runs everything that is due by then. If none is
   * scheduled, the time does not change.
   */
  next(): Promise<ClockReading>;
  /**
   * Advances the clock. Runs everything that becomes due, in order, and awaits its effects. A webhook
   * request whose receiver hangs is awaited for at most five seconds of real time. Then it
   * times out.
   * @param ms The milliseconds to advance, an integer, 0 or more.
   */
  advance(ms: number): Promise<ClockReading>;
  /**
   * Advances the clock to an instant, and runs everything that becomes due.
   * @param now ISO 8601
   */
  set(now: string): Promise<ClockReading>;
}

/** The type of `service.clock` and of the `clock` of a control client. */
export interface ServiceClock extends Omit<ClockOperations, 'set'> {
  /** Returns the virtual time. */
  now(): Promise<Date>;
  /** Advances to an instant. Rejects if it is in the past. */
  set(to: Date | number): Promise<ClockReading>;
}

/** Creates the clock that callers see. Its `set` accepts a date, and its `now` returns one. */
export function createServiceClock(operations: ClockOperations): ServiceClock {
  return {
    ...operations,
    now: async () => new Date((await operations.read()).now),
    set: (to) => operations.set(toText(new Date(to))),
  };
}

/** Formats a date. An invalid date becomes the text `Invalid Date`, which the service refuses. */
function toText(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString();
}
