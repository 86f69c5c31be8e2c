/** Checks quickly that every mutant can be applied. The complete mutation runs take an hour. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { breakText, type Mutant } from './mutant.ts';
import { editsOf } from './service-mutant.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';

/** Returns why the mutant cannot be applied, or nothing if it changes exactly one place. */
function findFault(edit: Mutant): string[] {
  const text = readFileSync(new URL(`../../mock-server/${edit.file}`, import.meta.url), 'utf8');
  try {
    return breakText(text, edit) === text ? [`"${edit.name}" changes nothing`] : [];
  } catch (error) {
    return [String(error)];
  }
}

it('each mutant of the service changes exactly one place', () => {
  expect(SERVICE_MUTANTS.flatMap(editsOf).flatMap(findFault)).toEqual([]);
});

it('the mutants of the service have unique names', () => {
  const names = SERVICE_MUTANTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
