import { createQueue, type Queue } from './queues.ts';
import { type Random, toUuid } from './random.ts';
import type { DeliveryRow } from './rows.ts';
import { type AnyRow, Table } from './table.ts';
import {
  INDEXES,
  type IndexOf,
  type QueueName,
  QUEUES,
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

/** The changes of one commit. */
export interface Journal {
  /**
   * Returns the changes that lead to the current rows, in the current order. They have the last value of each
   * row. A row that was deleted and added again has two changes, because it comes last now.
   */
  changes(): Change[];
  rollback(): void;
}

/** What undoes a write: the row before it, and its place in the order of the table. */
interface Undo {
  readonly table: TableName;
  readonly id: string;
  readonly row: AnyRow | null;
  /** Undefined if the write added the row. */
  readonly place: number | undefined;
}

/** The tables in memory, with indexes and an undo journal. All methods are synchronous. */
export class Db {
  readonly #tables = new Map<TableName, Table>();
  readonly #queues = new Map<QueueName, Queue<DeliveryRow>>();
  #undo: Undo[] = [];
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
   * Returns every row of a table in the order in which they were added. Do not write during the iteration.
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

  /** Returns the rows whose indexed column has the value, in the order of `all`. */
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

  /** Starts a journal of the changes from now on. It ends when the next one starts. */
  begin(): Journal {
    const undo: Undo[] = (this.#undo = []);
    return {
      changes: () => this.#toChanges(undo),
      rollback: () => this.#undoFrom(undo, 0),
    };
  }

  /**
   * Runs a part of the work that a journal records. If it throws, its changes are undone and the error is
   * rethrown. The rest of the work stays.
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

  #toChanges(undo: readonly Undo[]): Change[] {
    const seen = new Map<TableName, Set<string>>();
    const touched = undo.filter(({ table, id, place }) => {
      const ids = seen.get(table) ?? new Set();
      seen.set(table, ids);
      const isFirst = !ids.has(id);
      ids.add(id);
      return isFirst || place === undefined;
    });
    return touched
      .toReversed()
      .map(({ table, id }): Change => {
        const isLast = seen.get(table)?.delete(id) === true;
        return [table, id, isLast ? (this.#table(table).get(id) ?? null) : null];
      })
      .toReversed();
  }

  #undoFrom(undo: Undo[], start: number): void {
    for (const { table, id, row, place } of undo.splice(start).toReversed())
      this.#set([table, id, row], place);
  }

  #write(change: Change): void {
    const [table, id] = change;
    const place = this.#table(table).placeOf(id);
    const row = this.#set(change) ?? null;
    this.#undo.push({ table, id, row, place });
  }

  /**
   * Applies a change without adding it to the journal. Returns the row before the change.
   * @param place The place of a row whose deletion is undone.
   */
  #set(change: Change, place?: number): AnyRow | undefined {
    const [name, id, row] = change;
    const table = this.#table(name);
    const before = table.set(id, row as AnyRow | null, place);
    if (name === 'deliveries') {
      const at = table.placeOf(id) ?? 0;
      for (const queue of this.#queues.values())
        queue.change(before as DeliveryRow | undefined, row as DeliveryRow | null, at);
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

/** The external inputs of a transaction: virtual time and randomness. */
export interface Moment {
  readonly nowMs: number;
  readonly random: Random;
}

/**
 * Returns an id that no row of the table has. Seeded randomness can repeat ids that an earlier run has
 * stored.
 */
export function newId(db: Db, table: TableName, random: Random): string {
  for (;;) {
    const id = toUuid(random);
    if (!db.get(table, id)) return id;
  }
}
