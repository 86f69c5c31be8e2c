import { describe, expect, it } from 'vitest';
import { createProgressStore } from '../../../playground/verify/progress.ts';

/** The part of `sessionStorage` that is used, kept in memory. */
function aStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
}

describe('the progress of a shopper', () => {
  it('is there again after a reload, for its own session alone', () => {
    const storage = aStorage();
    const progress = { index: 2, isFaceEnough: false, outcome: 'never' };
    createProgressStore('a', () => storage).save(progress);
    expect(createProgressStore('a', () => storage).load()).toEqual(progress);
    expect(createProgressStore('b', () => storage).load()).toBeNull();
  });

  it('is forgotten at the end', () => {
    const storage = aStorage();
    const store = createProgressStore('a', () => storage);
    store.save({ index: 1, isFaceEnough: true, outcome: null });
    store.save(null);
    expect(store.load()).toBeNull();
  });

  it.each(['', '{', '7', '{"index":-1}', '{"index":"1"}', '{"index":0.5}'])(
    'is none where the storage holds %j',
    (text) => {
      const storage = aStorage();
      storage.setItem('ofage:progress:a', text);
      expect(createProgressStore('a', () => storage).load()).toBeNull();
    },
  );

  it('is not kept where the browser keeps nothing, and that is no error', () => {
    const store = createProgressStore('a', () => {
      throw new DOMException('The operation is insecure', 'SecurityError');
    });
    store.save({ index: 1, isFaceEnough: true, outcome: null });
    expect(store.load()).toBeNull();
  });
});
