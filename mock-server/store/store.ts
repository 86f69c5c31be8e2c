import { closedError } from './closing.ts';
import { Db, type Change, type Journal } from './db.ts';
import type { Entry, Log, Batch } from './log.ts';

/** A function over the tables. It is synchronous, so that transactions do not interleave. */
export type Transaction<T> = (db: Db) => T;

export interface Store {
  /**
   * Runs the transaction and resolves with its value when its changes are durable. If it throws, its
   * changes are undone.
   */
  transact<T>(transaction: Transaction<T>): Promise<T>;
  /** Waits until every queued transaction has settled, then closes the log. */
  close(): Promise<void>;
}

/** A transaction that waits for the log, and the two ends of the promise that its caller holds. */
interface Queued {
  readonly transaction: Transaction<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface StoreOptions {
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
  const notifyDurable: OnDurable = withReport(onDurable, report);
  const db = new Db(withReport(onChange, report));
  const queued: Queued[] = [];
  let flushing: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  async function flush(): Promise<void> {
    while (queued.length > 0) await commitQueued().catch(report);
    flushing = null;
  }

  /** Runs the queued transactions and writes their changes as one entry. */
  async function commitQueued(): Promise<void> {
    const takeQueued = (): Queued[] => queued.splice(0);
    const batch = createBatch({ db, takeQueued, notifyDurable });
    try {
      await log.commit(batch);
    } catch (error) {
      // Memory must not be ahead of the log.
      batch.rejectAll(error);
      return;
    }
    // The batch is durable now. This call is outside the `try`, so that an error in it cannot undo the
    // batch.
    batch.settleAll();
  }

  return {
    transact<T>(transaction: Transaction<T>): Promise<T> {
      if (closing) return Promise.reject(closedError());
      return new Promise<T>((resolve, reject) => {
        queued.push({ transaction, resolve: resolve as (value: unknown) => void, reject });
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
function withReport<Args extends readonly unknown[]>(
  callback: ((...args: Args) => void) | undefined,
  report: (error: unknown) => void,
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

/** One commit: what the log calls, and then one of the two ends. */
interface StoreBatch extends Batch {
  /** The batch is durable: each caller gets the value of its transaction, or the error that it threw. */
  settleAll(): void;
  /** The batch is not known to be durable: it is undone, and every caller gets this error. */
  rejectAll(error: unknown): void;
}

interface BatchParts {
  readonly db: Db;
  /** Empties the queue. Called once, as late as possible, so that the batch has all that wait by then. */
  readonly takeQueued: () => Queued[];
  readonly notifyDurable: OnDurable;
}

function createBatch({ db, takeQueued, notifyDurable }: BatchParts): StoreBatch {
  /** The transactions of this batch. Null until the log runs them. */
  let taken: readonly Queued[] | null = null;
  /** What each caller is told once the batch is durable. */
  const settlements: (() => void)[] = [];
  /** Records the changes of the batch, and can undo them. Null until the log runs it. */
  let journal: Journal | null = null;
  let written: readonly Change[] = [];

  return {
    apply(entry) {
      if (entry.snapshot) db.clear();
      db.apply(entry.changes);
      notifyDurable(db, entry.snapshot || entry.continued ? null : entry.changes);
    },
    run(): Entry | null {
      taken = takeQueued();
      journal = db.begin();
      for (const { transaction, resolve, reject } of taken) {
        try {
          const value = db.attempt(() => runSynchronously(transaction, db));
          settlements.push(() => resolve(value));
        } catch (error) {
          settlements.push(() => reject(error));
        }
      }
      written = journal.changes();
      return written.length > 0 ? { changes: written } : null;
    },
    snapshot: () => db.dump(),
    settleAll() {
      for (const settle of settlements) settle();
      if (written.length > 0) notifyDurable(db, written);
    },
    rejectAll(error) {
      // A transaction that threw is rejected with the error of the log too, because its own error may come
      // from changes that are undone here. If the log failed before it ran the batch, the queued
      // transactions fail.
      for (const { reject } of taken ?? takeQueued()) reject(error);
      journal?.rollback();
    },
  };
}

function runSynchronously<T>(transaction: Transaction<T>, db: Db): T {
  const value = transaction(db);
  if (value instanceof Promise) throw new TypeError('A transaction must be synchronous');
  return value;
}
