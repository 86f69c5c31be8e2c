import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSnapshotFile } from '../../../mock-server/cli/files.ts';
import { type MockServer, startServer } from '../../../mock-server/hosts/node-server.ts';
import { createSession, postJson } from '../../support/api.ts';
import { aFolder } from '../../support/folder.ts';
import { type } from './a-terminal.ts';

let folder: string;
let file: string;
let there: MockServer;
const servers: MockServer[] = [];
let verified: string;
let pending: { sessionId: string; sessionToken: string };

/** Starts a mock with one verified and one pending session. */
beforeEach(async () => {
  folder = aFolder();
  file = join(folder, 'bug.json');
  there = await startServer({ port: 0 });
  servers.push(there);
  ({ id: verified } = await there.control.trigger({ name: 'verified' }));
  pending = (await createSession(there)).body;
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const save = (...options: string[]) =>
  type(['snapshot', file, '--url', new URL(there.apiBase).origin, ...options]);

describe('ofage-mock snapshot', () => {
  it('saves the state without keys, secrets and tokens', async () => {
    const saved = await save();
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    expect(saved.stdout).toMatch(/^File +\S+bug\.json\nTime .*\nSessions +2\nSecrets +left out\n$/);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(pending.sessionId);
    for (const secret of [there.publishableKey, there.secretKey, pending.sessionToken])
      expect(text).not.toContain(secret);
  });

  it('keeps them with --with-secrets, in a file that only this user can read', async () => {
    const { stdout } = await save('--with-secrets', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 2, secrets: 'included' });
    expect(readFileSync(file, 'utf8')).toContain(there.secretKey);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('never replaces a file', async () => {
    writeFileSync(file, 'mine');
    const saved = await save();
    expect(saved).toMatchObject({ code: 1, stdout: '' });
    expect(saved.stderr).toMatch(
      /^ofage-mock: Cannot write the file "\S+": it already exists; delete it or use a different file\n$/,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('a server that starts with a snapshot', () => {
  async function start(options: Parameters<typeof startServer>[0] = {}): Promise<MockServer> {
    const snapshot = await readSnapshotFile(file, options.data);
    const server = await startServer({ port: 0, ...options, snapshot });
    servers.push(server);
    return server;
  }
  const validate = async ({ apiBase, secretKey }: MockServer, sessionId: string): Promise<any> =>
    (await postJson(`${apiBase}/sessions/validate`, secretKey, { sessionId })).body;

  it('has its sessions and new keys, and needs it only once', async () => {
    await save();
    const data = join(folder, 'new.sqlite');
    const here = await start({ data });
    expect(here.tenantId).toBe(there.tenantId);
    expect(here.secretKey).not.toBe(there.secretKey);
    expect(await validate(here, verified)).toMatchObject({ verified: true });
    expect(await validate(here, pending.sessionId)).toMatchObject({ status: 'pending' });
    await here.close();
    const again = await startServer({ port: 0, data });
    servers.push(again);
    expect(again.secretKey).toBe(here.secretKey);
    expect(await validate(again, pending.sessionId)).toMatchObject({ status: 'pending' });
  });

  it('has the keys of --config, so that a configured application keeps working', async () => {
    await save();
    const keys = { publishableKey: 'pk_mine_1', secretKey: 'sk_mine_1' };
    const here = await start({ tenants: [{ name: 'Wine', ...keys }] });
    expect(here).toMatchObject(keys);
    expect(await validate(here, verified)).toMatchObject({ verified: true });
  });
});

describe('readSnapshotFile()', () => {
  it.each([
    ['a file that does not exist', null, undefined, /: the file does not exist$/],
    ['a file that is not JSON', '{', undefined, /: it is not JSON/],
    ['another JSON file', '{}', undefined, /: Cannot load the snapshot: it must be a JSON object/],
    ['a database', '{}', 'postgres://a@127.0.0.1:1/b', /: other servers may share the state of a/],
  ])('refuses %s', async (_what, text, data, says) => {
    if (text !== null) writeFileSync(file, text);
    const error = await readSnapshotFile(file, data).catch((reason: Error) => reason.message);
    expect(error).toMatch(/^Cannot start with the snapshot "/);
    expect(error).toMatch(says);
  });
});
