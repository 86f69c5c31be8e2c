import type { Change } from '../db.ts';
import type { Batch, Entry } from '../log.ts';

/** A stored entry: its sequence number, which starts at 1, and its text. */
export interface StoredEntry {
  readonly seq: number;
  readonly body: string;
}

/** The entries of a commit, which are stored atomically. */
export interface Writing {
  /**
   * The entries, which can be read once. Each is serialised when it is read, because the whole state may be
   * larger than the memory, and would take longer than PostgreSQL waits in a transaction.
   */
  readonly entries: Iterable<StoredEntry>;
  /** True if the entries hold the whole state, so that all earlier entries must be deleted. */
  readonly isSnapshot: boolean;
}

/**
 * The common part of all logs that store entries: numbering, serialisation and the decision when to write a
 * snapshot.
 */
export interface EntrySequence {
  /** The number of the last entry that this process has read or written. */
  readonly lastSeq: number;
  /** True while stored entries contain data that a later entry erases. */
  readonly hasErased: boolean;
  /** Applies an entry that was read from the storage. */
  read(batch: Batch, stored: StoredEntry): void;
  /** Runs the queued transactions. Returns null if there is nothing to store. */
  run(batch: Batch): Writing | null;
  /** Called when all entries of the last `run` are durable. */
  stored(writing: Writing): void;
  /** Resets to an empty state, because the entries were deleted. */
  forget(batch: Batch): void;
}

/**
 * Maximum number of changes in one part of a snapshot, which is about half a megabyte. A process reads and
 * writes a part within milliseconds.
 */
const PART_CHANGES = 1_000;

export function createEntrySequence(): EntrySequence {
  let lastSeq = 0;
  let sizeSinceSnapshot = 0;
  let snapshot = EMPTY;
  let hasErased = false;
  let written = { lastSeq: 0, size: 0, rows: 0, erases: false };

  // Sizes are computed only from the entries, so that all processes get the same sizes. UTF-16 units are close
  // enough to bytes to decide when a snapshot is due.
  function count(entry: Entry, size: number): void {
    const rows = entry.changes.length;
    if (entry.snapshot) {
      snapshot = { size, rows };
      sizeSinceSnapshot = 0;
      hasErased = false;
    } else if (entry.continued) {
      snapshot = { size: snapshot.size + size, rows: snapshot.rows + rows };
    } else {
      sizeSinceSnapshot += size;
      hasErased ||= entry.erases === true;
    }
  }

  /** Numbers the entries, and keeps their last number and their size for `stored`. */
  function* toStored(bodies: Iterable<string>): Generator<StoredEntry> {
    written = { ...written, lastSeq, size: 0 };
    for (const body of bodies) {
      written.lastSeq += 1;
      written.size += body.length;
      yield { seq: written.lastSeq, body };
    }
  }

  return {
    get lastSeq() {
      return lastSeq;
    },
    get hasErased() {
      return hasErased;
    },
    read(batch, { seq, body }) {
      // The cast is safe, because only this module writes bodies.
      const entry = JSON.parse(body) as Entry;
      batch.apply(entry);
      count(entry, body.length);
      lastSeq = seq;
    },
    run(batch) {
      const entry = batch.run();
      const rows = batch.rowCount();
      written = { ...written, rows, erases: entry?.erases === true };
      const body = entry ? JSON.stringify(entry) : '';
      const isDue = isCompactionDue(sizeSinceSnapshot + body.length, leftOf(snapshot, rows));
      if ((entry && isDue) || (hasErased && batch.mustErase))
        return { entries: toStored(toParts(batch.snapshot())), isSnapshot: true };
      return entry ? { entries: toStored([body]), isSnapshot: false } : null;
    },
    stored({ isSnapshot }) {
      lastSeq = written.lastSeq;
      if (isSnapshot) {
        snapshot = { size: written.size, rows: written.rows };
        sizeSinceSnapshot = 0;
        hasErased = false;
      } else {
        sizeSinceSnapshot += written.size;
        hasErased ||= written.erases;
      }
    },
    forget(batch) {
      batch.apply({ snapshot: true, changes: [] });
      lastSeq = 0;
      sizeSinceSnapshot = 0;
      snapshot = EMPTY;
      hasErased = false;
    },
  };
}

function* toParts(changes: Iterable<Change>): Generator<string> {
  const part: Change[] = [];
  let isFirst = true;
  const take = (): string => {
    const changes = part.splice(0);
    const entry: Entry = isFirst ? { snapshot: true, changes } : { continued: true, changes };
    isFirst = false;
    return JSON.stringify(entry);
  };
  for (const change of changes) {
    part.push(change);
    if (part.length === PART_CHANGES) yield take();
  }
  if (isFirst || part.length > 0) yield take();
}

/** The size of the last snapshot, and its number of rows. */
interface SnapshotSize {
  readonly size: number;
  readonly rows: number;
}

const EMPTY: SnapshotSize = { size: 0, rows: 0 };

/**
 * Estimates how much of the last snapshot is left. The rows that were added since do not count, because a
 * log that only grows has nothing to drop.
 */
function leftOf({ size, rows }: SnapshotSize, rowCount: number): number {
  return rowCount < rows ? size * (rowCount / rows) : size;
}

/**
 * Tells whether a new snapshot is due: more than a megabyte, and more than twice of what is left of the last
 * snapshot, has been logged since.
 */
function isCompactionDue(bytesSinceSnapshot: number, bytesLeft: number): boolean {
  return bytesSinceSnapshot > 1_000_000 && bytesSinceSnapshot > 2 * bytesLeft;
}
