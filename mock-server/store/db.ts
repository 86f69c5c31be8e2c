import { createQueue, type Queue } from './queues.ts';
import { drawFree, type Random, toUuid } from './random.ts';
import type { DeliveryRow } from './rows.ts';
import {
  ERASED_COLUMNS,
  INDEXES,
  type IndexOf,
  type QueueName,
  QUEUES,
  type Rows,
  type TableName,
} from './tables.ts';

/** A change of one row: its new value, or null when it was deleted. */
export type RowChange = readonly [table: TableName, id: string, row: object | null];

/** The rows that `newest` returns. */
export interface Walk<T extends TableName> {
  /** Only rows with this value in an indexed column. */
  readonly match?: { readonly column: IndexOf<T>; readonly value: unknown } | undefined;
  /** Only rows that were added before the one with this id. */
  readonly before?: string | undefined;
}

/** The changes of one commit. */
export interface CommitChanges {
  /**
   * Returns the changes that lead to the current rows, in the current order. They have the last value of each
   * row. A row that was deleted and added again has two changes, because it comes last now: of the writes
   * "change A, add B, delete A, change B, add A", they are "A is deleted, B, A".
   */
  changes(): RowChange[];
  /** Tells whether a change deletes or replaces data that must not stay in the storage. */
  erases(): boolean;
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

/** The writes since `begin`, oldest first. */
interface Recording {
  readonly undo: Undo[];
  /** True if one of them, even one that was undone, has erased data. */
  erases: boolean;
}

/** The tables in memory, with indexes and a list of what undoes the changes. All methods are synchronous. */
export class Db {
  readonly #tables = new Map<TableName, Table>();
  readonly #queues = new Map<QueueName, Queue<DeliveryRow>>();
  #recording: Recording = { undo: [], erases: false };
  /** Called for every change, including changes that undo others. */
  readonly #onChange: (change: RowChange) => void;

  /** Returns real time, for rows that store it. */
  readonly realNow: () => number;

  constructor(
    onChange: (change: RowChange) => void = () => {},
    realNow: () => number = () => Date.now(),
  ) {
    this.#onChange = onChange;
    this.realNow = realNow;
    this.#reset();
  }

  get<T extends TableName>(table: T, id: string): Rows[T] | undefined {
    return this.#table(table).get(id) as Rows[T] | undefined;
  }

  /**
   * Returns every row of a table in the order in which they were added. Do not write during the iteration,
   * which may then leave out a row or return it twice.
   * @param after Returns only rows that were added after the row with this id, or every row if that row
   *   does not exist, because all may then be new to the reader.
   */
  all<T extends TableName>(table: T, after?: string): IterableIterator<Rows[T]> {
    return this.#table(table).oldestFirst(after) as IterableIterator<Rows[T]>;
  }

