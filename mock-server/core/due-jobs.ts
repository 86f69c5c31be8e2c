import { createAgenda, type Agenda } from './agenda.ts';
import type { Change, Db } from './db.ts';
import { HOUSEKEEPING_JOBS, type JobRow } from './tables.ts';

/** What a job does beyond the tables, after its transaction is durable: a request, for example. */
export interface Effect {
  (): Promise<void>;
  /** Set on an effect that may take its time, so that a move of the clock need not wait for it in full. */
  readonly limit?: TimeLimit;
}

/** When an effect ends although less real time has passed, because the clock was moved. */
export interface TimeLimit {
  /** In virtual time, milliseconds since the epoch. */
  readonly endMs: number;
  /** Effects that are likely to be as slow as each other, such as the requests to one endpoint. */
  readonly group: string;
  /** Makes the effect end at once. */
  expire(): void;
}

/**
 * Runs one due job inside a transaction. It must delete the job or put it again with a later due time (a
 * lease, while its effect runs); otherwise the scheduler deletes it. When it throws, what it wrote is
 * undone, the other jobs go on, and this one is tried again a minute later.
 */
export type JobHandler = (db: Db, job: JobRow, nowMs: number) => Effect | undefined;

/** The jobs in the order in which they fall due. */
export interface DueJobs {
  /** Learns of a change to the tables; whether it made another job the first. */
  observe(change: Change): boolean;
  /** The earliest job. */
  peek(db: Db): JobRow | undefined;
  /** The earliest job that anybody waits for: no mere housekeeping. */
  peekAwaited(db: Db): JobRow | undefined;
  /** Runs, inside the caller's transaction, a batch of the jobs due by an instant; returns their effects. */
  take(db: Db, untilMs: number): { effects: Effect[]; taken: number };
}

/** The most jobs that one transaction takes, so that a backlog does not hold up requests. */
const BATCH = 200;

/** When a job that threw is tried again: seldom enough that one which always throws does no harm. */
const RETRY_MS = 60_000;

/** Derives agendas from the `jobs` table. They may hold stale items, which are dropped when they come up. */
export function createDueJobs(handlers: Readonly<Record<string, JobHandler>>): DueJobs {
  const awaited = createAgenda();
  const quiet = createAgenda();
  const agendaOf = ({ kind }: JobRow): Agenda => (HOUSEKEEPING_JOBS.has(kind) ? quiet : awaited);

  const peekAwaited = (db: Db): JobRow | undefined => peekAt(awaited, db);

  function peek(db: Db): JobRow | undefined {
    const first = peekAwaited(db);
    const other = peekAt(quiet, db);
    return first && other ? (first.dueMs <= other.dueMs ? first : other) : (first ?? other);
  }

  return {
    observe([table, , row]) {
      if (table !== 'jobs' || !row) return false;
      // Only put and apply write rows, and both write whole ones.
      const job = row as JobRow;
      return agendaOf(job).add(job);
    },
    peek,
    peekAwaited,
    take(db, untilMs) {
      const effects: Effect[] = [];
      let taken = 0;
      for (let job = peek(db); job && job.dueMs <= untilMs && taken < BATCH; job = peek(db)) {
        agendaOf(job).shift();
        taken += 1;
        const effect = runJob(db, job, handlers[job.kind], untilMs);
        if (effect) effects.push(effect);
      }
      return { effects, taken };
    },
  };
}

function peekAt(agenda: Agenda, db: Db): JobRow | undefined {
  for (let job = agenda.first(); job; job = agenda.first()) {
    if (isCurrent(db, job)) return job;
    agenda.shift();
  }
  return undefined;
}

function isCurrent(db: Db, job: JobRow): boolean {
  return db.get('jobs', job.id)?.dueMs === job.dueMs;
}

function runJob(
  db: Db,
  job: JobRow,
  handler: JobHandler | undefined,
  nowMs: number,
): Effect | undefined {
  try {
    return db.attempt(() => {
      if (!handler) throw new Error(`There is no handler for the job "${job.kind}"`);
      const effect = handler(db, job, nowMs);
      if (isCurrent(db, job)) db.delete('jobs', job.id);
      return effect;
    });
  } catch (error) {
    db.put('jobs', { ...job, dueMs: nowMs + RETRY_MS });
    // An effect that fails, so that it is reported once the new due time is durable.
    return () => Promise.reject(error);
  }
}
