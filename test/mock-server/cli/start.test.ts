import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postJson } from '../../support/api.ts';
import { spawnMock, type MockProcess } from '../../support/mock-process.ts';

let cwd: string;
let running: MockProcess[];
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'ofage-cli-'));
  running = [];
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(cwd, { recursive: true });
});

function run(args: readonly string[], env?: Record<string, string>): MockProcess {
  const mock = spawnMock(args, { cwd, ...(env && { env }) });
  running.push(mock);
  return mock;
}
const start = (...args: string[]) => run(['--port', '0', '--no-demo', ...args]);

describe('ofage-mock, asked for what there is not', () => {
  it.each([
    [['nonsense'], 'ofage-mock: Unknown command "nonsense"'],
    [['--port', 'http'], 'ofage-mock: --port must be an integer from 0 to 65535, got "http"'],
    [['--host', '0.0.0.0'], 'ofage-mock: --host must be an address of this machine alone'],
  ])('%j ends with 2 and one line on stderr', async (args, message) => {
    const { code, stdout, stderr } = await run(args).ended;
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain(message);
  });

  it('prints its help and its version on stdout', async () => {
    expect(await run(['--help']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--ephemeral'),
      stderr: '',
    });
    expect(await run(['--version']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('ofage-mock start', () => {
  it('prints where to go and what to paste, without colours into a pipe', async () => {
    const mock = start();
    await mock.firstLine();
    const { code, stdout, stderr } = await mock.kill('SIGINT');
    const port = /localhost:(\d+)/.exec(stdout)?.[1];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`open http://localhost:${port}`);
    expect(stdout).toContain(join('.ofage', 'mock.sqlite'));
    expect(stdout).toMatch(/^OFAGE_PUBLISHABLE_KEY=pk_\w+$/m);
    expect(stdout).toMatch(/^OFAGE_SECRET_KEY=sk_\w+$/m);
    expect(stdout).toMatch(new RegExp(`^OFAGE_API_BASE=http://127.0.0.1:${port}/api/v1$`, 'm'));
    expect(stdout).not.toContain('\u001b');
  });

  it('prints the webhook secret when webhooks are forwarded', async () => {
    const mock = start('--ephemeral', '--forward-to', 'localhost:3000/hooks');
    await mock.firstLine();
    const { stdout } = await mock.kill('SIGTERM');
    expect(stdout).toMatch(/^OFAGE_WEBHOOK_SECRET=whsec_\w+$/m);
    expect(stdout).toContain('may go to this machine');
  });

  it('prints one line of JSON when it is ready, and can be used at once', async () => {
    const mock = start('--json', '--ephemeral', '--seed', '7');
    const ready = await mock.ready();
    expect(Object.keys(ready)).toEqual([
      'apiBase',
      'controlBase',
      'shop',
      'dashboard',
      'tenantId',
      'publishableKey',
      'secretKey',
      'webhookSecret',
    ]);
    const answer = await postJson(`${ready.apiBase}/sessions/create`, ready.publishableKey, {
      returnUrl: 'http://localhost/',
    });
    expect(answer.status).toBe(201);
    const { stdout, stderr, code } = await mock.kill('SIGTERM');
    expect({ lines: stdout.split('\n').length, stderr, code }).toEqual({
      lines: 2,
      stderr: '',
      code: 0,
    });
  });

  it('prints nothing when it is to be quiet', async () => {
    const mock = start('--quiet');
    while (!existsSync(join(cwd, '.ofage/mock.sqlite')))
      await new Promise((r) => setTimeout(r, 20));
    await new Promise((r) => setTimeout(r, 200));
    expect(await mock.kill('SIGINT')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('keeps the usual data file out of version control', async () => {
    const mock = start();
    await mock.firstLine();
    await mock.kill('SIGINT');
    expect(readFileSync(join(cwd, '.ofage/.gitignore'), 'utf8')).toBe('*\n');
    // Nothing but the file itself is left, so it was let go of in order.
    expect(readdirSync(join(cwd, '.ofage')).sort()).toEqual(['.gitignore', 'mock.sqlite']);
  });

  it('keeps nothing when it is ephemeral', async () => {
    const mock = start('--ephemeral', '--json');
    await mock.ready();
    await mock.kill('SIGINT');
    expect(existsSync(join(cwd, '.ofage'))).toBe(false);
  });

  it('takes a signal that comes twice at once for one', async () => {
    const mock = start('--json', '--data', 'state.sqlite');
    await mock.ready();
    const sinceMs = performance.now();
    mock.child.kill('SIGINT');
    // npx passes it on once; when, nobody knows, and least of all while the process is ending.
    const passOn = setInterval(() => {
      if (performance.now() - sinceMs < 150) mock.child.kill('SIGINT');
    }, 1);
    const { code, stderr } = await mock.ended;
    clearInterval(passOn);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(cwd)).toEqual(['state.sqlite']);
  });

  it('ends at once on the second signal', async () => {
    const mock = start('--ephemeral', '--json');
    const ready = await mock.ready();
    // A request that never ends would be waited for a moment.
    const held = fetch(`${ready.apiBase}/sessions/create`, {
      method: 'POST',
      body: new ReadableStream({ pull: () => new Promise(() => {}) }),
      duplex: 'half',
    } as RequestInit).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    mock.child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await mock.kill('SIGINT')).toMatchObject({ code: 130 });
    await held;
  });
});

describe('ofage-mock start, on one data file', () => {
  it('validates after kill -9 what was created before it', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    const before = await first.ready();
    const created = await postJson(`${before.apiBase}/sessions/create`, before.secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: 'customer-1',
    });
    expect(created.status).toBe(201);
    const { sessionId } = created.body;
    const settled = await postJson(`${before.controlBase}/sessions/${sessionId}/outcome`, '', {
      outcome: 'verified',
    });
    expect(settled.status).toBe(200);
    expect(await first.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });

    const second = start('--json', '--data', 'state.sqlite');
    const after = await second.ready();
    expect(after.secretKey).toBe(before.secretKey);
    const validate = () =>
      postJson(`${after.apiBase}/sessions/validate`, before.secretKey, { sessionId });
    expect(await validate()).toMatchObject({
      status: 200,
      body: { verified: true, externalUserId: 'customer-1' },
    });
    expect(await second.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });

    // Nor is it forgotten that it was used.
    const third = start('--json', '--data', 'state.sqlite');
    const again = await third.ready();
    expect(
      await postJson(`${again.apiBase}/sessions/validate`, before.secretKey, { sessionId }),
    ).toMatchObject({ status: 400, body: { message: 'Session has already been used' } });
  });

  it('keeps every create that it acknowledged, killed in the middle of many', async () => {
    const acknowledged: string[] = [];
    let secretKey = '';
    for (let round = 0; round < 3; round += 1) {
      const mock = start('--json', '--data', 'state.sqlite');
      const ready = await mock.ready();
      ({ secretKey } = ready);
      // Over the limit of creates a minute nothing would be written.
      await fetch(`${ready.controlBase}/tenants/${ready.tenantId}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"rateLimits":{"create":1000000,"validate":1000000}}',
      });
      const creators = Array.from({ length: 8 }, async () => {
        while (mock.child.signalCode === null) {
          const answer = await postJson(`${ready.apiBase}/sessions/create`, secretKey, {
            returnUrl: 'http://localhost/',
          }).catch(() => null);
          if (answer?.status === 201) acknowledged.push(answer.body.sessionId);
        }
      });
      const enough = acknowledged.length + 20 + 7 * round;
      while (acknowledged.length < enough) await new Promise((resolve) => setTimeout(resolve, 5));
      await mock.kill('SIGKILL');
      await Promise.all(creators);
    }
    expect(acknowledged.length).toBeGreaterThan(50);
    const last = await start('--json', '--data', 'state.sqlite').ready();
    for (const sessionId of acknowledged) {
      const answer = await postJson(`${last.apiBase}/sessions/validate`, secretKey, { sessionId });
      expect(answer).toMatchObject({ status: 200, body: { sessionId, status: 'pending' } });
    }
  });
});

describe('ofage-mock start, where it cannot', () => {
  /** One sentence, nothing else, exit 1. */
  async function expectRefusal(mock: MockProcess, sentence: RegExp): Promise<void> {
    const { code, stdout, stderr } = await mock.ended;
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toMatch(sentence);
  }

  it('says that the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expectRefusal(
      run(['--port', String(port), '--no-demo', '--data', 'state.sqlite']),
      new RegExp(`^ofage-mock: Cannot listen on 127.0.0.1:${port}: the port is in use`),
    );
    expect(existsSync(join(cwd, 'state.sqlite'))).toBe(false);
    await new Promise((resolve) => other.close(resolve));
  });

  it.each([
    ['rubbish', () => Buffer.from('rubbish '.repeat(1000)), 'damaged or not a data file'],
    ["another program's database", otherDatabase, 'another program'],
  ])('leaves %s as it was', async (_title, make, sentence) => {
    const file = join(cwd, 'state.sqlite');
    writeFileSync(file, make());
    const before = readFileSync(file);
    await expectRefusal(
      start('--data', 'state.sqlite'),
      new RegExp(`^ofage-mock: Cannot open the data file ".*state.sqlite".*${sentence}`),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('leaves a file of a newer format as it was', async () => {
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

  it('leaves a file that another server holds to that server', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    const ready = await first.ready();
    await expectRefusal(start('--data', 'state.sqlite'), /another server is using it/);
    const answer = await postJson(`${ready.apiBase}/sessions/create`, ready.secretKey, {
      returnUrl: 'http://localhost/',
    });
    expect(answer.status).toBe(201);
  });

  it('says where it will not forward webhooks to', async () => {
    await expectRefusal(
      start('--ephemeral', '--forward-to', 'https://10.0.0.1/hooks'),
      /Cannot forward webhooks to "https:\/\/10.0.0.1\/hooks": url must lead to a public/,
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
