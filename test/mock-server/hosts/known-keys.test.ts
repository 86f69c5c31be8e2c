import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot } from 'ofage-mock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDoor, createPublicRoutes } from '../../../mock-server/hosts/node-public.ts';
import { type ProcessOptions, startServer } from '../../../mock-server/hosts/node-server.ts';
import { createService } from '../../../mock-server/service/service.ts';
import { aMock } from '../../support/a-mock.ts';
import { createSession, jsonHeaders } from '../../support/api.ts';
import { aFolder } from '../../support/folder.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';

// A known key would let everybody use the API at the public address.

const publicUrl = 'https://my-mock.example';
const aPublicOne = async () => ({ publicUrl, publicPort: await findFreePort() });

async function start(options: ProcessOptions) {
  const server = await startServer({ port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

const secretKey = 'sk_in_a_file';
const withSecrets = async (): Promise<Snapshot> => (await aMock()).control.snapshot();

describe('a start with a public address refuses, before it touches the data file,', () => {
  it.each<[string, () => ProcessOptions | Promise<ProcessOptions>, RegExp]>([
    ['a seed', () => ({ seed: 0 }), /^A seed and a public address cannot be used together/],
    [
      'an account with a secret key',
      () => ({ tenants: [{ name: 'Beer' }, { name: 'Wine', secretKey }] }),
      /^tenants\[1\]: secretKey cannot be set together with a public address/,
    ],
    [
      'a snapshot with secrets',
      async () => ({ snapshot: await withSecrets() }),
      /^A snapshot with secrets and a public address cannot be used together/,
    ],
  ])('%s', async (_what, options, sentence) => {
    const data = join(aFolder(), 'state.sqlite');
    const starting = start({ ...(await options()), data, ...(await aPublicOne()) });
    await expect(starting).rejects.toThrow(sentence);
    expect(existsSync(data)).toBe(false);
  });

  it.each<[string, () => ProcessOptions | Promise<ProcessOptions>]>([
    ['an account without keys', () => ({ tenants: [{ name: 'Wine' }] })],
    // Everybody may know it.
    [
      'an account with a publishable key',
      () => ({ tenants: [{ name: 'Wine', publishableKey: 'pk_in_a_page' }] }),
    ],
    [
      'a snapshot without secrets, which gets new keys',
      async () => ({ snapshot: await (await aMock()).control.snapshot({ secrets: 'omit' }) }),
    ],
  ])('but not %s', async (_what, options) => {
    const server = await start({ ...(await options()), ...(await aPublicOne()) });
    expect(server.publicUrl).toBe(publicUrl);
  });
});

describe('a state keeps in mind', () => {
  const SEED = 'these keys, because they come from a seed';
  const NAMED = 'these keys, because they come from a file or a program that names a secret key';
  const LOADED = 'these keys, because they come from a snapshot with secrets';

  it.each<[string, readonly ((data: string) => Promise<void>)[], string]>([
    ['that it began with a seed', [run({ seed: 1 })], SEED],
    ['that a seed was used later, which new keys came from', [run({}), run({ seed: 1 })], SEED],
    [
      'that an account was named with its key',
      [run({ tenants: [{ name: 'Wine', secretKey }] })],
      NAMED,
    ],
    ['the same after a start without the seed', [run({ seed: 1 }), run({})], SEED],
    [
      'the same after a reset, which keeps the keys',
      [run({ seed: 1 }, (control) => control.reset())],
      SEED,
    ],
    [
      'that a snapshot with secrets was loaded',
      [run({}, async (control) => control.loadSnapshot(await withSecrets()))],
      LOADED,
    ],
    [
      'where its keys came from, when a snapshot without secrets is loaded, which keeps them',
      [
        run({ seed: 1 }, async (control) =>
          control.loadSnapshot(await control.snapshot({ secrets: 'omit' })),
        ),
      ],
      SEED,
    ],
    [
      'that it began with a snapshot with secrets',
      [async (data) => run({ snapshot: await withSecrets() })(data)],
      LOADED,
    ],
  ])('%s', async (_what, runs, sentence) => {
    const data = join(aFolder(), 'state.sqlite');
    for (const one of runs) await one(data);
    await expect(start({ data, ...(await aPublicOne()) })).rejects.toThrow(sentence);
    // Without a public address it can still be used.
    await start({ data });
  });

  it('nothing if all keys are random, also after a public run', async () => {
    const data = join(aFolder(), 'state.sqlite');
    await run({}, (control) => control.reset())(data);
    await run(await aPublicOne())(data);
    await start({ data, ...(await aPublicOne()) });
  });

  /** Returns a function that starts a server with this data file, uses it, and closes it. */
  function run(
    options: ProcessOptions,
    use: (
      control: Awaited<ReturnType<typeof startServer>>['control'],
    ) => Promise<unknown> = async () => {},
  ) {
    return async (data: string): Promise<void> => {
      const server = await startServer({ port: 0, data, ...options });
      await use(server.control);
      await server.close();
    };
  }
});

describe('a mock with a public address', () => {
  it('loads no snapshot with secrets, and says why', async () => {
    const server = await start(await aPublicOne());
    const before = await server.control.snapshot();
    const response = await fetch(`${server.controlBase}/snapshot`, {
      method: 'PUT',
      headers: jsonHeaders(),
      body: JSON.stringify(await withSecrets()),
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(
        /it has keys, which other people may know.*Save it without secrets/,
      ) as unknown,
    });
    expect(await server.control.snapshot()).toMatchObject({ tables: before.tables });
  });

  it('loads a snapshot without secrets, and takes no key from it', async () => {
    const server = await start(await aPublicOne());
    const { body: pending } = await createSession(server);
    const signer = await aMock();
    const theirs = await signer.control.snapshot();
    const snapshot = await server.control.snapshot({ secrets: 'omit' });
    const [key] = (snapshot.tables['keys'] ?? []).filter(
      (row) => 'kind' in row && row.kind === 'secret',
    );
    // A file that claims to have no secrets.
    snapshot.tables['settings'] = theirs.tables['settings'] ?? [];
    snapshot.tables['keys']?.push({ ...key!, id: 'added', value: secretKey } as { id: string });
    await server.control.loadSnapshot(snapshot);
    expect((await createSession({ ...server, secretKey })).status).toBe(401);
    expect((await createSession(server)).status).toBe(201);
    const page = (sessionToken: string) =>
      fetch(new URL('/hosted/v1/session', server.apiBase), { headers: jsonHeaders(sessionToken) });
    expect((await page(pending.sessionToken)).status).toBe(200);
  });

  it('closes the address as soon as another mock with the same state adds known keys', async () => {
    const shared = createSharedMemory();
    const notices: string[] = [];
    const options = { port: 0, ...(await aPublicOne()) };
    const door = createDoor(options, (notice) => notices.push(notice))!;
    const service = createService({ log: createSharedMemoryLog(shared) }, door);
    await service.ready;
    await door.listen({ host: '127.0.0.1', ownsProcess: false });
    door.open(createPublicRoutes(service, publicUrl, options));
    onTestFinished(async () => {
      await door.stop();
      await service.close();
    });
    const address = { apiBase: `http://127.0.0.1:${options.publicPort}/api/v1` };
    const { secretKey: ownKey } = await service.ready;
    expect((await createSession({ ...address, secretKey: ownKey })).status).toBe(201);

    await aMock({ log: createSharedMemoryLog(shared), tenants: [{ name: 'Wine', secretKey }] });
    const answer = await createSession({ ...address, secretKey });
    expect([answer.status, answer.text]).toEqual([503, `${notices[0]}\n`]);
    expect(notices).toEqual([expect.stringContaining('The public address is closed')]);
    expect((await createSession({ ...address, secretKey: ownKey })).status).toBe(503);
  });
});
