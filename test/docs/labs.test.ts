import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../playground/labs/attack/attacks.ts';
import { SCENARIOS } from '../../playground/labs/popup/scenarios.ts';
import { BEHAVIOUR_TEXTS } from '../../playground/labs/webhook/behaviours.ts';

const guide = readFileSync(new URL('../../docs/guides/labs.md', import.meta.url), 'utf8');
const names = [...guide.matchAll(/^\| ([A-Z][^|]*?) +\|/gm)].map(([, name]) => name);

describe('docs/guides/labs.md', () => {
  it('lists exactly the behaviours, scenarios and attacks of the labs, in order', () => {
    const offered = [
      ...Object.values(BEHAVIOUR_TEXTS).map(({ title }) => title),
      ...SCENARIOS.map(({ title }) => title),
      ...ATTACKS.map(({ title }) => title),
    ];
    expect(names).toEqual(offered);
  });
});
