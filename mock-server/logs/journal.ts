import { isCompactionDue, type Entry, type Turn } from '../core/log.ts';

/** A stored entry: its place in the order, from 1 up, and its text. */
export interface Row {
  readonly seq: number;
  readonly body: string;
}

/** The rows that a commit stores, all or none. */
export interface Writing {
  readonly rows: readonly Row[];
  /** The rows hold the whole state: everything before them is to be dropped. */
  readonly isSnapshot: boolean;
}

/**
 * The common part of all logs that store rows: the order, the text, and when to write a snapshot instead.
 */
export interface Journal {
  /** The last row that this holder knows. */
  readonly seen: number;
  /** Takes in a row that it does not know. */
  read(turn: Turn, row: Row): void;
  /** Runs the turn; null when there is nothing to store. */
  run(turn: Turn): Writing | null;
  /** Called when the rows are durable. */
  stored(writing: Writing): void;
  /** Starts again with an empty state, because the rows are gone. */
  forget(turn: Turn): void;
}

/** A snapshot is stored in parts of this many changes: one string for a million rows is more than V8 allows. */
const PART_CHANGES = 10_000;

export function createJournal(): Journal {
  let seen = 0;
  let sizeSinceSnapshot = 0;
  let snapshotSize = 0;

  // Every holder counts alike, from the rows alone. UTF-16 units are near enough to bytes to decide by.
  function count({ snapshot, continued }: Entry, size: number): void {
    if (snapshot) {
      snapshotSize = size;
      sizeSinceSnapshot = 0;
    } else if (continued) snapshotSize += size;
    else sizeSinceSnapshot += size;
  }

  function toRows(entries: readonly Entry[]): Row[] {
    return entries.map((entry, at) => ({ seq: seen + 1 + at, body: JSON.stringify(entry) }));
  }

  return {
    get seen() {
      return seen;
    },
    read(turn, { seq, body }) {
      // Only this module writes bodies.
      const entry = JSON.parse(body) as Entry;
      turn.apply(entry);
      count(entry, body.length);
      seen = seq;
    },
    run(turn) {
      const entry = turn.run();
      if (!entry) return null;
      const rows = toRows([entry]);
      const size = sizeSinceSnapshot + sizeOf(rows);
      return isCompactionDue(size, snapshotSize)
        ? { rows: toRows(toParts(turn.snapshot())), isSnapshot: true }
        : { rows, isSnapshot: false };
    },
    stored({ rows, isSnapshot }) {
      seen += rows.length;
      if (!isSnapshot) {
        sizeSinceSnapshot += sizeOf(rows);
        return;
      }
      snapshotSize = sizeOf(rows);
      sizeSinceSnapshot = 0;
    },
    forget(turn) {
      turn.apply({ snapshot: true, changes: [] });
      seen = 0;
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
