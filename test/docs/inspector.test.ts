import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KIND_NAMES } from '../../playground/inspector/entry.ts';
import { ANSWERS, FIELDS, parseScenario } from '../../playground/inspector/scenario-file.ts';

const guide = readFileSync(new URL('../../docs/guides/inspector.md', import.meta.url), 'utf8');

describe('docs/guides/inspector.md', () => {
  it('contains a valid scenario file', () => {
    const [, file = ''] = /```json\n([^]*?)```/.exec(guide) ?? [];
    expect(parseScenario(file)).toMatchObject({ name: 'Too young' });
  });

  it('lists every step with its fields, and every answer', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(([, name, cell = '']) => [
      name,
      [...cell.matchAll(/`(\w+)`/g)].map(([, field]) => field),
    ]);
    // The first match is the header row of the table.
    expect(Object.fromEntries(rows.slice(1))).toEqual(FIELDS);
    const [, answers = ''] = /from now on: (.*?)\|/.exec(guide) ?? [];
    expect([...answers.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(ANSWERS);
  });

  it('names every kind of entry', () => {
    for (const name of Object.values(KIND_NAMES)) expect(guide).toContain(name);
  });
});
