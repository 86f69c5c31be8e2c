/**
 * The newest items of one kind in localStorage. Every tab of the origin can add items and is notified of
 * new ones.
 */
export interface LocalRing<Item> {
  /** @param key A unique key that sorts by time. */
  add(key: string, item: Item): void;
  /** Returns the items, oldest first. */
  read(): readonly Item[];
  clear(): void;
  /**
   * Calls the listener with each item that this or another tab adds.
   * @returns a function that removes the listener
   */
  onAdd(listener: (item: Item) => void): () => void;
}

/**
 * The number of extra items allowed before the oldest are removed, so that not every addition has to remove
 * one.
 */
const SLACK = 50;

/**
 * Creates a ring with a separate storage key for each item. A list under one key would lose items, because
 * two tabs that add at the same time would overwrite each other's list.
 *
 * @param parse Validates a stored item, because every script of the origin can write to the storage.
 *   Returns null for an invalid item.
 */
export function createLocalRing<Item>(
  prefix: string,
  kept: number,
  parse: (value: unknown) => Item | null,
): LocalRing<Item> {
  const listeners = new Set<{ notify(item: Item): void }>();
  const parseText = (text: string | null): Item | null => {
    if (text === null) return null;
    try {
      return parse(JSON.parse(text));
    } catch {
      return null;
    }
  };

  return {
    add(key, item) {
      try {
        localStorage.setItem(prefix + key, JSON.stringify(item));
        const all = findKeys(prefix);
        if (all.length > kept + SLACK) remove(all.slice(0, -kept));
      } catch (error) {
        // If the storage is full or forbidden, the timeline misses an entry and the shopper is not
        // affected.
        console.debug('Cannot store the entry for the timeline', error);
        return;
      }
      for (const { notify } of listeners) notify(item);
    },
    read() {
      try {
        return findKeys(prefix)
          .slice(-kept)
          .flatMap((key) => parseText(localStorage.getItem(key)) ?? []);
      } catch {
        return [];
      }
    },
    clear: () => remove(findKeys(prefix)),
    onAdd(listener) {
      const onStorage = ({ key, newValue }: StorageEvent): void => {
        const item = key?.startsWith(prefix) ? parseText(newValue) : null;
        if (item !== null) listener(item);
      };
      // The wrapper object allows the same function to listen twice.
      const entry = { notify: listener };
      listeners.add(entry);
      window.addEventListener('storage', onStorage);
      return () => {
        listeners.delete(entry);
        window.removeEventListener('storage', onStorage);
      };
    },
  };
}

/** Returns the storage keys, oldest first. */
function findKeys(prefix: string): string[] {
  return Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    .filter((key) => key.startsWith(prefix))
    .sort();
}

function remove(keys: readonly string[]): void {
  for (const key of keys) localStorage.removeItem(key);
}
