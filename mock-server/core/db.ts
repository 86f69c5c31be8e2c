import { createQueue, type Queue } from './queues.ts';
import {
  INDEXES,
  QUEUES,
  type DeliveryRow,
  type IndexOf,
  type QueueName,
  type Rows,
  type TableName,
} from './tables.ts';

/** What happened to one row: its new value, or null when it was deleted. */
export type Change = readonly [table: TableName, id: string, row: object | null];

type AnyRow = { readonly id: string };

interface Table {
  readonly rows: Map<string, AnyRow>;
  readonly indexes: ReadonlyMap<string, Map<unknown, Set<string>>>;
}

/** The tables in memory, with look-ups by index and an undo journal. Synchronous throughout. */
export class Db {
  readonly #tables = new Map<TableName, Table>();
  readonly #queues = new Map<QueueName, Queue<DeliveryRow>>();
  #undo: Change[] = [];
  /** Called for every change, whoever made it, undo included. */
  readonly #onChange: (change: Change) => void;

  constructor(onChange: (change: Change) => void = () => {}) {
    this.#onChange = onChange;
    this.#reset();
  }

  get<T extends TableName>(table: T, id: string): Rows[T] | undefined {
    return this.#table(table).rows.get(id) as Rows[T] | undefined;
  }

  /**
   * Every row of a table, oldest first as a rule; a row whose deletion was undone comes last, so sort
   * where order matters. Do not write while walking through it.
   */
  all<T extends TableName>(table: T): IterableIterator<Rows[T]> {
    return this.#table(table).rows.values() as IterableIterator<Rows[T]>;
  }

  count(table: TableName): number {
    return this.#table(table).rows.size;
  }

  /** The rows whose indexed column has the value, in the order of `all`. */
  find<T extends TableName>(
    table: T,
    column: IndexOf<T> & keyof Rows[T],
    value: unknown,
  ): Rows[T][] {
    const { rows, indexes } = this.#table(table);
    const ids = indexes.get(column as string)?.get(value) ?? new Set<string>();
    return Array.from(ids, (id) => rows.get(id) as Rows[T]);
  }

  /** The first delivery of a line. */
  first(queue: QueueName, key: string): DeliveryRow | undefined {
    const id = this.#queue(queue).first(key);
    return id === undefined ? undefined : this.get('deliveries', id);
  }

  /** How many deliveries stand in a line. */
  size(queue: QueueName, key: string): number {
    return this.#queue(queue).size(key);
  }

  /** The deliveries of a line, in no order. */
  line(queue: QueueName, key: string): DeliveryRow[] {
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
    if (this.#table(table).rows.has(id)) this.#write([table, id, null]);
  }

  /** Takes in changes that are already durable. */
  apply(changes: Iterable<Change>): void {
    for (const change of changes) this.#set(change);
  }

  /** Forgets every row, before a snapshot is applied. */
  clear(): void {
    for (const [name, { rows }] of this.#tables) {
      for (const id of rows.keys()) this.#onChange([name, id, null]);
    }
    this.#reset();
  }

  /** Every row as a change, for a snapshot. */
  *dump(): Generator<Change> {
    for (const [name, { rows }] of this.#tables) {
      for (const row of rows.values()) yield [name, row.id, row];
    }
  }

  /** Starts a transaction's journal and returns how to undo what has been written since. */
  begin(): { changes(): Change[]; rollback(): void } {
    const undo: Change[] = (this.#undo = []);
    return {
      changes: () => {
        const touched = new Map(undo.map((change) => [`${change[0]}:${change[1]}`, change]));
        return Array.from(touched.values(), ([table, id]): Change => [
          table,
          id,
          this.#table(table).rows.get(id) ?? null,
        ]);
      },
      rollback: () => this.#undoFrom(undo, 0),
    };
  }

  /** Runs a part of a transaction that may fail alone: a throw undoes what the part wrote, and is passed on. */
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

  #write(change: Change): void {
    const [table, id] = change;
    this.#undo.push([table, id, this.#table(table).rows.get(id) ?? null]);
    this.#set(change);
  }

  #set(change: Change): void {
    const [name, id, row] = change;
    const { rows, indexes } = this.#table(name);
    const old = rows.get(id);
    for (const [column, index] of indexes) {
      const before = old && (old as unknown as Record<string, unknown>)[column];
      const after = row && (row as Record<string, unknown>)[column];
      if (old && row && before === after) continue;
      if (old) {
        const ids = index.get(before);
        ids?.delete(id);
        if (ids?.size === 0) index.delete(before);
      }
      if (row) {
        const ids = index.get(after);
        if (ids) ids.add(id);
        else index.set(after, new Set([id]));
      }
    }
    if (row) rows.set(id, row as AnyRow);
    else rows.delete(id);
    if (name === 'deliveries') {
      const before = old as DeliveryRow | undefined;
      for (const queue of this.#queues.values()) queue.change(before, row as DeliveryRow | null);
    }
    this.#onChange(change);
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
    for (const name of Object.keys(INDEXES) as TableName[]) {
      const columns: readonly string[] = INDEXES[name];
      this.#tables.set(name, {
        rows: new Map(),
        indexes: new Map(columns.map((column) => [column, new Map()])),
      });
    }
  }
}
