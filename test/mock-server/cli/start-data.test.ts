import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { cwd, start, useFolder } from './a-start.ts';

useFolder();

describe('ofage-mock start, on one data file', () => {
  it('moves a file of an older format aside, and says so in one line', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    const before = await first.ready();
    await first.kill('SIGINT');
    const db = new DatabaseSync(join(cwd, 'state.sqlite'));
    db.exec('PRAGMA user_version = 1');
    db.close();

    const second = start('--json', '--quiet', '--data', 'state.sqlite');
    const after = await second.ready();
    const { code, stderr } = await second.kill('SIGINT');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `ofage-mock: The data file "state.sqlite" has an older format. It was moved to "${join(cwd, 'state.sqlite.format-1')}", and the mock starts with an empty state\n`,
    });
    expect(after.secretKey).not.toBe(before.secretKey);
    expect(readdirSync(cwd).sort()).toEqual(['state.sqlite', 'state.sqlite.format-1']);
  });
});
