import type { RowChange } from './db.ts';

/**
 * The format of entries and snapshots. Raise it with every change of rows: a table or a column that is
 * added, removed or gets another meaning. A log in another format is never read.
 */
export const LOG_FORMAT = 5;

/**
 * The changes of one commit. If `snapshot` is set, they are the whole state, which replaces all earlier
 * entries.
 */
export interface Entry {
  readonly snapshot?: true;
  /** Marks a further part of the previous snapshot. All parts are written together. */
  readonly continued?: true;
  /**
   * Set if the changes delete or replace data that must not stay in the storage. Earlier entries still
   * contain it, until a snapshot replaces them.
   */
  readonly erases?: true;
  readonly changes: readonly RowChange[];
}

/** The callbacks that the store passes to the log for one commit. All are synchronous. */
export interface Batch {
  /** Applies an entry that another process wrote, or that was read at the start. */
  apply(entry: Entry): void;
  /** Runs the queued transactions and returns their changes, or null if there are none. */
  run(): Entry | null;
  /**
   * Returns the whole state after `run` as changes that add each row, for a log that drops old entries. They
   * can be read until the commit ends.
   */
  snapshot(): Iterable<RowChange>;
  /** Returns the number of rows in the whole state after `run`. */
  rowCount(): number;
  /** True if entries with erased data must be replaced by a snapshot now, also if nothing has changed. */
  readonly mustErase: boolean;
}

/**
 * The interface of every storage of the state. `commit` takes the lock, passes unseen entries to `apply` in
 * order, calls `run` once, and resolves when the entry is durable. It rejects when the entry is not
 * durable, or when that is unknown. If the entry was written after all, a later commit passes it to
 * `apply`.
 */
export interface Log {
  /**
   * True if other processes or tabs may use the same storage now. What an earlier run left unfinished may then
   * still be in their hands.
   */
  readonly isShared: boolean;
  /**
   * True while the storage still contains data that a stored entry has erased.
   * @default false, for a log that stores no entries
   */
  readonly hasErased?: boolean;
  /** Appends the changes of a group of transactions. They are durable when the promise resolves. */
  commit(batch: Batch): Promise<void>;
  /** Closes the storage. Nothing is committed afterwards. */
  close(): Promise<void>;
}

/** An error on opening or writing a log. */
export class LogError extends Error {
  readonly code: 'unreadable' | 'newer_format' | 'locked' | 'append_failed';

  constructor(code: LogError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogError';
    this.code = code;
  }
}
