import { expect, it } from 'vitest';
import { toLanguage } from '../../src/language.ts';

it.each([
  ['en', 'en'],
  ['de-DE', 'de'],
  ['pt-BR', 'pt'],
  ['it-IT', 'it'],
  ['FR', 'fr'],
  ['es_MX', 'es'],
  ['DE-at', 'de'],
  ['ent', undefined],
  ['nl', undefined],
  ['', undefined],
  [' de', undefined],
  ['xde', undefined],
  ['constructor', undefined],
])('toLanguage(%j) returns %s', (tag, language) => {
  expect(toLanguage(tag)).toBe(language);
});
