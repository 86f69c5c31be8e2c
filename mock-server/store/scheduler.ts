import { type ClockControl, createClockControl } from './clock-control.ts';
import { createClockMove } from './clock-move.ts';
import {
  createSteadyClock,
  type RealClock,
  realDelayMs,
  shortenClockHold,
  virtualNow,
} from './clock.ts';
import type { Db, RowChange } from './db.ts';
import { createEffects } from './effects.ts';
import { createDueJobs, type JobHandler } from './jobs.ts';
import { createRounds } from './rounds.ts';
import type { Store } from './store.ts';

export type { ClockControl, ClockState } from './clock-control.ts';
export type { Effect, JobHandler } from './jobs.ts';

// The scheduler runs each job when virtual time reaches its due time. It has five parts:
//
// jobs           The queues: which job is due next (jobs.ts).
// effects        The parts of jobs that run after their transaction is durable, such as requests (effects.ts).
// rounds         A round takes a batch of due jobs in one transaction and starts their effects. Rounds run
//                one after the other, in real time (rounds.ts).
// clock move     Takes the due jobs itself, instant by instant, while no round runs (clock-move.ts).
// clock control  Reads, freezes, resumes and moves the clock for a caller (clock-control.ts).

export interface Scheduler {
  /** Updates the queues of jobs. The store must call it for every change to the tables. */
  observe(change: RowChange): void;
  /** Starts to run due jobs in real time. */
  start(): void;
  /** Starts no more jobs, and waits for clock moves and effects in progress. */
  stop(): Promise<void>;
  /**
   * Runs the jobs that are due now, and those that become due meanwhile. Awaits their effects and those
   * already in progress. Does not end while a job stores itself again as due.
   */
  runDue(): Promise<void>;
  readonly clock: ClockControl;
}

interface SchedulerOptions {
  readonly store: () => Store;
  readonly clock: RealClock;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Interval for finding jobs that other processes or tabs have added. Milliseconds; 0 means never. */
  readonly pollMs: number;
  /** Called with the error of a job, of an effect, or of a round that could not be written. */
  readonly onError: (error: unknown) => void;
  /**
   * Called in a transaction after the computer's clock was set back.
   * @default does nothing
   */
  readonly onSetBack?: (db: Db, nowMs: number) => void;
  /**
   * When it aborts, a clock move ends with an error before its next instant. Effects must then end
   * themselves.
   * @default a signal that never aborts
   */
  readonly closing?: AbortSignal;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock: real, pollMs, onError, closing = new AbortController().signal } = options;
  const transact: Store['transact'] = (run) => options.store().transact(run);
  const jobs = createDueJobs(options.handlers);
  const steady = createSteadyClock(real);
  const effects = createEffects(steady, onError);
  const rounds = createRounds({ clock: steady, run: runRound, onError });
  const move = createClockMove({ transact, clock: real, jobs, effects, closing, detectSetBack });
  let lastRealMs = -Infinity;

  function detectSetBack(db: Db): void {
    const realMs = real.now();
    if (realMs < lastRealMs) {
      shortenClockHold(db, realMs);
      options.onSetBack?.(db, virtualNow(db, realMs));
    }
    lastRealMs = realMs;
  }

  /** Runs the due jobs, starts their effects without awaiting them, and requests the next round. */
  async function runRound(): Promise<void> {
    const due = await transact((db) => {
      detectSetBack(db);
      const taken = jobs.take(db, virtualNow(db, real.now()));
      const next = jobs.peek(db);
      // Null if there is no other job, or if time is frozen before it is due.
      const nextInMs = next ? realDelayMs(db, next.dueMs, real.now()) : null;
      return { effects: taken.effects, nextInMs };
    });
    effects.launch(due.effects);
    if (due.nextInMs !== null) rounds.requestWithin(due.nextInMs);
    if (pollMs > 0) rounds.requestWithin(pollMs);
  }

  return {
    observe(change) {
      const [table] = change;
      const isSooner = jobs.observe(change);
      if (isSooner || table === 'clock') rounds.requestWithin(0);
    },
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await effects.settle();
    },
    async runDue() {
      let taken: number;
      do {
        const due = await transact((db) => jobs.take(db, virtualNow(db, real.now())));
        effects.launch(due.effects);
        await effects.settle();
        taken = due.taken;
      } while (taken > 0);
    },
    clock: createClockControl({ transact, clock: real, jobs, move, runAlone: rounds.runAlone }),
  };
}
