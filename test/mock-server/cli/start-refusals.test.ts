import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../support/api.ts';
import { type MockProcess } from '../../support/mock-process.ts';
import { cwd, run, start, useFolder } from './a-start.ts';

useFolder();

describe('ofage-mock start, when it fails', () => {
  /** Expects exit code 1 and a one-line error. */
  async function expectRefusal(mock: MockProcess, sentence: RegExp): Promise<void> {
    const { code, stdout, stderr } = await mock.ended;
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toMatch(sentence);
  }

  it('reports that the port is in use, and how to choose another', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expectRefusal(
      run(['--port', String(port), '--no-demo', '--data', 'state.sqlite']),
      new RegExp(
        `^ofage-mock: Cannot listen on 127.0.0.1:${port}: the port is in use.*` +
          `npm start -- --port ${port < 60_000 ? port + 10 : port - 10}\\)$`,
        'm',
      ),
    );
    expect(existsSync(join(cwd, 'state.sqlite'))).toBe(false);
    await new Promise((resolve) => other.close(resolve));
  });

  it.each([
    [
      'a file that is not a database',
      () => Buffer.from('rubbish '.repeat(1000)),
      'damaged or not a data file',
    ],
    ["another program's database", otherDatabase, 'another program'],
  ])('does not change %s', async (_title, make, sentence) => {
    const file = join(cwd, 'state.sqlite');
    writeFileSync(file, make());
    const before = readFileSync(file);
    await expectRefusal(
      start('--data', 'state.sqlite'),
      new RegExp(`^ofage-mock: Cannot open the data file ".*state.sqlite".*${sentence}`),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('does not change a file in a newer format', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    await first.ready();
    await first.kill('SIGINT');
    const file = join(cwd, 'state.sqlite');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    const before = readFileSync(file);
    await expectRefusal(start('--data', 'state.sqlite'), /its format is 99.*update ofage/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('does not open a file that a different server has open', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    const ready = await first.ready();
    await expectRefusal(start('--data', 'state.sqlite'), /another server is using it/);
    const answer = await createSession(ready);
    expect(answer.status).toBe(201);
  });

  it('rejects a private URL for --forward-to', async () => {
    await expectRefusal(
      start('--ephemeral', '--forward-to', 'https://10.0.0.1/hooks'),
      /Cannot forward webhooks to "https:\/\/10.0.0.1\/hooks": url must point to a public/,
    );
  });

  function otherDatabase(): Uint8Array {
    const file = join(cwd, 'other.sqlite');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE recipes (name TEXT)');
    db.close();
    return readFileSync(file);
  }
});
