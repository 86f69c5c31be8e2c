/** Checks quickly that every mutant can be applied. The complete mutation runs take an hour. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DELIVERY_MUTANTS } from './delivery-mutants.ts';
import { breakText } from './mutant.ts';
import { SDK_MUTANTS } from './sdk-mutants.ts';
import { editsOf } from './service-mutant.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';

describe.each([
  { folder: 'src', mutants: SDK_MUTANTS },
  { folder: 'mock-server', mutants: DELIVERY_MUTANTS },
])('the mutants of $folder', ({ folder, mutants }) => {
  it.each(mutants)('change exactly one place: $name', (mutant) => {
    const text = readFileSync(new URL(`../../${folder}/${mutant.file}`, import.meta.url), 'utf8');
    expect(breakText(text, mutant)).not.toBe(text);
  });

  it('have unique names', () => {
    const names = mutants.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('the mutants of the service', () => {
  it.each(SERVICE_MUTANTS.flatMap(editsOf))('change exactly one place in $file: $name', (edit) => {
    const text = readFileSync(new URL(`../../mock-server/${edit.file}`, import.meta.url), 'utf8');
    expect(breakText(text, edit)).not.toBe(text);
  });

  it('have unique names', () => {
    const names = SERVICE_MUTANTS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
