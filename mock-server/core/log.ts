import type { Change } from './db.ts';

/** The format of entries and snapshots. A log that was written in a newer one is refused. */
export const LOG_FORMAT = 1;

/** What one commit changed, or with `snapshot` the whole state, which replaces all that came before. */
export interface Entry {
  readonly snapshot?: true;
  /** A further part of the snapshot before it; parts are written together. */
  readonly continued?: true;
  readonly changes: readonly Change[];
}

/** What the store hands to the log for one commit. All three are synchronous. */
export interface Turn {
  /** Takes in an entry that another holder wrote, or that was there at the start. */
  apply(entry: Entry): void;
  /** Runs what waits and returns what it changed; null when it changed nothing. */
  run(): Entry | null;
  /** The whole state after `run`, for a log that wants to drop old entries. */
  snapshot(): Entry;
}

/**
 * Where state lasts: the only storage port. `commit` takes the lock, feeds unseen entries to `apply` in
 * order, calls `run` once, and resolves when the entry is durable. It rejects when the entry is not
 * durable, or when that cannot be known; a later commit then feeds the entry if it did land.
 */
export interface Log {
  commit(turn: Turn): Promise<void>;
  close(): Promise<void>;
}

/** A log that cannot be opened, or written to. */
export class LogError extends Error {
  readonly code: 'unreadable' | 'newer_format' | 'locked' | 'append_failed';

  constructor(code: LogError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LogError';
    this.code = code;
  }
}

/** Whether a log has grown enough for a snapshot to pay: more than twice the last one, and not tiny. */
export function isCompactionDue(bytesSinceSnapshot: number, snapshotBytes: number): boolean {
  return bytesSinceSnapshot > 1_000_000 && bytesSinceSnapshot > 2 * snapshotBytes;
}
