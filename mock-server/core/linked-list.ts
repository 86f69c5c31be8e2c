export interface ListNode<T> {
  readonly item: T;
  older: ListNode<T> | null;
  newer: ListNode<T> | null;
}

/** Items in the order in which they were added. Adding and removing take constant time, wherever the item is. */
export class LinkedList<T> {
  oldest: ListNode<T> | null = null;
  newest: ListNode<T> | null = null;

  add(item: T): ListNode<T> {
    const node: ListNode<T> = { item, older: this.newest, newer: null };
    if (this.newest) this.newest.newer = node;
    else this.oldest = node;
    this.newest = node;
    return node;
  }

  remove({ older, newer }: ListNode<T>): void {
    if (older) older.newer = newer;
    else this.oldest = newer;
    if (newer) newer.older = older;
    else this.newest = older;
  }
}
