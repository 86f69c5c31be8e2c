import TinyQueue from 'tinyqueue';

/** Groups rows by a key, and orders the rows of each group. */
export interface QueueRule<Row> {
  /** Returns the key of the row's group, or null if the row is in no group. */
  readonly key: (row: Row) => string | null;
  /**
   * Returns the sort key. The smallest comes first, and equal rows keep the order in which they were added.
   */
  readonly order: (row: Row) => number;
}

/**
 * Groups of ordered rows, derived from a table. Finding the first of 100,000 rows does not read the others.
 */
export interface Queue<Row> {
  /** Updates the order after a row has changed. */
  change(before: Row | undefined, after: Row | null): void;
  /** Returns the id of the first row with this key. */
  first(key: string): string | undefined;
  size(key: string): number;
  /**
   * Returns the ids of the rows with this key, in no particular order. Do not write during the iteration.
   */
  ids(key: string): IterableIterator<string>;
}

interface Place {
  readonly id: string;
  readonly order: number;
  readonly came: number;
}

interface Line {
  /** May contain removed places, which are dropped when they come first. */
  readonly heap: TinyQueue<Place>;
  readonly places: Map<string, Place>;
}

export function createQueue<Row extends { readonly id: string }>(rule: QueueRule<Row>): Queue<Row> {
  const lines = new Map<string, Line>();
  let came = 0;

  function leave(key: string, id: string): void {
    const line = lines.get(key);
    line?.places.delete(id);
    if (line?.places.size === 0) lines.delete(key);
  }

  function join(key: string, row: Row): void {
    const line = lines.get(key) ?? createLine();
    lines.set(key, line);
    const place = { id: row.id, order: rule.order(row), came: (came += 1) };
    line.places.set(row.id, place);
    line.heap.push(place);
    if (line.heap.length > 2 * line.places.size + 64) lines.set(key, createLine(line.places));
  }

  return {
    change(before, after) {
      const from = before ? rule.key(before) : null;
      const to = after ? rule.key(after) : null;
      if (from === null && to === null) return;
      if (before && after && from === to && rule.order(before) === rule.order(after)) return;
      if (before && from !== null) leave(from, before.id);
      if (after && to !== null) join(to, after);
    },
    first(key) {
      const line = lines.get(key);
      if (!line) return undefined;
      for (let place = line.heap.peek(); place; place = line.heap.peek()) {
        if (line.places.get(place.id) === place) return place.id;
        line.heap.pop();
      }
      return undefined;
    },
    size: (key) => lines.get(key)?.places.size ?? 0,
    ids: (key) => (lines.get(key)?.places ?? new Map<string, Place>()).keys(),
  };
}

function createLine(places = new Map<string, Place>()): Line {
  const heap = new TinyQueue<Place>(
    [...places.values()],
    (a, b) => a.order - b.order || a.came - b.came,
  );
  return { heap, places };
}
