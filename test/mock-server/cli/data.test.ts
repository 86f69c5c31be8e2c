import { expect, it } from 'vitest';
import { spawnMock } from '../../support/mock-process.ts';

it('ofage-mock start rejects an unsupported database and does not print its password', async () => {
  const { ended } = spawnMock(['start', '--data', 'mysql://user:s3cret@localhost/mock']);
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^ofage-mock: --data must be a file or a postgres:\/\/ URL, got "mysql:\/\/…".*\n$/,
  );
});
