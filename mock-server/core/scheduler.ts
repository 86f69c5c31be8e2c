import { createClockControl, type ClockControl } from './clock-control.ts';
import { realDelayMs, virtualNow, type RealClock } from './clock.ts';
import type { Change } from './db.ts';
import { createDueJobs, type JobHandler } from './due-jobs.ts';
import { createEffects } from './effects.ts';
import { createRounds } from './rounds.ts';
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

/** Runs jobs when virtual time reaches them. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock: real, pollMs, onError } = options;
  const transact: Store['transact'] = (run) => options.store().transact(run);
  const jobs = createDueJobs(options.handlers);
  const effects = createEffects(real, onError);
  const rounds = createRounds({ clock: real, run: runRound, onError });

  /** Takes what is due, lets the effects run on, and looks again at the next due time. */
  async function runRound(): Promise<void> {
    const due = await transact((db) => {
      const taken = jobs.take(db, virtualNow(db, real.now()));
      const next = jobs.peek(db);
      return { ...taken, delayMs: next ? realDelayMs(db, next.dueMs, real.now()) : null };
    });
    effects.launch(due.effects);
    if (due.delayMs !== null) rounds.askIn(due.delayMs);
    if (pollMs > 0) rounds.askIn(pollMs);
  }

  return {
    observe(change) {
      const isSooner = jobs.observe(change);
      if (isSooner || change[0] === 'clock') rounds.askIn(0);
    },
    start: rounds.start,
    async stop() {
      await rounds.stop();
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
    clock: createClockControl({ transact, clock: real, jobs, effects, inTurn: rounds.inTurn }),
  };
}
