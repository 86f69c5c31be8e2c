import type { RealClock } from './clock.ts';

/** Rounds of work in real time, one after the other, and turns during which no round begins. */
export interface Rounds {
  start(): void;
  /** Begins no more rounds, and waits for the turns and the round under way. */
  stop(): Promise<void>;
  /** Asks for a round after that many milliseconds, unless there will be one sooner. */
  askIn(ms: number): void;
  /** Runs a step while the rounds wait, one step after the other. A round follows. */
  inTurn<T>(step: () => Promise<T>): Promise<T>;
}

export interface RoundsOptions {
  readonly clock: RealClock;
  readonly run: () => Promise<void>;
  /** Told about a round that failed. */
  readonly onError: (error: unknown) => void;
}

/** When a round that could not be written is tried again: a full disk may be emptied. */
const FAILED_ROUND_MS = 1_000;

export function createRounds({ clock, run, onError }: RoundsOptions): Rounds {
  const alarm = createAlarm(clock, round);
  const turns = createSequence();
  let isStarted = false;
  let running: Promise<void> | null = null;
  let isRoundMissed = false;
  let isTurn = false;

  function round(): void {
    alarm.cancel();
    if (!isStarted || isTurn) return;
    if (running) {
      isRoundMissed = true;
      return;
    }
    isRoundMissed = false;
    running = run()
      .catch((error: unknown) => {
        // Undoing the round has put its jobs back into the heap, which asked for another one at once.
        alarm.cancel();
        askIn(FAILED_ROUND_MS);
        onError(error);
      })
      .finally(() => {
        running = null;
        if (isRoundMissed) round();
      });
  }

  function askIn(ms: number): void {
    if (isStarted && !isTurn) alarm.ringIn(ms);
  }

  async function takeTurn<T>(step: () => Promise<T>): Promise<T> {
    isTurn = true;
    try {
      await running;
      return await step();
    } finally {
      isTurn = false;
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
      await turns.end();
      await running;
    },
    askIn,
    inTurn: (step) => turns.add(() => takeTurn(step)),
  };
}

/** Steps that run one after the other, whatever became of the one before. */
interface Sequence {
  add<T>(step: () => Promise<T>): Promise<T>;
  /** Resolves when the last of them has ended. */
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

/** Rings once, at the earliest of the times that were asked for. */
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
