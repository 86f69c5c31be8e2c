import { createQueue, type Queue } from './queues.ts';
import { Table, type AnyRow } from './table.ts';
import {
  INDEXES,
  QUEUES,
  type DeliveryRow,
  type IndexOf,
  type QueueName,
  type Rows,
  type TableName,
} from './tables.ts';

/** A change of one row: its new value, or null when it was deleted. */
export type Change = readonly [table: TableName, id: string, row: object | null];

/** The rows that `newest` returns. */
export interface Walk<T extends TableName> {
  /** Only rows with this value in an indexed column. */
  readonly match?: { readonly column: IndexOf<T>; readonly value: unknown } | undefined;
  /** Only rows that were added before the one with this id. */
  readonly before?: string | undefined;
}

/** The tables in memory, with indexes and an undo journal. All methods are synchronous. */
export class Db {
  readonly #tables = new Map<TableName, Table>();
  readonly #queues = new Map<QueueName, Queue<DeliveryRow>>();
  #undo: Change[] = [];
  /** Called for every change, including changes that undo others. */
  readonly #onChange: (change: Change) => void;

  constructor(onChange: (change: Change) => void = () => {}) {
    this.#onChange = onChange;
    this.#reset();
  }

  get<T extends TableName>(table: T, id: string): Rows[T] | undefined {
    return this.#table(table).get(id) as Rows[T] | undefined;
  }

  /**
   * Returns every row of a table, usually oldest first. A row whose deletion was undone comes last, so sort
   * the rows where the order matters. Do not write during the iteration.
   * @param after Returns only rows that were added after the row with this id, or every row if that row
   *   does not exist.
   */
  all<T extends TableName>(table: T, after?: string): IterableIterator<Rows[T]> {
    return this.#table(table).oldestFirst(after) as IterableIterator<Rows[T]>;
  }

  /**
   * Returns rows in the opposite order of `all` or, with `match`, of `find`. Returns null if no matching row
   * has the id `before`. An iteration that stops early costs only the rows that it has read.
   */
  newest<T extends TableName>(
    table: T,
    { match, before }: Walk<T> = {},
  ): IterableIterator<Rows[T]> | null {
    return this.#table(table).newestFirst(match, before) as IterableIterator<Rows[T]> | null;
  }

  count(table: TableName): number {
    return this.#table(table).size;
  }

  /** Returns the rows whose indexed column has the value, in the order in which they got it. */
  find<T extends TableName>(
    table: T,
    column: IndexOf<T> & keyof Rows[T],
    value: unknown,
  ): Rows[T][] {
    return this.#table(table).find({ column, value }) as object[] as Rows[T][];
  }

  first(queue: QueueName, key: string): DeliveryRow | undefined {
    const id = this.#queue(queue).first(key);
    return id === undefined ? undefined : this.get('deliveries', id);
  }

  size(queue: QueueName, key: string): number {
    return this.#queue(queue).size(key);
  }

  /** Returns the deliveries with this key in a queue, in no particular order. */
  queued(queue: QueueName, key: string): DeliveryRow[] {
    return Array.from(
      this.#queue(queue).ids(key),
      (id) => this.get('deliveries', id) as DeliveryRow,
    );
  }

  put<T extends TableName>(table: T, row: Rows[T]): Rows[T] {
    this.#write([table, row.id, row]);
    return row;
  }

  delete(table: TableName, id: string): void {
    if (this.#table(table).get(id)) this.#write([table, id, null]);
  }

  /** Applies changes that are already durable. */
  apply(changes: Iterable<Change>): void {
    for (const change of changes) this.#set(change);
  }

  /** Deletes every row before a snapshot is applied. */
  clear(): void {
    for (const [name, table] of this.#tables) {
      for (const { id } of table.oldestFirst()) this.#onChange([name, id, null]);
    }
    this.#reset();
  }

  /** Returns every row as a change that adds it. */
  *dump(): Generator<Change> {
    for (const [name, table] of this.#tables) {
      for (const row of table.oldestFirst()) yield [name, row.id, row];
    }
  }

  /**
   * The number of changes that the transaction has made so far. Two readings show whether the code between
   * them has changed something.
   */
  get written(): number {
    return this.#undo.length;
  }

  /**
   * Starts a transaction's journal. Returns a function that lists the transaction's changes and one that
   * undoes them.
   */
  begin(): { changes(): Change[]; rollback(): void } {
    const undo: Change[] = (this.#undo = []);
    return {
      changes: () =>
        keepLast(undo.map(([table, id]) => [table, id, this.#table(table).get(id) ?? null])),
      rollback: () => this.#undoFrom(undo, 0),
    };
  }

  /**
   * Runs a part of a transaction whose failure does not undo the other parts. If it throws, its changes are
   * undone and the error is rethrown.
   */
  attempt<T>(run: () => T): T {
    const undo = this.#undo;
    const start = undo.length;
    try {
      return run();
    } catch (error) {
      this.#undoFrom(undo, start);
      throw error;
    }
  }

  #undoFrom(undo: Change[], start: number): void {
    for (const change of undo.splice(start).toReversed()) this.#set(change);
  }

  #write([table, id, row]: Change): void {
    const before = this.#set([table, id, row]);
    this.#undo.push([table, id, before ?? null]);
  }

  /** Applies a change without adding it to the journal. Returns the row before the change. */
  #set(change: Change): AnyRow | undefined {
    const [name, id, row] = change;
    const before = this.#table(name).set(id, row as AnyRow | null);
    if (name === 'deliveries') {
      for (const queue of this.#queues.values())
        queue.change(before as DeliveryRow | undefined, row as DeliveryRow | null);
    }
    this.#onChange(change);
    return before;
  }

  #queue(name: QueueName): Queue<DeliveryRow> {
    const queue = this.#queues.get(name);
    if (!queue) throw new RangeError(`There is no queue "${name}"`);
    return queue;
  }

  #table(name: TableName): Table {
    const table = this.#tables.get(name);
    if (!table) throw new RangeError(`There is no table "${name}"`);
    return table;
  }

  #reset(): void {
    for (const name of Object.keys(QUEUES) as QueueName[])
      this.#queues.set(name, createQueue<DeliveryRow>(QUEUES[name]));
    for (const name of Object.keys(INDEXES) as TableName[])
      this.#tables.set(name, new Table(INDEXES[name]));
  }
}

/** Keeps the last change of each row, in the order of the first changes. */
export function keepLast(changes: readonly Change[]): Change[] {
  const kept: Change[] = [];
  const places = new Map<TableName, Map<string, number>>();
  for (const change of changes) {
    const [table, id] = change;
    let known = places.get(table);
    if (!known) places.set(table, (known = new Map()));
    const place = known.get(id);
    if (place !== undefined) kept[place] = change;
    else {
      known.set(id, kept.length);
      kept.push(change);
    }
  }
  return kept;
}
