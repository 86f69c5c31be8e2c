import { Db, keepLast, type Change } from './db.ts';
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

interface Waiting {
  readonly run: Transaction<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * A callback for changes that are durable, also those of other processes or tabs. Null means that the whole
 * state may have changed.
 */
export type OnDurable = (db: Db, changes: readonly Change[] | null) => void;

/**
 * Creates a store, which connects the tables to a log. Transactions that are queued while the log is busy
 * share its next entry.
 * @param onError Called with errors of `onDurable`. The change is durable by then, so it stays.
 */
export function createStore(
  log: Log,
  onChange: (change: Change) => void = () => {},
  onDurable: OnDurable = () => {},
  onError: (error: unknown) => void = () => {},
): Store {
  const db = new Db(onChange);
  const notify: OnDurable = (...change) => {
    try {
      onDurable(...change);
    } catch (error) {
      // Reports the error in a microtask, so that a handler that throws cannot stop the queue.
      queueMicrotask(() => onError(error));
    }
  };
  const waiting: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let closed = false;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const take = (): Waiting[] => waiting.splice(0);
      const batch = createBatch(db, take, notify);
      try {
        await log.commit(batch);
      } catch (error) {
        // Undoes the batch, because memory must not be ahead of the log. If the log failed before it ran
        // the batch, the queued transactions fail too.
        batch.fail(error);
        if (!batch.hasRun) for (const { reject } of waiting.splice(0)) reject(error);
        continue;
      }
      // The batch is durable now. This call is outside the `try`, so that an error in it cannot undo the
      // batch.
      batch.settle();
    }
    flushing = null;
  }

  return {
    transact<T>(run: Transaction<T>): Promise<T> {
      if (closed) return Promise.reject(new Error('The service is closed'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
        flushing ??= Promise.resolve().then(flush);
      });
    },
    async close() {
      closed = true;
      await flushing;
      await log.close();
    },
  };
}

interface StoreBatch extends Batch {
  readonly hasRun: boolean;
  /** Resolves or rejects every transaction of the batch. */
  settle(): void;
  /** Undoes the batch and rejects every transaction, because the batch is not known to be durable. */
  fail(error: unknown): void;
}

function createBatch(db: Db, take: () => Waiting[], notify: OnDurable): StoreBatch {
  const answers: (() => void)[] = [];
  const refusals: ((error: unknown) => void)[] = [];
  const rollbacks: (() => void)[] = [];
  let hasRun = false;
  let written: readonly Change[] = [];

  return {
    get hasRun() {
      return hasRun;
    },
    apply(entry) {
      if (entry.snapshot) db.clear();
      db.apply(entry.changes);
      notify(db, entry.snapshot || entry.continued ? null : entry.changes);
    },
    run(): Entry | null {
      hasRun = true;
      const changes: Change[] = [];
      for (const { run, resolve, reject } of take()) {
        const journal = db.begin();
        try {
          const value = run(db);
          if (value instanceof Promise) throw new TypeError('A transaction must be synchronous');
          // `push(...changes)` would throw after a reset, which has more changes than a call can have
          // arguments.
          for (const change of journal.changes()) changes.push(change);
          rollbacks.push(journal.rollback);
          answers.push(() => resolve(value));
          refusals.push(reject);
        } catch (error) {
          journal.rollback();
          answers.push(() => reject(error));
          // If the batch fails, the transaction is rejected with that error instead, because its own error
          // may come from changes that are then undone.
          refusals.push(reject);
        }
      }
      written = keepLast(changes);
      return written.length > 0 ? { changes: written } : null;
    },
    snapshot: () => ({ snapshot: true, changes: [...db.dump()] }),
    settle() {
      for (const answer of answers) answer();
      if (written.length > 0) notify(db, written);
    },
    fail(error) {
      for (const rollback of rollbacks.toReversed()) rollback();
      for (const refuse of refusals) refuse(error);
    },
  };
}
