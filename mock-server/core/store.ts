import { Db, keepLast, type Change } from './db.ts';
import type { Entry, Log, Turn } from './log.ts';

/** A transaction: synchronous, so that nothing interleaves. It reads and writes the tables and returns a value. */
export type Transaction<T> = (db: Db) => T;

export interface Store {
  /** Runs the transaction and resolves with its value once what it wrote is durable. A throw undoes it. */
  transact<T>(run: Transaction<T>): Promise<T>;
  /** Resolves once everything queued so far is durable, then lets go of the log. */
  close(): Promise<void>;
}

interface Waiting {
  readonly run: Transaction<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Told what has changed once it is durable, other holders' entries included. Null: the whole state. */
export type OnDurable = (db: Db, changes: readonly Change[] | null) => void;

/**
 * Puts the tables on a log. Transactions that arrive while the log is busy share its next entry.
 * @param onError Told what `onDurable` throws. By then the log has the change, so it stays.
 */
export function createStore(
  log: Log,
  onChange: (change: Change) => void = () => {},
  onDurable: OnDurable = () => {},
  onError: (error: unknown) => void = () => {},
): Store {
  const db = new Db(onChange);
  const notify: OnDurable = (...news) => {
    try {
      onDurable(...news);
    } catch (error) {
      // In a microtask, so that a reporter that throws cannot stop the queue.
      queueMicrotask(() => onError(error));
    }
  };
  const waiting: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let closed = false;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const take = (): Waiting[] => waiting.splice(0);
      const turn = createTurn(db, take, notify);
      try {
        await log.commit(turn);
      } catch (error) {
        // Memory must not be ahead of the log. When nothing has run yet, the queue itself fails.
        turn.fail(error);
        if (!turn.hasRun) for (const { reject } of waiting.splice(0)) reject(error);
        continue;
      }
      // Outside the try: from here on memory must not fall behind the log either.
      turn.settle();
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

interface StoreTurn extends Turn {
  readonly hasRun: boolean;
  /** Answers every caller of the batch. */
  settle(): void;
  /** Undoes the batch and rejects every caller that had been promised something durable. */
  fail(error: unknown): void;
}

function createTurn(db: Db, take: () => Waiting[], notify: OnDurable): StoreTurn {
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
          // Not spread: a reset changes more rows than a call takes arguments.
          for (const change of journal.changes()) changes.push(change);
          rollbacks.push(journal.rollback);
          answers.push(() => resolve(value));
          refusals.push(reject);
        } catch (error) {
          journal.rollback();
          answers.push(() => reject(error));
          // It may have thrown because of what an earlier one wrote, which is undone now.
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