  /**
   * Returns rows in the opposite order of `all` or, with `match`, of `find`. Unlike `all`, it returns null if
   * no matching row has the id `before`, so that the caller can tell that from the end of the table. An
   * iteration that stops early costs only the rows that it has read.
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

  /** Returns the number of rows in all tables. */
  countAll(): number {
    let rows = 0;
    for (const { size } of this.#tables.values()) rows += size;
    return rows;
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
  apply(changes: Iterable<RowChange>): void {
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
  *dump(): Generator<RowChange> {
    for (const [name, table] of this.#tables) {
      for (const row of table.oldestFirst()) yield [name, row.id, row];
    }
  }

  /** Starts to record the changes. The recording ends when the next one starts. */
  begin(): CommitChanges {
    const recording: Recording = { undo: [], erases: false };
    this.#recording = recording;
    return {
      changes: () => this.#toChanges(recording.undo),
      erases: () => recording.erases,
      rollback: () => this.#undoFrom(recording.undo, 0),
    };
  }

  /**
   * Runs a part of the recorded work. If it throws, its changes are undone and the error is rethrown. The
   * rest of the work stays.
   */
  runPart<T>(run: () => T): T {
    const { undo } = this.#recording;
    const start = undo.length;
    try {
      return run();
    } catch (error) {
      this.#undoFrom(undo, start);
      throw error;
    }
  }

  #toChanges(writes: readonly Undo[]): RowChange[] {
    const changes: RowChange[] = [];
    const indexes = new Map<string, number>();
    for (const { table, id, place } of writes) {
      const key = `${table} ${id}`;
      const listedAt = indexes.get(key);
      const isAddition = place === undefined;
      if (listedAt !== undefined && !isAddition) continue;
      // The row was deleted before it is added again.
      if (listedAt !== undefined) changes[listedAt] = [table, id, null];
      indexes.set(key, changes.length);
      changes.push([table, id, this.#table(table).get(id) ?? null]);
    }
    return changes;
  }

  #undoFrom(undo: Undo[], start: number): void {
    for (const { table, id, row, place } of undo.splice(start).toReversed())
      this.#set([table, id, row], place);
  }

  #write(change: RowChange): void {
    const [table, id] = change;
    const place = this.#table(table).placeOf(id);
    const row = this.#set(change) ?? null;
    this.#recording.undo.push({ table, id, row, place });
    if (row && isErasing(change, row)) this.#recording.erases = true;
  }

  /**
   * Applies a change without recording it. Returns the row before the change.
   * @param place The place of a row whose deletion is undone.
   */
  #set(change: RowChange, place?: number): AnyRow | undefined {
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

function isErasing([table, , row]: RowChange, before: AnyRow): boolean {
  const columns: readonly string[] | undefined = ERASED_COLUMNS[table];
  if (!columns) return false;
  if (!row) return true;
  const toText = (of: object, column: string): string =>
    JSON.stringify((of as Record<string, unknown>)[column]);
  return columns.some((column) => toText(before, column) !== toText(row, column));
}

/** The external inputs of a transaction: virtual time and randomness. */
export interface Moment {
  readonly nowMs: number;
  readonly random: Random;
}

/** Returns an id that no row of the table has. */
export function newId(db: Db, table: TableName, random: Random): string {
  return drawFree(
    () => toUuid(random),
    (id) => db.get(table, id) !== undefined,
  );
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
  readonly #rows = new Map<string, PlacedRow>();
  readonly #all = new OrderedList();
  /** For each column, the rows that have the same value. */
  readonly #indexes: ReadonlyMap<string, Map<unknown, OrderedList>>;
  #lastPlace = 0;

  constructor(columns: readonly string[]) {
    this.#indexes = new Map(columns.map((column) => [column, new Map()]));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): AnyRow | undefined {
    // Only deleted rows are null, and they are not in this map.
    return this.#rows.get(id)?.row ?? undefined;
  }

  /** Returns the row's place in the order of the table, or undefined if the row does not exist. */
  placeOf(id: string): number | undefined {
    return this.#rows.get(id)?.place;
  }

  /**
   * Adds, replaces or, with null, deletes a row. Returns the row before the change.
   * @param place The place of an added row, if its deletion is undone. Otherwise the row comes last.
   */
  set(id: string, row: AnyRow | null, place?: number): AnyRow | undefined {
    const placed = this.#rows.get(id);
    const before = this.get(id);
    if (placed && row && before && this.#isIndexedAlike(before, row)) {
      placed.row = row;
      return before;
    }
    if (placed && before) this.#remove(placed, before);
    // A replaced row keeps its place.
    if (row) this.#add({ place: placed?.place ?? place ?? this.#lastPlace + 1, row }, row);
    return before;
  }

  /** Returns the rows that match, in the order of the table. */
  find(match: Match): AnyRow[] {
    return [...this.#listOf(match).oldestFirst()];
  }

  /**
   * @param after Yields only rows that were added after the row with this id, or every row if that row does
   *   not exist.
   */
  oldestFirst(after?: string): Generator<AnyRow, void> {
    return this.#all.oldestFirst(after === undefined ? undefined : this.placeOf(after));
  }

  /**
   * @param before Yields only rows that were added before the row with this id. Returns null if no matching
   *   row has this id.
   */
  newestFirst(match?: Match, before?: string): Generator<AnyRow, void> | null {
    const list = match ? this.#listOf(match) : this.#all;
    if (before === undefined) return list.newestFirst();
    const row = this.get(before);
    if (!row) return null;
    const isMatch = !match || valueOf(row, match.column) === match.value;
    return isMatch ? list.newestFirst(this.placeOf(before)) : null;
  }

  #listOf({ column, value }: Match): OrderedList {
    return this.#indexes.get(column)?.get(value) ?? new OrderedList();
  }

  #isIndexedAlike(before: AnyRow, row: AnyRow): boolean {
    for (const column of this.#indexes.keys())
      if (valueOf(before, column) !== valueOf(row, column)) return false;
    return true;
  }

  #add(placed: PlacedRow, row: AnyRow): void {
    this.#lastPlace = Math.max(this.#lastPlace, placed.place);
    this.#rows.set(row.id, placed);
    this.#all.add(placed);
    for (const [column, lists] of this.#indexes) {
      const value = valueOf(row, column);
      const list = lists.get(value) ?? new OrderedList();
      lists.set(value, list);
      list.add(placed);
    }
  }

  #remove(placed: PlacedRow, row: AnyRow): void {
    placed.row = null;
    this.#rows.delete(row.id);
    this.#all.countDeleted();
    for (const [column, lists] of this.#indexes) {
      const value = valueOf(row, column);
      const list = lists.get(value);
      list?.countDeleted();
      if (list?.isEmpty) lists.delete(value);
    }
  }
}

function valueOf(row: AnyRow, column: string): unknown {
  return (row as unknown as Record<string, unknown>)[column];
}

/** The column that every row has. */
interface AnyRow {
  readonly id: string;
}

/** A row in its lists. */
export interface PlacedRow {
  /** The row's place in the order of its table. Later rows have a larger number. */
  readonly place: number;
  /** Null after the row was deleted. */
  row: AnyRow | null;
}

/** The part of a list that may be deleted rows. If it grows larger, they are dropped. */
const DELETED_SHARE = 1 / 8;

/**
 * Rows in the order of their places. A deleted row keeps its place in the list for a while. Deleting one of a million rows therefore does not move the others, and an iteration skips few
 * places.
 */
class OrderedList {
  #rows: PlacedRow[] = [];
  #deleted = 0;

