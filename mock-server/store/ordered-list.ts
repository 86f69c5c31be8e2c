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
