/** The part of the browser's storage that the pages use. */
type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The storage of this tab, or the page's memory where the browser blocks storage. */
export const tabStorage = createTextStorage(() => sessionStorage);

/** The storage of this origin, or the page's memory where the browser blocks storage. */
export const siteStorage = createTextStorage(() => localStorage);

/**
 * Returns a storage that never throws. A browser that blocks cookies throws as soon as a page reads
 * `localStorage`, and a full storage throws on writing. What could not be stored lasts as long as the page.
 */
export function createTextStorage(open: () => Storage): TextStorage {
  const unstored = new Map<string, string>();
  return {
    getItem(key) {
      const text = unstored.get(key);
      if (text !== undefined) return text;
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    setItem(key, text) {
      try {
        open().setItem(key, text);
        unstored.delete(key);
      } catch {
        unstored.set(key, text);
      }
    },
    removeItem(key) {
      unstored.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // There is nothing to remove.
      }
    },
  };
}
