import { type ReadonlySignal, signal } from '@preact/signals';
import type { ListItem, ListSource, Page } from './list-source.ts';
import { type LiveMessage, toItem } from './messages.ts';

/** The newest items of a list, oldest first. */
export interface ListItems<Item> {
  /** True if the service has older items than these. */
  readonly hasOlder: ReadonlySignal<boolean>;
  /** Returns the number of items to read and keep. */
  limit(): number;
  /** Raises the number of items to keep by one page. */
  extend(): void;
  toArray(): readonly Item[];
  /** Replaces all items with a page that was read. */
  replace(page: Page<Item>): void;
  /**
   * Applies a message. Returns `unclear` if the position of the item is unknown, and the list must then be
   * read again.
   */
  apply(message: LiveMessage): 'applied' | 'unclear';
}

export function createListItems<Item extends ListItem>({
  limit: step,
  matches,
}: Pick<ListSource<Item>, 'limit' | 'matches'>): ListItems<Item> {
  const hasOlder = signal(false);
  let limit = step ?? Infinity;
  let items = new Map<Item['id'], Item>();

  /** Returns the position of an unknown item. Most are new, but some are older than all the kept items. */
  function placeOf({ createdAt }: Item): 'end' | 'beyond' | 'unclear' {
    const [oldest] = items.values();
    const isPartial = step !== undefined && (hasOlder.peek() || items.size >= limit);
    if (!isPartial || !oldest?.createdAt || !createdAt) return 'end';
    if (createdAt < oldest.createdAt) return 'beyond';
    const newest = [...items.values()].at(-1);
    const isNew = createdAt > oldest.createdAt && createdAt >= (newest?.createdAt ?? '');
    return isNew ? 'end' : 'unclear';
  }

  function add(item: Item): void {
    items.set(item.id, item);
    const [oldest] = items.keys();
    if (items.size <= limit || oldest === undefined) return;
    items.delete(oldest);
    hasOlder.value = true;
  }

  return {
    hasOlder,
    limit: () => limit,
    extend() {
      limit += step ?? 0;
    },
    toArray: () => [...items.values()],
    replace(page) {
      items = new Map(page.items.map((item) => [item.id, item]));
      hasOlder.value = page.next !== null;
    },
    apply(message) {
      const item = toItem<Item>(message);
      if (item === null || !matches(item)) {
        items.delete(Object(message.data).id as Item['id']);
        return 'applied';
      }
      const place = items.has(item.id) ? 'known' : placeOf(item);
      if (place === 'known') items.set(item.id, item);
      else if (place === 'end') add(item);
      return place === 'unclear' ? 'unclear' : 'applied';
    },
  };
}
