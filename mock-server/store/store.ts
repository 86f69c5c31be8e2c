import { Db, type Change, type Journal } from './db.ts';
import type { Entry, Log, Batch } from './log.ts';

/** A function over the tables. It is synchronous, so that transactions do not interleave. */
export type Transaction<T> = (db: Db) => T;

export interface Store {
  /**
   * Runs the transaction and resolves with its value when its changes are durable. If it throws, its
   * changes are undone.
   */
  transact<T>(run: Transaction<T>): Promise<T>;
  /** Waits until every queued transaction has settled, then closes the log. */
  close(): Promise<void>;
}

/** A transaction that waits for the log. */
interface Queued {
  readonly run: Transaction<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface StoreOptions {
  /** Called for every change of a row, also for changes of other processes and for those that undo others. */
  readonly onChange?: (change: Change) => void;
  /**
   * Called with changes that are durable, also those of other processes or tabs. Null means that the whole
   * state may have changed.
   */
  readonly onDurable?: (db: Db, changes: readonly Change[] | null) => void;
  /**
   * Called with the errors of the other two, in a microtask. Such an error stops nothing: the rows have
   * changed by then, or the changes are durable.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * Creates a store, which connects the tables to a log. Transactions that are queued while the log is busy
 * share its next entry.
 */
export function createStore(log: Log, options: StoreOptions = {}): Store {
  const { onChange, onDurable, onError } = options;
  const report = (error: unknown): void => queueMicrotask(() => onError?.(error));
  const notify: OnDurable = reportErrors(report, onDurable);
  const db = new Db(reportErrors(report, onChange));
  const queued: Queued[] = [];
  let flushing: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    while (queued.length > 0) await commitQueued().catch(report);
    flushing = null;
  }

  /** Runs the queued transactions and writes their changes as one entry. */
  async function commitQueued(): Promise<void> {
    const batch = createBatch(db, () => queued.splice(0), notify);
    try {
      await log.commit(batch);
    } catch (error) {
      // Memory must not be ahead of the log.
      batch.fail(error);
      return;
    }
    // The batch is durable now. This call is outside the `try`, so that an error in it cannot undo the
    // batch.
    batch.settle();
  }

  return {
    transact<T>(run: Transaction<T>): Promise<T> {
      if (closing) return Promise.reject(new Error('The service is closed'));
      return new Promise<T>((resolve, reject) => {
        queued.push({ run, resolve: resolve as (value: unknown) => void, reject });
        flushing ??= Promise.resolve().then(flush);
      });
    },
    close() {
      closing ??= Promise.resolve(flushing).then(() => log.close());
      return closing;
    },
  };
}

/** Returns a callback whose errors are reported instead of thrown. */
function reportErrors<Args extends readonly unknown[]>(
  report: (error: unknown) => void,
  callback: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
  return (...args) => {
    try {
      callback?.(...args);
    } catch (error) {
      report(error);
    }
  };
}

type OnDurable = NonNullable<StoreOptions['onDurable']>;

interface StoreBatch extends Batch {
  /** Resolves or rejects every transaction of the batch. */
  settle(): void;
  /** Undoes the batch and rejects every transaction, because the batch is not known to be durable. */
  fail(error: unknown): void;
}

function createBatch(db: Db, takeQueued: () => Queued[], notify: OnDurable): StoreBatch {
  let transactions: readonly Queued[] | null = null;
  const outcomes: (() => void)[] = [];
  let journal: Journal | null = null;
  let written: readonly Change[] = [];

  return {
    apply(entry) {
      if (entry.snapshot) db.clear();
      db.apply(entry.changes);
      notify(db, entry.snapshot || entry.continued ? null : entry.changes);
    },
    run(): Entry | null {
      transactions = takeQueued();
      journal = db.begin();
      for (const { run, resolve, reject } of transactions) {
        try {
          const value = db.attempt(() => runSynchronously(run, db));
          outcomes.push(() => resolve(value));
        } catch (error) {
          outcomes.push(() => reject(error));
        }
      }
      written = journal.changes();
      return written.length > 0 ? { changes: written } : null;
    },
    snapshot: () => db.dump(),
    settle() {
      for (const settleOne of outcomes) settleOne();
      if (written.length > 0) notify(db, written);
    },
    fail(error) {
      // A transaction that threw is rejected with the error of the log too, because its own error may come
      // from changes that are undone here. If the log failed before it ran the batch, the queued
      // transactions fail.
      for (const { reject } of transactions ?? takeQueued()) reject(error);
      journal?.rollback();
    },
  };
}

function runSynchronously<T>(run: Transaction<T>, db: Db): T {
  const value = run(db);
  if (value instanceof Promise) throw new TypeError('A transaction must be synchronous');
  return value;
}
