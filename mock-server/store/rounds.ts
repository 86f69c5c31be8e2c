import type { RealClock } from './clock.ts';

/**
 * Runs rounds of work in real time, and steps that no round may overlap, such as clock moves.
 *
 * - A round starts when it is due. Rounds run one after the other.
 * - Steps run one after the other, too. A step waits for the round in progress, no round starts during it,
 *   and one starts right after it.
 */
export interface Rounds {
  /** Starts the first round. Has no effect after `stop`. */
  start(): void;
  /** Starts no more rounds, and waits for the steps and the round in progress. */
  stop(): Promise<void>;
  /**
   * Requests a round within this many milliseconds. Of several requests the earliest counts: one round
   * answers them all. Ignored before the start, after the stop and during a step.
   */
  requestWithin(ms: number): void;
  /** Runs a step as soon as no round and no other step runs. */
  runAlone<T>(step: () => Promise<T>): Promise<T>;
}

interface RoundsOptions {
  readonly clock: RealClock;
  /** The work of one round. */
  readonly run: () => Promise<void>;
  /** Called with the error of a failed round. */
  readonly onError: (error: unknown) => void;
}

/** The delay before each retry of a failed round, for example while the disk is full. */
const FAILED_ROUND_MS = 1_000;

export function createRounds({ clock, run, onError }: RoundsOptions): Rounds {
  const alarm = createAlarm(clock, beginRound);
  let phase: 'new' | 'started' | 'stopped' = 'new';
  /** The round in progress. */
  let running: Promise<void> | null = null;
  /** True if another round was due during the one in progress. It starts when that one ends. */
  let isRoundMissed = false;
  /** True while a step runs, and while it waits for the round in progress. */
  let isAlone = false;
  let lastStep: Promise<void> = Promise.resolve();

  function beginRound(): void {
    alarm.cancel();
    if (phase !== 'started' || isAlone) return;
    if (running) {
      isRoundMissed = true;
      return;
    }
    isRoundMissed = false;
    running = runRound();
  }

  async function runRound(): Promise<void> {
    try {
      await run();
    } catch (error) {
      // Undoing the round has restored its jobs and so requested a round at once. Cancels that request,
      // because a failed round is retried later.
      alarm.cancel();
      requestWithin(FAILED_ROUND_MS);
      onError(error);
    } finally {
      running = null;
      if (isRoundMissed) beginRound();
    }
  }

  function requestWithin(ms: number): void {
    if (phase === 'started' && !isAlone) alarm.ringWithin(ms);
  }

  async function runStep<T>(step: () => Promise<T>): Promise<T> {
    isAlone = true;
    try {
      await running;
      return await step();
    } finally {
      isAlone = false;
      beginRound();
    }
  }

  return {
    start() {
      // The service may have been closed while it opened.
      if (phase === 'stopped') return;
      phase = 'started';
      beginRound();
    },
    async stop() {
      phase = 'stopped';
      alarm.cancel();
      await lastStep;
      await running;
    },
    requestWithin,
    runAlone(step) {
      const added = lastStep.then(() => runStep(step));
      // A failed step does not stop the next one.
      lastStep = added.then(ignore, ignore);
      return added;
    },
  };
}

function ignore(): void {}

/** Creates a timer that fires once, at the earliest of the requested times. */
function createAlarm(clock: RealClock, ring: () => void) {
  let next: { readonly atMs: number; cancel(): void } | null = null;
  return {
    ringWithin(ms: number): void {
      const atMs = clock.now() + ms;
      if (next && next.atMs <= atMs) return;
      next?.cancel();
      next = { atMs, cancel: clock.wakeAt(atMs, ring) };
    },
    cancel(): void {
      next?.cancel();
      next = null;
    },
  };
}
