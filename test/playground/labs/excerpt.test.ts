import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../../playground/labs/attack/attacks.ts';
import { takeExcerpt } from '../../../playground/labs/attack/excerpt.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../../playground/merchant-backend/${file}`, import.meta.url), 'utf8');

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
