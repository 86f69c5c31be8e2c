import { vi } from 'vitest';

/** Replaces localStorage with one that can also be changed as if by another tab. */
export function aStorage(limit = Infinity) {
  const items = new Map<string, string>();
  const target = new EventTarget();
  const storage = {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (items.size >= limit) throw new Error('The quota has been exceeded');
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('window', target);
  return {
    items,
    /** Writes a value as another tab would, which fires a storage event in this one. */
    writeElsewhere(key: string, newValue: string | null) {
      if (newValue !== null) items.set(key, newValue);
      target.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }));
    },
  };
}
