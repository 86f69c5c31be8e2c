import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../../playground/labs/attack/attacks.ts';
import { takeExcerpt } from '../../../playground/labs/attack/excerpt.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../../playground/merchant-backend/${file}`, import.meta.url), 'utf8');

describe('takeExcerpt', () => {
  it('returns the lines from the first text to the second, inclusive, without their common indentation', () => {
    const source = 'a\n    first {\n      second\n    }\nb';
    expect(takeExcerpt(source, { from: 'first', to: '}' })).toBe('first {\n  second\n}');
  });

  it('returns a single line that contains both texts', () => {
    expect(takeExcerpt('a\n  b c\nd', { from: 'b', to: 'c' })).toBe('b c');
  });

  it.each([
    { from: 'gone', to: 'a' },
    { from: 'a', to: 'gone' },
  ])('returns null if the source does not contain both "$from" and "$to"', (lines) => {
    expect(takeExcerpt('a\nb', lines)).toBeNull();
  });
});

describe('the code of the attack', () => {
  it.each(ATTACKS.flatMap(({ id, code }) => Object.values(code).map((one) => ({ id, ...one }))))(
    '$id is an excerpt of fewer than 25 lines of $file',
    (excerpt) => {
      const taken = takeExcerpt(read(excerpt.file), excerpt);
      expect(taken).not.toBeNull();
      expect(taken!.split('\n').length).toBeLessThan(25);
    },
  );
});
