import { createClockControl, type ClockControl } from './clock-control.ts';
import { realDelayMs, virtualNow, type RealClock } from './clock.ts';
import type { Change } from './db.ts';
import { createDueJobs, type JobHandler } from './due-jobs.ts';
import { createEffects } from './effects.ts';
import { createRounds } from './rounds.ts';
import type { Store } from './store.ts';

export type { ClockControl, ClockState } from './clock-control.ts';
export type { Effect, JobHandler } from './due-jobs.ts';

export interface Scheduler {
  /** Updates the agendas. The store must call it for every change to the tables. */
  observe(change: Change): void;
  /** Starts to run due jobs in real time. */
  start(): void;
  /** Stops, and waits for clock moves and effects in progress. */
  stop(): Promise<void>;
  /** Runs every job that is due now. Awaits their effects and those already in progress. */
  runDue(): Promise<void>;
  readonly clock: ClockControl;
}

export interface SchedulerOptions {
  readonly store: () => Store;
  readonly clock: RealClock;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Interval for finding jobs that other processes or tabs have added. Milliseconds; 0 means never. */
  readonly pollMs: number;
  /** Called with the error of a job, of an effect, or of a round that could not be written. */
  readonly onError: (error: unknown) => void;
}

/** Creates a scheduler, which runs each job when virtual time reaches its due time. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock: real, pollMs, onError } = options;
  const transact: Store['transact'] = (run) => options.store().transact(run);
  const jobs = createDueJobs(options.handlers);
  const effects = createEffects(real, onError);
  const rounds = createRounds({ clock: real, run: runRound, onError });

  /** Runs the due jobs, starts their effects without awaiting them, and requests the next round. */
  async function runRound(): Promise<void> {
    const due = await transact((db) => {
      const taken = jobs.take(db, virtualNow(db, real.now()));
      const next = jobs.peek(db);
      return { ...taken, delayMs: next ? realDelayMs(db, next.dueMs, real.now()) : null };
    });
    effects.launch(due.effects);
    if (due.delayMs !== null) rounds.scheduleIn(due.delayMs);
    if (pollMs > 0) rounds.scheduleIn(pollMs);
  }

  return {
    observe(change) {
      const isSooner = jobs.observe(change);
      if (isSooner || change[0] === 'clock') rounds.scheduleIn(0);
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
    clock: createClockControl({ transact, clock: real, jobs, effects, runAlone: rounds.runAlone }),
  };
}
