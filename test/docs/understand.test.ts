import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DOCTOR_CODES } from '../../mock-server/doctor/examine.ts';
import { ATTACKS } from '../../playground/labs/attack/attacks.ts';

const readGuide = (name: string): string =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');

describe('docs/guides/threat-model.md', () => {
  it('lists the attacks of the attack lab, in order', () => {
    const table = readGuide('threat-model').split('## Eight attacks')[1]?.split('\n## ')[0] ?? '';
    const names = [...table.matchAll(/^\| ([A-Z][^|]*?) +\|/gm)].map(([, name]) => name);
    expect(names).toEqual(ATTACKS.map(({ title }) => title));
  });
});

describe('docs/guides/go-live.md', () => {
  it('mentions every finding of the doctor exactly once', () => {
    const codes = [...readGuide('go-live').matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(
      ([, code]) => code,
    );
    expect(codes.toSorted()).toEqual([...DOCTOR_CODES].toSorted());
  });
});
