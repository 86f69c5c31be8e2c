import { LinkedList, type ListNode } from './linked-list.ts';

/** The column that every row has. */
export interface AnyRow {
  readonly id: string;
}

/** A value in an indexed column. The rows that have it match. */
export interface Match {
  readonly column: string;
  readonly value: unknown;
}

/**
 * The rows of one table, in the order in which they were added. An iteration starts at either end or at any
 * row, so the newest ten rows of a million cost as much as the newest ten of a hundred.
 */
export class Table {
  readonly #entries = new Map<string, Entry>();
  readonly #indexes: readonly Index[];

  constructor(columns: readonly string[]) {
    this.#indexes = [EVERY_ROW, ...columns].map((column) => ({ column, lists: new Map() }));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): AnyRow | undefined {
    return this.#entries.get(id)?.row;
  }

  /** Adds, replaces or, with null, deletes a row. Returns the row before the change. */
  set(id: string, row: AnyRow | null): AnyRow | undefined {
    const entry = this.#entries.get(id);
    const before = entry?.row;
    if (entry && row) this.#replace(entry, row);
    else if (entry) this.#delete(entry);
    else if (row) this.#add(row);
    return before;
  }

  /** Returns the rows that match, in the order in which they got the value. */
  find(match: Match): AnyRow[] {
    const rows: AnyRow[] = [];
    for (let node = this.#list(match)?.oldest; node; node = node.newer) rows.push(node.item.row);
    return rows;
  }

  /**
   * @param after Yields only rows that were added after the row with this id, or every row if that row does
   *   not exist.
   */
  oldestFirst(after?: string): Generator<AnyRow, void> {
    const known = after === undefined ? undefined : this.#node(after);
    return walk(known ? known.newer : this.#list()?.oldest, 'newer');
  }

  /**
   * @param before Yields only rows that were added before the row with this id. Returns null if no matching
   *   row has this id.
   */
  newestFirst(match?: Match, before?: string): Generator<AnyRow, void> | null {
    if (before === undefined) return walk(this.#list(match)?.newest, 'older');
    const known = this.#node(before, match);
    return known ? walk(known.older, 'older') : null;
  }

  #list({ column, value }: Match = ALL): LinkedList<Entry> | undefined {
    return this.#indexes.find((index) => index.column === column)?.lists.get(value);
  }

  /** Returns the node of a row in the list of an index. */
  #node(id: string, { column, value }: Match = ALL): ListNode<Entry> | undefined {
    const entry = this.#entries.get(id);
    const at = this.#indexes.findIndex((index) => index.column === column);
    return entry && valueOf(entry.row, column) === value ? entry.nodes[at] : undefined;
  }

  #add(row: AnyRow): void {
    const entry: Entry = { row, nodes: [] };
    for (const index of this.#indexes) entry.nodes.push(addTo(index, entry));
    this.#entries.set(row.id, entry);
  }

  #replace(entry: Entry, row: AnyRow): void {
    const { row: before, nodes } = entry;
    entry.row = row;
    for (const [at, index] of this.#indexes.entries()) {
      const value = valueOf(before, index.column);
      if (value === valueOf(row, index.column)) continue;
      removeFrom(index, value, nodes[at]);
      nodes[at] = addTo(index, entry);
    }
  }

  #delete({ row, nodes }: Entry): void {
    for (const [at, index] of this.#indexes.entries())
      removeFrom(index, valueOf(row, index.column), nodes[at]);
    this.#entries.delete(row.id);
  }
}

/** A row, and its node in the list of each index. */
interface Entry {
  row: AnyRow;
  readonly nodes: ListNode<Entry>[];
}

/** One list of rows for each value of a column. */
interface Index {
  readonly column: string;
  readonly lists: Map<unknown, LinkedList<Entry>>;
}

/** A name that no column has. Its index has a single list, which contains all rows. */
const EVERY_ROW = '';
const ALL: Match = { column: EVERY_ROW, value: undefined };

function* walk(
  start: ListNode<Entry> | null | undefined,
  next: 'older' | 'newer',
): Generator<AnyRow, void> {
  for (let node = start; node; node = node[next]) yield node.item.row;
}

function valueOf(row: AnyRow, column: string): unknown {
  return (row as unknown as Record<string, unknown>)[column];
}

function addTo({ column, lists }: Index, entry: Entry): ListNode<Entry> {
  const value = valueOf(entry.row, column);
  let list = lists.get(value);
  if (!list) lists.set(value, (list = new LinkedList()));
  return list.add(entry);
}

function removeFrom({ lists }: Index, value: unknown, node: ListNode<Entry> | undefined): void {
  const list = lists.get(value);
  if (!list || !node) return;
  list.remove(node);
  if (!list.oldest) lists.delete(value);
}
