/** Checks quickly that every mutant can be applied. The complete mutation runs take an hour. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breakText } from './mutant.ts';
import { editsOf } from './service-mutant.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';

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
