import TinyQueue from 'tinyqueue';

/** The key by which rows are grouped, and their order in each group. */
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
  /** Updates the groups after a row has changed. */
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
  readonly sequence: number;
}

interface Group {
  /** May contain removed places, which are dropped when they come first. */
  readonly heap: TinyQueue<Place>;
  readonly places: Map<string, Place>;
}

export function createQueue<Row extends { readonly id: string }>(rule: QueueRule<Row>): Queue<Row> {
  const groups = new Map<string, Group>();
  let sequence = 0;

  function removeFrom(key: string, id: string): void {
    const group = groups.get(key);
    group?.places.delete(id);
    if (group?.places.size === 0) groups.delete(key);
  }

  function addTo(key: string, row: Row): void {
    const group = groups.get(key) ?? createGroup();
    groups.set(key, group);
    const place = { id: row.id, order: rule.order(row), sequence: (sequence += 1) };
    group.places.set(row.id, place);
    group.heap.push(place);
    if (group.heap.length > 2 * group.places.size + 64) groups.set(key, createGroup(group.places));
  }

  return {
    change(before, after) {
      const from = before ? rule.key(before) : null;
      const to = after ? rule.key(after) : null;
      if (from === null && to === null) return;
      if (before && after && from === to && rule.order(before) === rule.order(after)) return;
      if (before && from !== null) removeFrom(from, before.id);
      if (after && to !== null) addTo(to, after);
    },
    first(key) {
      const group = groups.get(key);
      if (!group) return undefined;
      for (let place = group.heap.peek(); place; place = group.heap.peek()) {
        if (group.places.get(place.id) === place) return place.id;
        group.heap.pop();
      }
      return undefined;
    },
    size: (key) => groups.get(key)?.places.size ?? 0,
    ids: (key) => (groups.get(key)?.places ?? new Map<string, Place>()).keys(),
  };
}

function createGroup(places = new Map<string, Place>()): Group {
  const heap = new TinyQueue<Place>(
    [...places.values()],
    (a, b) => a.order - b.order || a.sequence - b.sequence,
  );
  return { heap, places };
}
