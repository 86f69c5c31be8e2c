import TinyQueue from 'tinyqueue';
import type { JobRow } from './tables.ts';

/**
 * Jobs in the order in which they fall due. Those of one instant come in the order of their ranks, then of
 * their ids, so that a seeded run repeats itself.
 */
export interface Agenda {
  /** Adds a job. Returns whether nothing else was due as early. */
  add(job: JobRow): boolean;
  first(): JobRow | undefined;
  /** Takes out the first job. */
  shift(): void;
}

/** The jobs of one instant. They are sorted when the first of them is asked for. */
interface Instant {
  readonly jobs: JobRow[];
  isSorted: boolean;
  /** How many of them have been taken out. */
  taken: number;
}

/** Keeps a heap of instants, not of jobs, because comparing ids all the way through a heap of a million is slow. */
export function createAgenda(): Agenda {
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
  // The instant has come, so what is left is sorted and stays so.
  const place = jobs.findLastIndex((other) => byRank(other, job) < 0) + 1;
  jobs.splice(Math.max(taken, place), 0, job);
}

function byRank(a: JobRow, b: JobRow): number {
  const { rank: first = Infinity } = a;
  const { rank: second = Infinity } = b;
  if (first !== second) return first - second;
  return a.id < b.id ? -1 : 1;
}
