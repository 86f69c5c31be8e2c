import { describe, expect, it } from 'vitest';
import { createTextStorage } from '../../../playground/shared/text-storage.ts';
import { JSDOM } from 'jsdom';

const createStorage = (): Storage =>
  new JSDOM('', { url: 'https://shop.example/' }).window.localStorage;

describe('a text storage', () => {
  it('keeps texts in the storage of the browser', () => {
    const storage = createStorage();
    const texts = createTextStorage(() => storage);
    expect(texts.getItem('basket')).toBeNull();
    texts.setItem('basket', 'two');
    expect(storage.getItem('basket')).toBe('two');
    expect(texts.getItem('basket')).toBe('two');
    texts.removeItem('basket');
    expect(storage.getItem('basket')).toBeNull();
    expect(texts.getItem('basket')).toBeNull();
  });

  it('keeps texts in memory where the browser blocks storage', () => {
    const texts = createTextStorage(() => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    });
    expect(texts.getItem('basket')).toBeNull();
    texts.setItem('basket', 'two');
    expect(texts.getItem('basket')).toBe('two');
    texts.removeItem('basket');
    expect(texts.getItem('basket')).toBeNull();
  });

  it('returns the newest text, also if the storage was full for a while', () => {
    const storage = createStorage();
    const texts = createTextStorage(() => storage);
    texts.setItem('basket', 'two');
    // A storage of 5 MB is full.
    const tooLong = 'x'.repeat(6_000_000);
    expect(() => storage.setItem('basket', tooLong)).toThrow(/quota/i);
    texts.setItem('basket', tooLong);
    expect(texts.getItem('basket')).toBe(tooLong);
    texts.setItem('basket', 'three');
    expect(texts.getItem('basket')).toBe('three');
    expect(storage.getItem('basket')).toBe('three');
  });
});
