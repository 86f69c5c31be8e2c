import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KIND_NAMES } from '../../playground/inspector/entry.ts';

const guide = readFileSync(new URL('../../docs/guides/inspector.md', import.meta.url), 'utf8');

it('docs/guides/inspector.md names every kind of entry', () => {
  for (const name of Object.values(KIND_NAMES)) expect(guide).toContain(name);
});
