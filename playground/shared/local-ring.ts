/** The last so many of something, in localStorage: every tab of the origin adds to it and hears of it. */
export interface LocalRing<Item> {
  /** @param key sorts by time, and is unique */
  add(key: string, item: Item): void;
  /** Oldest first. */
  read(): readonly Item[];
  clear(): void;
  /** Hears what is added, in this tab and all others. @returns how to stop */
  onAdd(hear: (item: Item) => void): () => void;
}

/** How many more there may be before the oldest go, so that not every addition tidies up. */
const SLACK = 50;

/**
 * Each item has a key of its own. A list under one key would lose items: two tabs that add to it at
 * once each write back what they read.
 *
 * @param parse Storage is open to every script of the origin, so an item is looked at before it is
 *   believed; null is none.
 */
export function createLocalRing<Item>(
  prefix: string,
  kept: number,
  parse: (value: unknown) => Item | null,
): LocalRing<Item> {
  const listeners = new Set<{ hear(item: Item): void }>();
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
        // A full or forbidden storage costs the inspector a line, and the shopper nothing.
        console.debug('Cannot keep it for the inspector', error);
        return;
      }
      for (const { hear } of listeners) hear(item);
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
    onAdd(hear) {
      const onStorage = ({ key, newValue }: StorageEvent): void => {
        const item = key?.startsWith(prefix) ? parseText(newValue) : null;
        if (item !== null) hear(item);
      };
      // Wrapped, so that a function can listen twice.
      const listener = { hear };
      listeners.add(listener);
      window.addEventListener('storage', onStorage);
      return () => {
        listeners.delete(listener);
        window.removeEventListener('storage', onStorage);
      };
    },
  };
}

/** Oldest first. */
function findKeys(prefix: string): string[] {
  return Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    .filter((key) => key.startsWith(prefix))
    .sort();
}

function remove(keys: readonly string[]): void {
  for (const key of keys) localStorage.removeItem(key);
}
