import { type RealClock, systemClock } from './clock.ts';
import { closedError } from './closing.ts';
import { type CommitChanges, Db, type RowChange } from './db.ts';
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
  /** @default the system's clock */
  readonly clock?: RealClock;
  /** Called for every change of a row, also for changes of other processes and for those that undo others. */
  readonly onChange?: (change: RowChange) => void;
  /**
   * Called with changes that are durable, also those of other processes or tabs. Null means that the whole
   * state may have changed.
   */
  readonly onDurable?: (db: Db, changes: readonly RowChange[] | null) => void;
  /**
   * Called with the errors of the other two, in a microtask. Such an error stops nothing: the rows have
   * changed by then, or the changes are durable.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * The time after which erased data is removed from the storage, in milliseconds of real time. Erasing once
 * for all that was deleted meanwhile is much cheaper, because it writes the whole state.
 */
const ERASE_AFTER_MS = 1_000;

/** The same time after a failure, for example while the disk is full. */
const FAILED_ERASE_MS = 60_000;

/** The longest part of the time in which the state is written to erase data. */
const ERASE_SHARE = 1 / 20;

/**
 * Creates a store, which connects the tables to a log. Transactions that are queued while the log is busy
 * share its next entry.
 */
export function createStore(log: Log, options: StoreOptions = {}): Store {
  const { clock = systemClock, onChange, onDurable, onError } = options;
  const report = (error: unknown): void => queueMicrotask(() => onError?.(error));
  const notifyDurable: OnDurable = withReport(onDurable, report);
  const db = new Db(withReport(onChange, report), () => clock.now());
  const queued: Queued[] = [];
  let flushing: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  let isEraseDue = false;
  let eraseAfterMs = ERASE_AFTER_MS;
  let cancelErase: (() => void) | null = null;

  function startFlush(): void {
    flushing ??= Promise.resolve().then(flush);
  }

  async function flush(): Promise<void> {
    while (queued.length > 0 || isEraseDue)
      await (isEraseDue ? erase() : commit(takeQueued)).catch(report);
    flushing = null;
    planErase();
  }

  const takeQueued = (): Queued[] => queued.splice(0);

  /** Erases deleted data a little later, unless that is planned already. */
  function planErase(): void {
    if (!log.hasErased || cancelErase || closing) return;
    cancelErase = clock.wakeAt(clock.now() + eraseAfterMs, () => {
      cancelErase = null;
      isEraseDue = true;
      startFlush();
    });
  }

  /**
   * Writes the state without the data that was deleted. No transaction waits for its result, because each
   * would fail with it.
   */
  async function erase(): Promise<void> {
    const startedAtMs = clock.now();
    isEraseDue = false;
    await commit(() => [], true);
    const spentMs = clock.now() - startedAtMs;
    eraseAfterMs = log.hasErased
      ? FAILED_ERASE_MS
      : Math.max(ERASE_AFTER_MS, spentMs / ERASE_SHARE);
  }

  /** Runs transactions and writes their changes as one entry. */
  async function commit(takeQueued: () => Queued[], mustErase = false): Promise<void> {
    const batch = createBatch({ db, takeQueued, notifyDurable, mustErase });
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

  async function finish(): Promise<void> {
    cancelErase?.();
    await flushing;
    if (log.hasErased) await erase();
    await log.close();
  }

  return {
    transact<T>(transaction: Transaction<T>): Promise<T> {
      if (closing) return Promise.reject(closedError());
      return new Promise<T>((resolve, reject) => {
        queued.push({ transaction, resolve: resolve as (value: unknown) => void, reject });
        startFlush();
      });
    },
    close() {
      closing ??= finish();
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
  readonly mustErase: boolean;
}

function createBatch({ db, takeQueued, notifyDurable, mustErase }: BatchParts): StoreBatch {
  /** The transactions of this batch. Null until the log runs them. */
  let taken: readonly Queued[] | null = null;
  /** What each caller is told once the batch is durable. */
  const settlements: (() => void)[] = [];
  /** Records the changes of the batch, and can undo them. Null until the log runs it. */
  let recorded: CommitChanges | null = null;
  let written: readonly RowChange[] = [];

  return {
    apply(entry) {
      if (entry.snapshot) db.clear();
      db.apply(entry.changes);
      notifyDurable(db, entry.snapshot || entry.continued ? null : entry.changes);
    },
    run(): Entry | null {
      taken = takeQueued();
      recorded = db.begin();
      for (const { transaction, resolve, reject } of taken) {
        try {
          const value = db.runPart(() => runSynchronously(transaction, db));
          settlements.push(() => resolve(value));
        } catch (error) {
          settlements.push(() => reject(error));
        }
      }
      written = recorded.changes();
      if (written.length === 0) return null;
      return recorded.erases() ? { erases: true, changes: written } : { changes: written };
    },
    snapshot: () => db.dump(),
    rowCount: () => db.countAll(),
    mustErase,
    settleAll() {
      for (const settle of settlements) settle();
      if (written.length > 0) notifyDurable(db, written);
    },
    rejectAll(error) {
      // A transaction that threw is rejected with the error of the log too, because its own error may come
      // from changes that are undone here. If the log failed before it ran the batch, the queued
      // transactions fail.
      for (const { reject } of taken ?? takeQueued()) reject(error);
      recorded?.rollback();
    },
  };
}

function runSynchronously<T>(transaction: Transaction<T>, db: Db): T {
  const value = transaction(db);
  if (value instanceof Promise) throw new TypeError('A transaction must be synchronous');
  return value;
}
