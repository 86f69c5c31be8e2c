import TinyQueue from 'tinyqueue';

/** The key by which rows are grouped, and their order in each group. */
export interface QueueRule<Row> {
  /** Returns the key of the row's group, or null if the row is in no group. */
  readonly key: (row: Row) => string | null;
  /** Returns the sort key. The smallest comes first, and equal rows keep the order of their table. */
  readonly order: (row: Row) => number;
}

/**
 * Groups of ordered rows, derived from a table. Finding the first of 100,000 rows does not read the others.
 */
export interface Queue<Row> {
  /**
   * Updates the groups after a row has changed.
   * @param place The row's place in the order of the table. It orders rows with equal sort keys.
   */
  change(before: Row | undefined, after: Row | null, place: number): void;
  /** Returns the id of the first row with this key. */
  first(key: string): string | undefined;
  size(key: string): number;
  /**
   * Returns the ids of the rows with this key, in no particular order. Do not write during the iteration.
   */
  ids(key: string): IterableIterator<string>;
}

interface Member {
  readonly id: string;
  readonly order: number;
  readonly place: number;
}

interface Group {
  /** May contain removed members, which are dropped when they come first. */
  readonly heap: TinyQueue<Member>;
  readonly members: Map<string, Member>;
}

export function createQueue<Row extends { readonly id: string }>(rule: QueueRule<Row>): Queue<Row> {
  const groups = new Map<string, Group>();

  function removeFrom(key: string, id: string): void {
    const group = groups.get(key);
    group?.members.delete(id);
    if (group?.members.size === 0) groups.delete(key);
  }

  function addTo(key: string, member: Member): void {
    const group = groups.get(key) ?? createGroup();
    groups.set(key, group);
    group.members.set(member.id, member);
    group.heap.push(member);
    if (group.heap.length > 2 * group.members.size + 64)
      groups.set(key, createGroup(group.members));
  }

  return {
    change(before, after, place) {
      const from = before ? rule.key(before) : null;
      const to = after ? rule.key(after) : null;
      if (from === null && to === null) return;
      if (before && after && from === to && rule.order(before) === rule.order(after)) return;
      if (before && from !== null) removeFrom(from, before.id);
      if (after && to !== null) addTo(to, { id: after.id, order: rule.order(after), place });
    },
    first(key) {
      const group = groups.get(key);
      if (!group) return undefined;
      for (let member = group.heap.peek(); member; member = group.heap.peek()) {
        if (group.members.get(member.id) === member) return member.id;
        group.heap.pop();
      }
      return undefined;
    },
    size: (key) => groups.get(key)?.members.size ?? 0,
    ids: (key) => (groups.get(key)?.members ?? new Map<string, Member>()).keys(),
  };
}

function createGroup(members = new Map<string, Member>()): Group {
  const heap = new TinyQueue<Member>(
    [...members.values()],
    (a, b) => a.order - b.order || a.place - b.place,
  );
  return { heap, members };
}
