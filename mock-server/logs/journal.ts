import { isCompactionDue, type Entry, type Batch } from '../core/log.ts';

/** A stored entry: its sequence number, which starts at 1, and its text. */
export interface Row {
  readonly seq: number;
  readonly body: string;
}

/** The rows of a commit, which are stored atomically. */
export interface Writing {
  readonly rows: readonly Row[];
  /** True if the rows hold the whole state, so that all earlier rows must be deleted. */
  readonly isSnapshot: boolean;
}

/**
 * The common part of all logs that store rows: numbering, serialisation and the decision when to write a
 * snapshot.
 */
export interface Journal {
  /** The number of the last row that this process has read or written. */
  readonly lastSeq: number;
  /** Applies a row that was read from the storage. */
  read(batch: Batch, row: Row): void;
  /** Runs the queued transactions. Returns null if there is nothing to store. */
  run(batch: Batch): Writing | null;
  /** Called when the rows are durable. */
  stored(writing: Writing): void;
  /** Resets to an empty state, because the rows were deleted. */
  forget(batch: Batch): void;
}

/**
 * Maximum number of changes in one part of a snapshot. A single string for a million rows would exceed V8's
 * limit.
 */
const PART_CHANGES = 10_000;

export function createJournal(): Journal {
  let lastSeq = 0;
  let sizeSinceSnapshot = 0;
  let snapshotSize = 0;

  // Sizes are computed only from the rows, so that all processes get the same sizes. UTF-16 units are close
  // enough to bytes to decide when a snapshot is due.
  function count({ snapshot, continued }: Entry, size: number): void {
    if (snapshot) {
      snapshotSize = size;
      sizeSinceSnapshot = 0;
    } else if (continued) snapshotSize += size;
    else sizeSinceSnapshot += size;
  }

  function toRows(entries: readonly Entry[]): Row[] {
    return entries.map((entry, at) => ({ seq: lastSeq + 1 + at, body: JSON.stringify(entry) }));
  }

  return {
    get lastSeq() {
      return lastSeq;
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
      if (!entry) return null;
      const rows = toRows([entry]);
      const size = sizeSinceSnapshot + sizeOf(rows);
      return isCompactionDue(size, snapshotSize)
        ? { rows: toRows(toParts(batch.snapshot())), isSnapshot: true }
        : { rows, isSnapshot: false };
    },
    stored({ rows, isSnapshot }) {
      lastSeq += rows.length;
      if (!isSnapshot) {
        sizeSinceSnapshot += sizeOf(rows);
        return;
      }
      snapshotSize = sizeOf(rows);
      sizeSinceSnapshot = 0;
    },
    forget(batch) {
      batch.apply({ snapshot: true, changes: [] });
      lastSeq = 0;
      sizeSinceSnapshot = 0;
      snapshotSize = 0;
    },
  };
}

function toParts({ changes }: Entry): Entry[] {
  const parts: Entry[] = [{ snapshot: true, changes: changes.slice(0, PART_CHANGES) }];
  for (let at = PART_CHANGES; at < changes.length; at += PART_CHANGES) {
    parts.push({ continued: true, changes: changes.slice(at, at + PART_CHANGES) });
  }
  return parts;
}

function sizeOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}
