import {
  createScheduler,
  type JobHandler,
  type Scheduler,
} from '../../../mock-server/store/scheduler.ts';
import type { Log } from '../../../mock-server/store/log.ts';
import { createStore, type Store } from '../../../mock-server/store/store.ts';
import type { JobRow } from '../../../mock-server/store/rows.ts';
import { createMemoryLog } from '../../../mock-server/store/logs/memory.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';

export interface World {
  readonly real: ManualClock;
  readonly store: Store;
  readonly scheduler: Scheduler;
  /** The jobs that ran, each as `<ref> at <ms since the start>`. */
  readonly ran: string[];
  readonly errors: unknown[];
  readonly startMs: number;
  /** Adds jobs that are due `afterMs` milliseconds after the start. `ref` defaults to the id. */
  add(...jobs: (Partial<JobRow> & { id: string; afterMs: number })[]): Promise<void>;
}

export interface WorldOptions {
  readonly handlers?: Readonly<Record<string, JobHandler>>;
  readonly log?: Log;
  readonly real?: ManualClock;
  readonly pollMs?: number;
  readonly closing?: AbortSignal;
}

/** Creates a store and a scheduler on a manual clock. Jobs of kind `note` add themselves to `ran`. */
export function createWorld(options: WorldOptions = {}): World {
  const {
    handlers = {},
    log = createMemoryLog(),
    real = createManualClock(),
    pollMs = 0,
  } = options;
  const startMs = real.now();
  const ran: string[] = [];
  const errors: unknown[] = [];
  const note: JobHandler = (_db, job, nowMs) => {
    ran.push(`${job.ref} at ${nowMs - startMs}`);
    return undefined;
  };
  const store = createStore(log, {
    clock: real,
    onChange: (change) => scheduler.observe(change),
  });
  const scheduler = createScheduler({
    store: () => store,
    clock: real,
    handlers: { note, ...handlers },
    pollMs,
    ...(options.closing && { closing: options.closing }),
    onError: (error) => errors.push(error),
  });
  return {
    real,
    store,
    scheduler,
    ran,
    errors,
    startMs,
    add: (...jobs) =>
      store.transact((db) => {
        for (const { id, afterMs, kind = 'note', ref = id } of jobs) {
          db.put('jobs', { id, kind, dueMs: startMs + afterMs, ref });
        }
      }),
  };
}
