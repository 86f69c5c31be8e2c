import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DELIVERY_MUTANTS } from './delivery-mutants.ts';
import { breakText } from './mutant.ts';
import { SDK_MUTANTS } from './sdk-mutants.ts';

/** The runs themselves take an hour; that they can be made at all is known at once. */
describe.each([
  { folder: 'src', mutants: SDK_MUTANTS },
  { folder: 'mock-server', mutants: DELIVERY_MUTANTS },
])('the mutants of $folder', ({ folder, mutants }) => {
  it.each(mutants)('$name: changes one place', (mutant) => {
    const text = readFileSync(new URL(`../../${folder}/${mutant.file}`, import.meta.url), 'utf8');
    expect(breakText(text, mutant)).not.toBe(text);
  });

  it('have names of their own', () => {
    const names = mutants.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
