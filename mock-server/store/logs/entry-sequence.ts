import type { RowChange } from '../db.ts';
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
  /** Must be called once all entries are durable. Until then, the sequence does not contain them. */
  stored(): void;
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
  /** Resets to an empty state, because the entries were deleted. */
  forget(batch: Batch): void;
}

export function createEntrySequence(): EntrySequence {
  let totals = EMPTY;

  function write(parts: Iterable<Part>, isSnapshot: boolean): Writing {
    let after = totals;
    function* numbered(): Generator<StoredEntry> {
      for (const { entry, body } of parts) {
        after = addEntry(after, entry, body.length);
        yield { seq: after.lastSeq, body };
      }
    }
    const stored = (): void => {
      totals = after;
    };
    return { entries: numbered(), isSnapshot, stored };
  }

  return {
    get lastSeq() {
      return totals.lastSeq;
    },
    get hasErased() {
      return totals.hasErased;
    },
    read(batch, { seq, body }) {
      // The cast is safe, because only this module writes bodies.
      const entry = JSON.parse(body) as Entry;
      batch.apply(entry);
      totals = { ...addEntry(totals, entry, body.length), lastSeq: seq };
    },
    run(batch) {
      const entry = batch.run();
      const part = entry && toPart(entry);
      const isTooLarge = part !== null && isCompactionDue(totals, part, batch.rowCount());
      const mustEraseNow = totals.hasErased && batch.mustErase;
      if (isTooLarge || mustEraseNow) return write(toParts(batch.snapshot()), true);
      return part && write([part], false);
    },
    forget(batch) {
      batch.apply({ snapshot: true, changes: [] });
      totals = EMPTY;
    },
  };
}

/** The totals of a sequence of entries. */
interface Totals {
  readonly lastSeq: number;
  /** The size of the last snapshot, and its number of rows. */
  readonly snapshot: { readonly size: number; readonly rows: number };
  readonly sizeSinceSnapshot: number;
  readonly hasErased: boolean;
}

const EMPTY: Totals = {
  lastSeq: 0,
  snapshot: { size: 0, rows: 0 },
  sizeSinceSnapshot: 0,
  hasErased: false,
};

/**
 * Adds the next entry, which was read or is written. Sizes are computed only from the entries, so that all
 * processes get the same sizes. UTF-16 units are close enough to bytes to decide when a snapshot is due.
 */
function addEntry(totals: Totals, entry: Entry, size: number): Totals {
  const lastSeq = totals.lastSeq + 1;
  const rows = entry.changes.length;
  if (entry.snapshot)
    return { lastSeq, snapshot: { size, rows }, sizeSinceSnapshot: 0, hasErased: false };
  const { snapshot } = totals;
  if (entry.continued)
    return {
      ...totals,
      lastSeq,
      snapshot: { size: snapshot.size + size, rows: snapshot.rows + rows },
    };
  return {
    lastSeq,
    snapshot,
    sizeSinceSnapshot: totals.sizeSinceSnapshot + size,
    hasErased: totals.hasErased || entry.erases === true,
  };
}

/** An entry to write, and its text. */
interface Part {
  readonly entry: Entry;
  readonly body: string;
}

function toPart(entry: Entry): Part {
  return { entry, body: JSON.stringify(entry) };
}

/**
 * Maximum number of changes in one part of a snapshot, which is about half a megabyte. A process reads and
 * writes a part within milliseconds.
 */
const PART_CHANGES = 1_000;

function* toParts(changes: Iterable<RowChange>): Generator<Part> {
  let isFirst = true;
  let part: RowChange[] = [];
  const take = (): Part => {
    const entry: Entry = isFirst
      ? { snapshot: true, changes: part }
      : { continued: true, changes: part };
    isFirst = false;
    part = [];
    return toPart(entry);
  };
  for (const change of changes) {
    if (part.length === PART_CHANGES) yield take();
    part.push(change);
  }
  // The last part, which is the only and empty one of an empty state.
  yield take();
}

/**
 * Tells whether a new snapshot is due: more than a megabyte, and more than twice of what is left of the last
 * snapshot, has been logged since, the next entry included.
 * @param rowCount The number of rows after the next entry
 */
function isCompactionDue(totals: Totals, next: Part, rowCount: number): boolean {
  const loggedSize = totals.sizeSinceSnapshot + next.body.length;
  return loggedSize > 1_000_000 && loggedSize > 2 * leftOf(totals.snapshot, rowCount);
}

/**
 * Estimates how much of a snapshot is left: of 20 MB with 100,000 rows, a state of 4,000 rows has 0.8 MB. The
 * rows that were added since do not count, because a log that only grows has nothing to drop.
 */
function leftOf({ size, rows }: Totals['snapshot'], rowCount: number): number {
  return rowCount < rows ? size * (rowCount / rows) : size;
}
