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
  readonly #all = new OrderedList();
  /** For each column, the rows that have the same value. */
  readonly #indexes: ReadonlyMap<string, Map<unknown, OrderedList>>;
  #lastPlace = 0;

  constructor(columns: readonly string[]) {
    this.#indexes = new Map(columns.map((column) => [column, new Map()]));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): AnyRow | undefined {
    return this.#entries.get(id)?.row ?? undefined;
  }

  /** Returns the row's place in the order of the table, or undefined if the row does not exist. */
  placeOf(id: string): number | undefined {
    return this.#entries.get(id)?.place;
  }

  /**
   * Adds, replaces or, with null, deletes a row. Returns the row before the change.
   * @param place The place of an added row, if its deletion is undone. Otherwise the row comes last.
   */
  set(id: string, row: AnyRow | null, place?: number): AnyRow | undefined {
    const entry = this.#entries.get(id);
    const before = entry?.row ?? undefined;
    if (entry && row && before && this.#isIndexedAlike(before, row)) {
      entry.row = row;
      return before;
    }
    if (entry) this.#remove(id, entry);
    if (row) this.#add({ place: entry?.place ?? place ?? this.#lastPlace + 1, row }, row);
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
    const known = this.#entries.get(before);
    const isMatch = known?.row && (!match || valueOf(known.row, match.column) === match.value);
    return isMatch ? list.newestFirst(known.place) : null;
  }

  #listOf({ column, value }: Match): OrderedList {
    return this.#indexes.get(column)?.get(value) ?? new OrderedList();
  }

  #isIndexedAlike(before: AnyRow, row: AnyRow): boolean {
    for (const column of this.#indexes.keys())
      if (valueOf(before, column) !== valueOf(row, column)) return false;
    return true;
  }

  #add(entry: Entry, row: AnyRow): void {
    this.#lastPlace = Math.max(this.#lastPlace, entry.place);
    this.#entries.set(row.id, entry);
    this.#all.add(entry);
    for (const [column, lists] of this.#indexes) {
      const value = valueOf(row, column);
      const list = lists.get(value) ?? new OrderedList();
      lists.set(value, list);
      list.add(entry);
    }
  }

  #remove(id: string, entry: Entry): void {
    const { row } = entry;
    entry.row = null;
    this.#entries.delete(id);
    this.#all.countDeleted();
    for (const [column, lists] of this.#indexes) {
      const value = row && valueOf(row, column);
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
export interface AnyRow {
  readonly id: string;
}

/** A row in its lists. */
export interface Entry {
  /** The row's place in the order of its table. Later rows have a larger number. */
  readonly place: number;
  /** Null after the row was deleted. */
  row: AnyRow | null;
}

/**
 * Rows in the order of their places. A deleted row keeps its entry, without the row, until an eighth of the
 * entries are such. Deleting one of a million rows therefore does not move the others, and an iteration
 * skips few entries.
 */
export class OrderedList {
  #entries: Entry[] = [];
  #deleted = 0;

  get isEmpty(): boolean {
    return this.#entries.length === this.#deleted;
  }

  add(entry: Entry): void {
    this.#entries.splice(this.#indexOf(entry.place), 0, entry);
  }

  /** Must be called after the row of an entry was set to null. */
  countDeleted(): void {
    this.#deleted += 1;
    if (this.#deleted * 8 <= this.#entries.length) return;
    this.#entries = this.#entries.filter(({ row }) => row !== null);
    this.#deleted = 0;
  }

  /** @param after Yields only rows with a larger place. */
  *oldestFirst(after = -Infinity): Generator<AnyRow, void> {
    const entries = this.#entries;
    for (let at = this.#indexOf(after + 1); at < entries.length; at += 1) {
      const row = entries[at]?.row;
      if (row) yield row;
    }
  }

  /** @param before Yields only rows with a smaller place. */
  *newestFirst(before = Infinity): Generator<AnyRow, void> {
    const entries = this.#entries;
    for (let at = this.#indexOf(before) - 1; at >= 0; at -= 1) {
      const row = entries[at]?.row;
      if (row) yield row;
    }
  }

  /** Returns the index of the first entry with this place or a larger one. */
  #indexOf(place: number): number {
    const isBefore = (at: number): boolean => (this.#entries[at]?.place ?? Infinity) < place;
    let high = this.#entries.length;
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