  get isEmpty(): boolean {
    return this.#rows.length === this.#deleted;
  }

  add(placed: PlacedRow): void {
    this.#rows.splice(this.#indexOf(placed.place), 0, placed);
  }

  /** Must be called after a row was set to null. */
  countDeleted(): void {
    this.#deleted += 1;
    if (this.#deleted <= this.#rows.length * DELETED_SHARE) return;
    this.#rows = this.#rows.filter(({ row }) => row !== null);
    this.#deleted = 0;
  }

  /** @param after Yields only rows with a larger place. */
  *oldestFirst(after = -Infinity): Generator<AnyRow, void> {
    const rows = this.#rows;
    for (let at = this.#indexOf(after + 1); at < rows.length; at += 1) {
      const row = rows[at]?.row;
      if (row) yield row;
    }
  }

  /** @param before Yields only rows with a smaller place. */
  *newestFirst(before = Infinity): Generator<AnyRow, void> {
    const rows = this.#rows;
    for (let at = this.#indexOf(before) - 1; at >= 0; at -= 1) {
      const row = rows[at]?.row;
      if (row) yield row;
    }
  }

  /** Returns the index of the first row with this place or a larger one. */
  #indexOf(place: number): number {
    const isBefore = (at: number): boolean => (this.#rows[at]?.place ?? Infinity) < place;
    let high = this.#rows.length;
    // Most calls are for the end of the list.
    if (high === 0 || isBefore(high - 1)) return high;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
