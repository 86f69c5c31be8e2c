import { describe, expect, it } from 'vitest';
import { findPlaces } from './operators.ts';

/** Returns the texts of all mutants. */
function mutantsOf(text: string): string[] {
  return findPlaces('a.ts', text).map(
    ({ start, end, replace }) => text.slice(0, start) + replace + text.slice(end),
  );
}

describe('findPlaces()', () => {
  it.each([
    ['if (a) b();', ['if (!(a)) b();', 'if (a) ;']],
    ['const a = b < 3;', ['const a = b <= 3;', 'const a = b < 4;']],
    ['const a = b ? c : d;', ['const a = b ? d : d;', 'const a = b ? c : c;']],
    ['const a = await b;', ['const a = b;']],
    ['rows.delete(id);', [';']],
    ['const a = { ...b };', ['const a = {  };']],
    ['const a = Math.min(b, c);', ['const a = Math.max(b, c);']],
    ['const a = true;', ['const a = false;']],
    ['type A = 1 | true;', []],
    ['// a comment', []],
  ])('finds the mutants of: %s', (text, mutants) => {
    expect(mutantsOf(text)).toEqual(mutants);
  });
});
