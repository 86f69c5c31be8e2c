import { createClockControl, type ClockControl } from './clock-control.ts';
import { realDelayMs, virtualNow, type RealClock } from './clock.ts';
import type { Change } from './db.ts';
import { createDueJobs, type JobHandler } from './due-jobs.ts';
import { createEffects } from './effects.ts';
import type { Store } from './store.ts';

export type { ClockControl, ClockState } from './clock-control.ts';
export type { Effect, JobHandler, TimeLimit } from './due-jobs.ts';

export interface Scheduler {
  /** Tells the scheduler of every change to the tables; give it to the store. */
  observe(change: Change): void;
  /** Starts to run what falls due in real time. */
  start(): void;
  /** Stops, and waits for moves of the clock and effects under way. */
  stop(): Promise<void>;
  /** Runs everything due by now, awaiting effects, those under way included. */
  runDue(): Promise<void>;
  readonly clock: ClockControl;
}

export interface SchedulerOptions {
  readonly store: () => Store;
  readonly clock: RealClock;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** How often to look although nothing is known to be due, because other holders add jobs too. Milliseconds; 0 is never. */
  readonly pollMs: number;
  /** Told about a job or effect that threw, and about a round that could not be written. */
  readonly onError: (error: unknown) => void;
}

/** When a round that could not be written is tried again: a full disk may be emptied. */
const FAILED_ROUND_MS = 1_000;

/** Runs jobs when virtual time reaches them. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock: real, pollMs, onError } = options;
  const transact: Store['transact'] = (run) => options.store().transact(run);
  const jobs = createDueJobs(options.handlers);
  const effects = createEffects(real, onError);
  let started = false;
  let wake: { readonly atMs: number; cancel(): void } | null = null;
  let running: Promise<void> | null = null;
  let isRoundMissed = false;
  let turns: Promise<unknown> = Promise.resolve();
  let isTurn = false;

  /** One round of real time: take what is due, let the effects run on, look again at the next due time. */
  async function tick(): Promise<void> {
    const due = await transact((db) => {
      const taken = jobs.take(db, virtualNow(db, real.now()));
      const next = jobs.peek(db);
      return { ...taken, delayMs: next ? realDelayMs(db, next.dueMs, real.now()) : null };
    });
    effects.launch(due.effects);
    if (due.delayMs !== null) wakeIn(due.delayMs);
    if (pollMs > 0) wakeIn(pollMs);
  }

  function round(): void {
    sleep();
    if (!started || isTurn) return;
    if (running) {
      isRoundMissed = true;
      return;
    }
    isRoundMissed = false;
    running = tick()
      .catch((error: unknown) => {
        // Undoing the round has put its jobs back into the heap, which asked for another one at once.
        sleep();
        wakeIn(FAILED_ROUND_MS);
        onError(error);
      })
      .finally(() => {
        running = null;
        if (isRoundMissed) round();
      });
  }

  /** Asks for a round after that many milliseconds, unless there will be one sooner. */
  function wakeIn(ms: number): void {
    const atMs = real.now() + ms;
    if (!started || (wake && wake.atMs <= atMs)) return;
    wake?.cancel();
    wake = { atMs, cancel: real.wakeAt(atMs, round) };
  }

  function sleep(): void {
    wake?.cancel();
    wake = null;
  }

  function inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = turns.then(async () => {
      isTurn = true;
      try {
        await running;
        return await step();
      } finally {
        isTurn = false;
        round();
      }
    });
    turns = turn.catch(() => {});
    return turn;
  }

  return {
    observe(change) {
      const isSooner = jobs.observe(change);
      if ((isSooner || change[0] === 'clock') && !isTurn) wakeIn(0);
    },
    start() {
      started = true;
      round();
    },
    async stop() {
      started = false;
      sleep();
      await turns;
      await running;
      await effects.settle();
    },
    async runDue() {
      for (let taken = 1; taken > 0;) {
        const due = await transact((db) => jobs.take(db, virtualNow(db, real.now())));
        taken = due.taken;
        effects.launch(due.effects);
        await effects.settle();
      }
    },
    clock: createClockControl({ transact, clock: real, jobs, effects, inTurn }),
  };
}
