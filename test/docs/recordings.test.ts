import { readFileSync } from 'node:fs';
import { createMockService, type Recording } from 'ofage/mock';
import { describe, expect, it } from 'vitest';

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
});
