import { describe, expect, it } from 'vitest';
import { createProgressStore } from '../../../playground/verify/progress.ts';

/** Creates an in-memory `sessionStorage` with the methods that are used. */
function aStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
}

describe('the saved progress', () => {
  it('is restored after a reload, only for the same session', () => {
    const storage = aStorage();
    const progress = {
      index: 2,
      isFaceEnough: false,
      document: 'passport',
      outcome: 'never',
    } as const;
    createProgressStore('a', () => storage).save(progress);
    expect(createProgressStore('a', () => storage).load()).toEqual(progress);
    expect(createProgressStore('b', () => storage).load()).toBeNull();
  });

  it('is deleted by saving null', () => {
    const storage = aStorage();
    const store = createProgressStore('a', () => storage);
    store.save({ index: 1, isFaceEnough: true, document: 'id_card', outcome: null });
    store.save(null);
    expect(store.load()).toBeNull();
  });

  it.each(['', '{', '7', '{"index":-1}', '{"index":"1"}', '{"index":0.5}'])(
    'is null if the storage contains %j',
    (text) => {
      const storage = aStorage();
      storage.setItem('ofage:progress:a', text);
      expect(createProgressStore('a', () => storage).load()).toBeNull();
    },
  );

  it('is not saved if the browser denies storage, without an error', () => {
    const store = createProgressStore('a', () => {
      throw new DOMException('The operation is insecure', 'SecurityError');
    });
    store.save({ index: 1, isFaceEnough: true, document: 'id_card', outcome: null });
    expect(store.load()).toBeNull();
  });
});
