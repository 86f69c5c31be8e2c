import { readFileSync } from 'node:fs';
import { createMockService, type Recording } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { CALLS, RECORDED_METHODS } from '../../mock-server/recordings/operation-names.ts';
import { recording as schema } from '../../mock-server/operations/schemas/recording.ts';

const guide = readFileSync(new URL('../../docs/guides/recordings.md', import.meta.url), 'utf8');

describe('docs/guides/recordings.md', () => {
  it('shows a recording that replays without a difference', async () => {
    const [, file = ''] = /```json\n([^]*?)```/.exec(guide) ?? [];
    const service = createMockService();
    const recording = JSON.parse(file) as Recording;
    expect(recording.name).toBe('Too young');
    expect((await service.replay(recording, { assert: true })).events).toHaveLength(2);
    await service.close();
  });

  it('describes every field of the file', () => {
    const described = [...guide.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    expect(described).toEqual(Object.keys(schema.entries));
  });

  it('names only API calls that a recording can have, and two control methods that it cannot have', () => {
    const named = [...guide.matchAll(/`((?:api|hosted)\.\w+)`/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect([...CALLS.keys()]).toContain(name);
    for (const name of ['reset', 'loadSnapshot']) {
      expect(guide).toContain(`\`${name}\``);
      expect(RECORDED_METHODS).not.toContain(name);
    }
  });
});
