import type { RealClock } from './clock.ts';

/** Rounds of work, which run in real time, one after the other. No round starts while a step runs alone. */
export interface Rounds {
  start(): void;
  /** Starts no more rounds, and waits for the steps and the round in progress. */
  stop(): Promise<void>;
  /** Requests a round after a delay in milliseconds, unless an earlier one is requested. */
  scheduleIn(ms: number): void;
  /** Runs a step while no round runs. Steps run one after the other, and a round follows each. */
  runAlone<T>(step: () => Promise<T>): Promise<T>;
}

export interface RoundsOptions {
  readonly clock: RealClock;
  readonly run: () => Promise<void>;
  /** Called with the error of a failed round. */
  readonly onError: (error: unknown) => void;
}

/** The delay before each retry of a failed round, for example while the disk is full. */
const FAILED_ROUND_MS = 1_000;

export function createRounds({ clock, run, onError }: RoundsOptions): Rounds {
  const alarm = createAlarm(clock, round);
  const steps = createSequence();
  let isStarted = false;
  let running: Promise<void> | null = null;
  let isRoundMissed = false;
  let isAlone = false;

  function round(): void {
    alarm.cancel();
    if (!isStarted || isAlone) return;
    if (running) {
      isRoundMissed = true;
      return;
    }
    isRoundMissed = false;
    running = run()
      .catch((error: unknown) => {
        // Undoing the round has restored its jobs and so requested a round at once. Cancels that request,
        // because a failed round is retried later.
        alarm.cancel();
        scheduleIn(FAILED_ROUND_MS);
        onError(error);
      })
      .finally(() => {
        running = null;
        if (isRoundMissed) round();
      });
  }

  function scheduleIn(ms: number): void {
    if (isStarted && !isAlone) alarm.ringIn(ms);
  }

  async function runAlone<T>(step: () => Promise<T>): Promise<T> {
    isAlone = true;
    try {
      await running;
      return await step();
    } finally {
      isAlone = false;
      round();
    }
  }

  return {
    start() {
      isStarted = true;
      round();
    },
    async stop() {
      isStarted = false;
      alarm.cancel();
      await steps.end();
      await running;
    },
    scheduleIn,
    runAlone: (step) => steps.add(() => runAlone(step)),
  };
}

/** Steps that run one after the other. A failed one does not stop the next. */
interface Sequence {
  add<T>(step: () => Promise<T>): Promise<T>;
  /** Resolves when the last step has ended. */
  end(): Promise<void>;
}

function createSequence(): Sequence {
  let last: Promise<void> = Promise.resolve();
  return {
    add(step) {
      const added = last.then(step);
      last = added.then(ignore, ignore);
      return added;
    },
    end: () => last,
  };
}

function ignore(): void {}

/** A timer that fires once, at the earliest of the requested times. */
interface Alarm {
  ringIn(ms: number): void;
  cancel(): void;
}

function createAlarm(clock: RealClock, ring: () => void): Alarm {
  let next: { readonly atMs: number; cancel(): void } | null = null;
  return {
    ringIn(ms) {
      const atMs = clock.now() + ms;
      if (next && next.atMs <= atMs) return;
      next?.cancel();
      next = { atMs, cancel: clock.wakeAt(atMs, ring) };
    },
    cancel() {
      next?.cancel();
      next = null;
    },
  };
}
