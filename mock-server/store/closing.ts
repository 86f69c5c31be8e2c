import type { RealClock } from './clock.ts';

/** Time for work in progress to finish when the service closes. Milliseconds of real time. */
const GRACE_MS = 500;

/** The end of the service, which waits a short time for work in progress and then cuts it short. */
export interface Closing {
  /** Aborts when the time for work in progress is over. */
  readonly signal: AbortSignal;
  /** Lets the service wait for work that ends soon after the signal aborts. */
  track<T>(work: () => Promise<T>): Promise<T>;
  /** Starts the time for work in progress. */
  begin(): void;
  /** Waits for work that may never end, until the signal aborts. */
  orAborted(work: Promise<unknown>): Promise<void>;
  /** Waits for the tracked work. */
  settled(): Promise<void>;
  /** Aborts the signal, so that work that begins now ends at once. */
  end(): void;
}

export function createClosing(clock: RealClock): Closing {
  const controller = new AbortController();
  const { signal } = controller;
  const tracker = createTracker();
  let cancelTimer = (): void => {};
  return {
    signal,
    track: tracker.track,
    begin() {
      cancelTimer = clock.wakeAt(clock.now() + GRACE_MS, () => controller.abort(), true);
    },
    async orAborted(work) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([work, aborted]);
    },
    settled: tracker.settled,
    end() {
      cancelTimer();
      controller.abort();
    },
  };
}

/** Counts the work in progress. */
export interface Tracker {
  track<T>(work: () => T | Promise<T>): Promise<T>;
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>;
}

export function createTracker(): Tracker {
  let inProgress = 0;
  const waiting: (() => void)[] = [];
  const isBusy = (): boolean => inProgress > 0;
  return {
    async track(work) {
      inProgress += 1;
      try {
        return await work();
      } finally {
        inProgress -= 1;
        if (!isBusy()) waiting.splice(0).forEach((wake) => wake());
      }
    },
    async settled() {
      while (isBusy()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** Returns the error of a call that the service can no longer answer. */
export function closedError(): Error {
  return new Error('The service is closed');
}
