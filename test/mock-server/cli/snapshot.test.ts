import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSession, postJson } from '../../support/api.ts';
import type { ReadyLine } from '../../support/mock-process.ts';
import { cwd, run, start, useFolder } from './a-start.ts';

useFolder();

const file = (): string => join(cwd, 'bug.json');

/** Starts a mock with one verified and one pending session, and saves a snapshot of it. */
async function saveSnapshot(...options: string[]) {
  const mock = start('--json', '--ephemeral');
  const ready = await mock.ready();
  const create = async (): Promise<any> => (await createSession(ready)).body;
  const [verified, pending] = [await create(), await create()];
  await postJson(`${ready.controlBase}/sessions/${verified.sessionId}/outcome`, '', {
    outcome: 'verified',
  });
  const url = new URL(ready.apiBase).origin;
  const saved = await run(['snapshot', file(), '--url', url, ...options]).ended;
  return { ready, verified, pending, saved, url };
}

async function validate({ apiBase, secretKey }: ReadyLine, sessionId: string): Promise<any> {
  return (await postJson(`${apiBase}/sessions/validate`, secretKey, { sessionId })).body;
}

describe('ofage-mock snapshot', () => {
  it('saves the state without keys, secrets and tokens', async () => {
    const { ready, pending, saved } = await saveSnapshot();
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    expect(saved.stdout).toMatch(/^File +\S+bug\.json\nTime .*\nSessions +2\nSecrets +left out\n$/);
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain(pending.sessionId);
    for (const secret of [ready.publishableKey, ready.secretKey, pending.sessionToken])
      expect(text).not.toContain(secret);
  });

  it('keeps them with --with-secrets, in a file that only this user can read', async () => {
    const { ready, saved } = await saveSnapshot('--with-secrets', '--json');
    expect(JSON.parse(saved.stdout)).toMatchObject({ sessions: 2, secrets: 'included' });
    expect(readFileSync(file(), 'utf8')).toContain(ready.secretKey);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('never replaces a file', async () => {
    writeFileSync(file(), 'mine');
    const { saved } = await saveSnapshot();
    expect(saved).toMatchObject({ code: 1, stdout: '' });
    expect(saved.stderr).toMatch(
      /^ofage-mock: Cannot write the file "\S+": it already exists; delete it or use a different file\n$/,
    );
    expect(readFileSync(file(), 'utf8')).toBe('mine');
  });
});

describe('ofage-mock start --snapshot', () => {
  it('begins with the sessions and the time of the file, and with new keys', async () => {
    const { ready, verified, pending } = await saveSnapshot();
    const mock = start('--json', '--data', 'new.sqlite', '--snapshot', file());
    const here = await mock.ready();
    expect(here.tenantId).toBe(ready.tenantId);
    expect(here.secretKey).not.toBe(ready.secretKey);
    expect(await validate(here, verified.sessionId)).toMatchObject({ verified: true });
    expect(await validate(here, pending.sessionId)).toMatchObject({ status: 'pending' });
    // The file is needed only once. The state continues without it.
    await mock.kill('SIGKILL');
    const again = await start('--json', '--data', 'new.sqlite').ready();
    expect(again.secretKey).toBe(here.secretKey);
    expect(await validate(again, pending.sessionId)).toMatchObject({ status: 'pending' });
  });

  it('begins with the keys of a file that has secrets', async () => {
    const { ready, verified } = await saveSnapshot('--with-secrets');
    const here = await start('--json', '--ephemeral', '--snapshot', file()).ready();
    expect(here).toMatchObject({
      publishableKey: ready.publishableKey,
      secretKey: ready.secretKey,
    });
    expect(await validate(here, verified.sessionId)).toMatchObject({ verified: true });
  });

  it('begins with the keys of --config, so that a configured application keeps working', async () => {
    const { verified } = await saveSnapshot();
    const config = {
      tenants: [{ name: 'Wine', publishableKey: 'pk_mine_1', secretKey: 'sk_mine_1' }],
    };
    writeFileSync(join(cwd, 'accounts.json'), JSON.stringify(config));
    const options = ['--ephemeral', '--config', 'accounts.json', '--snapshot', file()];
    const here = await start('--json', ...options).ready();
    expect(here).toMatchObject({ publishableKey: 'pk_mine_1', secretKey: 'sk_mine_1' });
    expect(await validate(here, verified.sessionId)).toMatchObject({ verified: true });
  });

  it('never replaces a state: with an existing data file it is refused, and the file is unchanged', async () => {
    const { ready } = await saveSnapshot();
    const first = start('--json');
    await first.ready();
    await first.kill('SIGINT');
    const state = join(cwd, '.ofage', 'mock.sqlite');
    const before = readFileSync(state);
    const { code, stdout, stderr } = await start('--snapshot', file()).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `ofage-mock: Cannot start with the snapshot "${file()}": the data file "${join('.ofage', 'mock.sqlite')}" has a state already; use --ephemeral, or --data with a new file\n`,
    });
    expect(readFileSync(state)).toEqual(before);
    expect(readdirSync(join(cwd, '.ofage')).sort()).toEqual(['.gitignore', 'mock.sqlite']);
    expect((await start('--json', '--ephemeral', '--snapshot', file()).ready()).tenantId).toBe(
      ready.tenantId,
    );
  });

  it('is refused with a database, whose state other servers may share', async () => {
    writeFileSync(file(), '{}');
    const { code, stderr } = await start(
      '--data',
      'postgres://a@127.0.0.1:1/b',
      '--snapshot',
      file(),
    ).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/other servers may share the state of a database; start without/);
  });

  it.each([
    ['a file that does not exist', null, /: the file does not exist\n$/],
    ['a file that is not JSON', '{', /: it is not JSON/],
    ['another JSON file', '{}', /: Cannot load the snapshot: it must be a JSON object whose/],
  ])('refuses %s, and leaves no data file behind', async (_what, text, says) => {
    if (text !== null) writeFileSync(file(), text);
    const { code, stderr } = await start('--data', 'new.sqlite', '--snapshot', file()).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(existsSync(join(cwd, 'new.sqlite'))).toBe(false);
  });
});
