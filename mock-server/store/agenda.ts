import TinyQueue from 'tinyqueue';
import type { JobRow } from './tables.ts';

/**
 * A queue of jobs by due time. Jobs of the same instant are ordered by rank, then by id, so that a seeded
 * run is repeatable.
 */
export interface Agenda {
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
