import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createMockService } from '../../../mock-server/service/service.ts';
import { createStore } from '../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { aMock } from '../../support/a-mock.ts';
import { createSession } from '../../support/api.ts';
import { aFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';
import { spawnMock, type MockProcess } from '../../support/mock-process.ts';
import { startReceiver } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait-for.ts';

// Each test starts a process, which takes half a second. What needs none is tested elsewhere.

let cwd: string;
let running: MockProcess[];
beforeEach(() => {
  cwd = aFolder();
  running = [];
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
});

function run(args: readonly string[], env?: Record<string, string>): MockProcess {
  const mock = spawnMock(args, { cwd, ...(env && { env }) });
  running.push(mock);
  return mock;
}
const start = (...args: string[]) => run(['--port', '0', ...args]);

describe('ofage-mock start', () => {
  it('prints URLs and keys, without colours in a pipe, and keeps its file out of version control', async () => {
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
    expect(readFileSync(join(cwd, '.ofage/.gitignore'), 'utf8')).toBe('*\n');
    expect(statSync(join(cwd, '.ofage')).mode & 0o777).toBe(0o700);
    expect(statSync(join(cwd, '.ofage/mock.sqlite')).mode & 0o777).toBe(0o600);
    // No write-ahead log remains, so the database was closed properly.
    expect(readdirSync(join(cwd, '.ofage')).sort()).toEqual(['.gitignore', 'mock.sqlite']);
  });

  it('--json prints one line when the server is ready for requests, and --ephemeral creates no file', async () => {
    const mock = start('--json', '--ephemeral', '--seed', '7');
    const ready = await mock.ready();
    expect(Object.keys(ready)).toEqual([
      'apiBase',
      'controlBase',
      'shop',
      'console',
      'tenantId',
      'publishableKey',
      'secretKey',
      'webhookSecret',
    ]);
    expect((await createSession(ready)).status).toBe(201);
    const { stdout, stderr, code } = await mock.kill('SIGTERM');
    expect({ lines: stdout.split('\n').length, stderr, code }).toEqual({
      lines: 2,
      stderr: '',
      code: 0,
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('reaches the demo shop only at the address that its server listens on, never by the name localhost', async () => {
    const { controlBase, shop, tenantId } = await run([
      '--port',
      '0',
      '--demo',
      '--ephemeral',
      '--json',
    ]).ready();
    const endpoints = await fetch(`${controlBase}/tenants/${tenantId}/webhook-endpoints`);
    const { items } = (await endpoints.json()) as { items: { url: string }[] };
    const receiver = await fetch(`${shop}shop/lab/receiver/state`);
    const urls = [...items, (await receiver.json()) as { url: string }].map(({ url }) => url);
    expect(urls).toHaveLength(2);
    // Another program could listen on the same port of ::1, which is also called localhost.
    for (const url of urls) expect(new URL(url).hostname).toBe('127.0.0.1');
  });

  it('--quiet prints nothing', async () => {
    const mock = start('--quiet', '--write-env', '.env');
    // The file is written just before the server would be announced. A signal before that ends the start.
    const { OFAGE_API_BASE: apiBase = '', OFAGE_SECRET_KEY: secretKey = '' } = await waitFor(() => {
      const text = readFileSync(join(cwd, '.env'), 'utf8');
      expect(text).toContain('OFAGE_API_BASE');
      return parseEnv(text);
    });
    await createSession({ apiBase, secretKey });
    expect(await mock.kill('SIGINT')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('--write-env writes the variables into the file instead of printing them', async () => {
    const forward = ['--forward-to', 'localhost:3000/hooks'];
    const mock = start('--ephemeral', '--write-env', '.env', ...forward);
    await mock.firstLine();
    const { code, stdout } = await mock.kill('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).toContain('The variables of your server are in .env');
    expect(stdout).not.toContain('OFAGE_SECRET_KEY');
    expect(stdout).toContain('to this machine are allowed');
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toMatch(
      /^# ofage-mock\nOFAGE_PUBLISHABLE_KEY=pk_\w+\nOFAGE_SECRET_KEY=sk_\w+\nOFAGE_WEBHOOK_SECRET=whsec_\w+\nOFAGE_API_BASE=http:\/\/127\.0\.0\.1:\d+\/api\/v1\n$/,
    );
  });

  it('keeps the state in memory with a Node that has no SQLite, and says so in one line', async () => {
    const env = { NODE_OPTIONS: '--no-experimental-sqlite' };
    const mock = run(['--port', '0', '--json'], env);
    await mock.ready();
    const { code, stderr } = await mock.kill('SIGTERM');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^ofage-mock: Node \S+ has no SQLite, so the state is in memory and lost when the mock stops; Node 22\.13 or newer keeps it\n$/,
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('moves a data file of an older format aside, and says so in one line', async () => {
    const file = join(cwd, 'state.sqlite');
    await createStore(openSqliteLog(file)).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 1');
    db.close();
    const mock = start('--json', '--data', 'state.sqlite');
    await mock.ready();
    const { code, stderr } = await mock.kill('SIGINT');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `ofage-mock: The data file "state.sqlite" has an older format. It was moved to "${file}.format-1", and the mock starts with an empty state\n`,
    });
    expect(readdirSync(cwd).sort()).toEqual(['state.sqlite', 'state.sqlite.format-1']);
  });

  it('closes a folder of an earlier version to other users, but not a folder that --data names', async () => {
    for (const name of ['.ofage', 'mine']) {
      mkdirSync(join(cwd, name));
      chmodSync(join(cwd, name), 0o755);
    }
    const own = start('--json');
    await own.ready();
    expect(statSync(join(cwd, '.ofage')).mode & 0o777).toBe(0o700);
    const named = start('--json', '--data', 'mine/state.sqlite');
    await named.ready();
    expect(statSync(join(cwd, 'mine')).mode & 0o777).toBe(0o755);
    expect(statSync(join(cwd, 'mine/state.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('holds the webhooks of a snapshot, names their hosts, and sends them with --send-webhooks', async () => {
    const service = createMockService({ endpoints: [{ url: 'https://hooks.colleague.example/' }] });
    const snapshot = await service.control.snapshot({ secrets: 'omit' });
    await service.close();
    writeFileSync(join(cwd, 'bug.json'), JSON.stringify(snapshot));
    const read = async (...args: string[]) => {
      const mock = start('--json', '--data', 'state.sqlite', ...args);
      const { controlBase } = await mock.ready();
      const hold: unknown = await (await fetch(`${controlBase}/webhook-hold`)).json();
      return { hold, stderr: (await mock.kill('SIGTERM')).stderr };
    };
    const hosts = ['hooks.colleague.example'];
    const held = {
      hold: { since: expect.any(String), hosts },
      stderr:
        'ofage-mock: Webhooks to hooks.colleague.example are held, because the state comes from a snapshot file; --send-webhooks or the console sends them\n',
    };
    expect(await read('--snapshot', 'bug.json')).toEqual(held);
    expect(await read()).toEqual(held);
    const sent = { hold: { since: null, hosts: [] }, stderr: '' };
    expect(await read('--send-webhooks')).toEqual(sent);
    expect(await read()).toEqual(sent);
    rmSync(join(cwd, 'state.sqlite'));
    expect(await read('--snapshot', 'bug.json', '--send-webhooks')).toEqual(sent);
  });

  it('warns in one line when its data file was deleted', async () => {
    const mock = start('--json');
    const ready = await mock.ready();
    rmSync(join(cwd, '.ofage'), { recursive: true });
    for (let n = 0; n < 3; n += 1) expect((await createSession(ready)).status).toBe(201);
    expect((await mock.kill('SIGTERM')).stderr).toMatch(
      /^ofage-mock: The data file "\.ofage.mock\.sqlite" was deleted or replaced, so the state is lost when the mock stops; save it first with: ofage-mock snapshot FILE --with-secrets\n$/,
    );
  });

  it('treats signals within 150 ms as one', async () => {
    const mock = start('--json', '--data', 'state.sqlite');
    await mock.ready();
    const sinceMs = performance.now();
    mock.child.kill('SIGINT');
    // npx forwards the signal once, at an unknown time, perhaps while the process is exiting.
    const passOn = setInterval(() => {
      if (performance.now() - sinceMs < 150) mock.child.kill('SIGINT');
    }, 1);
    const { code, stderr } = await mock.ended;
    clearInterval(passOn);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(cwd)).toEqual(['state.sqlite']);
  });

  it('exits within a second of a signal while a receiver does not answer, and sends the event again', async () => {
    const receiver = await startReceiver((response) => {
      if (receiver.received.length > 1) response.writeHead(204).end();
    });
    onTestFinished(() => receiver.close());
    const args = ['--json', '--data', 'state.sqlite', '--forward-to', receiver.url];
    const mock = start(...args);
    await createSession(await mock.ready());
    await receiver.waitFor(1);
    const startedAtMs = performance.now();
    expect(await mock.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    start(...args);
    await receiver.waitFor(2);
    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual([
      'session.started',
      'session.started',
    ]);
  });

  it('exits at once on a signal while it waits for a database', async () => {
    let connected = (): void => {};
    const isWaiting = new Promise<void>((resolve) => (connected = resolve));
    const port = await listen(createServer(() => connected()));
    const mock = start('--data', `postgres://user:pw@127.0.0.1:${port}/state`);
    await isWaiting;
    const startedAtMs = performance.now();
    expect(await mock.kill('SIGTERM')).toMatchObject({ code: 130, stdout: '' });
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  it('exits at once on a second signal', async () => {
    const mock = start('--ephemeral', '--json');
    const { apiBase, secretKey } = await mock.ready();
    // If the server ignored the second signal, it would wait for this request. It has the request once it
    // asks for the body, which never comes.
    const socket = connect(Number(new URL(apiBase).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST /api/v1/sessions/create HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n' +
        `Authorization: Bearer ${secretKey}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(socket, 'data');
    const signals = setInterval(() => mock.child.kill('SIGINT'), 100);
    expect(await mock.ended).toMatchObject({ code: 130 });
    clearInterval(signals);
  });
});

describe('ofage-mock, when it fails, prints one line:', () => {
  async function expectRefusal(mock: MockProcess, code: number, sentence: RegExp): Promise<void> {
    const ended = await mock.ended;
    const lines = ended.stderr.trimEnd().split('\n').length;
    expect({ ...ended, lines }).toMatchObject({ code, stdout: '', lines: 1 });
    expect(ended.stderr).toMatch(sentence);
  }

  it('the port is in use, and how to choose another', async () => {
    const port = await listen(createServer());
    await expectRefusal(
      run(['--port', String(port), '--data', 'state.sqlite']),
      1,
      new RegExp(
        `^ofage-mock: Cannot listen on 127.0.0.1:${port}: the port is in use.*` +
          `npm start -- --port ${port < 60_000 ? port + 10 : port - 10}\\)$`,
        'm',
      ),
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('a data file needs a newer Node', async () => {
    const env = { NODE_OPTIONS: '--no-experimental-sqlite' };
    await expectRefusal(
      run(['--port', '0', '--data', 'a.sqlite'], env),
      1,
      /a data file needs Node 22\.13 or newer, but this is Node [\d.]+; update Node, or keep state in memory: ofage-mock --ephemeral$/m,
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('another server uses the data file', async () => {
    const store = createStore(openSqliteLog(join(cwd, 'state.sqlite')));
    await expectRefusal(start('--data', 'state.sqlite'), 1, /another server is using it/);
    await store.close();
  });

  it('the configuration has a URL that is not allowed, and in which file', async () => {
    const tenants = [{ name: 'Wine', endpoints: [{ url: 'https://10.0.0.1/' }] }];
    writeFileSync(join(cwd, 'mock.json'), JSON.stringify({ tenants }));
    await expectRefusal(
      start('--ephemeral', '--config', 'mock.json'),
      1,
      /^ofage-mock: Cannot use the config file "mock.json": tenants\[0\].endpoints\[0\]: url must point to a public Internet address$/m,
    );
  });

  it('an env file cannot have a secret of the configuration, and stays as it is', async () => {
    const endpoints = [{ url: 'http://localhost:9/', secret: 'a\\' }];
    writeFileSync(
      join(cwd, 'mock.json'),
      JSON.stringify({ tenants: [{ name: 'Wine', endpoints }] }),
    );
    writeFileSync(join(cwd, '.env'), 'A=1\n');
    const options = ['--config', 'mock.json', '--write-env', '.env', '--allow-loopback-webhooks'];
    await expectRefusal(
      start('--ephemeral', ...options),
      1,
      /^ofage-mock: Cannot write ".env": the value of OFAGE_WEBHOOK_SECRET has a quote or a backslash that programs read in different ways; use a value without them$/m,
    );
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('A=1\n');
  });

  it('a key of a snapshot has a line break, which would add a variable to the env file', async () => {
    const my = await aMock();
    const snapshot = structuredClone(await my.control.snapshot()) as any;
    snapshot.tables.keys[1].value = 'sk_live\nNODE_OPTIONS=--import=data:text/javascript,0';
    writeFileSync(join(cwd, 'bug.json'), JSON.stringify(snapshot));
    await expectRefusal(
      start('--ephemeral', '--snapshot', 'bug.json', '--write-env', '.env'),
      1,
      /Cannot load the snapshot: tables.keys\[1\].value must be a string of at most 200 characters: letters, digits and _ . \+ \/ = : @ -$/m,
    );
    expect(readdirSync(cwd)).toEqual(['bug.json']);
  });

  it('a snapshot would replace a state, which stays as it is', async () => {
    mkdirSync(join(cwd, '.ofage'));
    writeFileSync(join(cwd, '.ofage/mock.sqlite'), 'a state');
    await expectRefusal(
      start('--snapshot', 'bug.json'),
      1,
      /^ofage-mock: Cannot start with the snapshot "bug.json": the data file "\.ofage\/mock\.sqlite" has a state already; use --ephemeral, or --data with a new file$/m,
    );
    expect(readFileSync(join(cwd, '.ofage/mock.sqlite'), 'utf8')).toBe('a state');
  });
});
