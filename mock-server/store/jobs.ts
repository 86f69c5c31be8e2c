import TinyQueue from 'tinyqueue';
import type { Db, RowChange } from './db.ts';
import { HOUSEKEEPING_JOBS, type JobRow } from './rows.ts';

/** The part of a job that runs after its transaction is durable, such as a request. */
export interface Effect {
  (): Promise<void>;
  /** Set on an effect that may hang, so that a clock move does not have to wait for its end. */
  readonly timeout?: EffectTimeout;
}

export interface EffectTimeout {
  /** Identifies a group of effects that are probably equally slow, such as the requests to one endpoint. */
  readonly group: string;
  /** Makes the effect end at once, as if its time limit had passed. */
  expire(): void;
}

/**
 * Runs one due job inside a transaction. It may delete the job, or store it with a later due time, such as
 * the end of a lease. Otherwise the scheduler deletes the job. If it throws, its changes are undone, the
 * other jobs run, and this job is retried a minute later.
 */
export type JobHandler = (db: Db, job: JobRow, nowMs: number) => Effect | undefined;

/** The jobs, sorted by due time. */
export interface DueJobs {
  /** Adds a changed job to its queue. Returns true if it is now due before all other jobs there. */
  observe(change: RowChange): boolean;
  peek(db: Db): JobRow | undefined;
  /** Returns the earliest job that is not housekeeping. */
  peekAwaited(db: Db): JobRow | undefined;
  /**
   * Runs a batch of the jobs that are due by an instant, inside the caller's transaction. Returns their
   * effects and their number.
   */
  take(db: Db, untilMs: number): { effects: Effect[]; taken: number };
}

/** Maximum number of jobs in one transaction, so that a backlog does not delay requests. */
const BATCH = 200;

/**
 * The delay before a job that threw is retried. It is long enough that a job which always throws does no
 * harm.
 */
const RETRY_MS = 60_000;

/**
 * Creates the queues of the jobs. A queue may contain stale jobs, which are dropped when they come
 * first.
 */
export function createDueJobs(handlers: Readonly<Record<string, JobHandler>>): DueJobs {
  const awaited = createJobQueue();
  const quiet = createJobQueue();
  const queueOf = ({ kind }: JobRow): JobQueue => (HOUSEKEEPING_JOBS.has(kind) ? quiet : awaited);

  const peekAwaited = (db: Db): JobRow | undefined => peekAt(awaited, db);

  function peek(db: Db): JobRow | undefined {
    const first = peekAwaited(db);
    const other = peekAt(quiet, db);
    if (!first || !other) return first ?? other;
    return first.dueMs <= other.dueMs ? first : other;
  }

  return {
    observe([table, , row]) {
      if (table !== 'jobs' || !row) return false;
      // The cast is safe, because every change that adds or replaces a row contains the complete row.
      const job = row as JobRow;
      return queueOf(job).add(job);
    },
    peek,
    peekAwaited,
    take(db, untilMs) {
      const effects: Effect[] = [];
      let taken = 0;
      for (let job = peek(db); job && job.dueMs <= untilMs && taken < BATCH; job = peek(db)) {
        queueOf(job).shift();
        taken += 1;
        const effect = runJob(db, job, handlers[job.kind], untilMs);
        if (effect) effects.push(effect);
      }
      return { effects, taken };
    },
  };
}

function peekAt(queue: JobQueue, db: Db): JobRow | undefined {
  for (let job = queue.first(); job; job = queue.first()) {
    if (isCurrent(db, job)) return job;
    queue.shift();
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
    return db.runPart(() => {
      if (!handler) throw new Error(`There is no handler for the job "${job.kind}"`);
      const effect = handler(db, job, nowMs);
      if (isCurrent(db, job)) db.delete('jobs', job.id);
      return effect;
    });
  } catch (error) {
    db.put('jobs', { ...job, dueMs: nowMs + RETRY_MS });
    // The effect rejects, so that the error is reported after the new due time is durable.
    return () => Promise.reject(error);
  }
}

/**
 * A queue of jobs by due time. Jobs of the same instant are ordered by rank, then by id, so that a seeded
 * run is repeatable.
 */
interface JobQueue {
  /** Adds a job. Returns true if it is due before all other jobs. */
  add(job: JobRow): boolean;
  first(): JobRow | undefined;
  shift(): void;
}

/** The jobs of one instant. They are sorted before they are read. */
interface Instant {
  readonly jobs: JobRow[];
  isSorted: boolean;
  /** The number of jobs that have been removed. */
  taken: number;
}

/** Keeps a heap of instants instead of jobs, because comparing ids in a heap of a million jobs is slow. */
export function createJobQueue(): JobQueue {
  const instants = new Map<number, Instant>();
  const dueTimes = new TinyQueue<number>();

  function firstInstant(): Instant | undefined {
    const dueMs = dueTimes.peek();
    const instant = dueMs === undefined ? undefined : instants.get(dueMs);
    if (instant?.isSorted === false) {
      instant.jobs.sort(byRank);
      instant.isSorted = true;
    }
    return instant;
  }

  return {
    add(job) {
      const instant = instants.get(job.dueMs);
      if (instant) {
        insert(instant, job);
        return false;
      }
      instants.set(job.dueMs, { jobs: [job], isSorted: true, taken: 0 });
      dueTimes.push(job.dueMs);
      return dueTimes.peek() === job.dueMs;
    },
    first() {
      const instant = firstInstant();
      return instant?.jobs[instant.taken];
    },
    shift() {
      const instant = firstInstant();
      if (!instant) return;
      instant.taken += 1;
      if (instant.taken < instant.jobs.length) return;
      const dueMs = dueTimes.pop();
      if (dueMs !== undefined) instants.delete(dueMs);
    },
  };
}

function insert(instant: Instant, job: JobRow): void {
  const { jobs, taken } = instant;
  if (taken === 0) {
    jobs.push(job);
    instant.isSorted = false;
    return;
  }
  // The first job has been removed, so the rest is sorted and must stay sorted.
  const place = jobs.findLastIndex((other) => byRank(other, job) < 0) + 1;
  jobs.splice(Math.max(taken, place), 0, job);
}

function byRank(a: JobRow, b: JobRow): number {
  const { rank: first = Infinity } = a;
  const { rank: second = Infinity } = b;
  if (first !== second) return first - second;
  return a.id < b.id ? -1 : 1;
}
