import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../mock-server/cli/config-file.ts';
import { startMockServer, type MockServer } from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';
import { spawnMock } from '../../support/mock-process.ts';
import { FULL, file, folder, one, useFolder, write } from './a-config-file.ts';

useFolder();

describe('startMockServer() with accounts', () => {
  const start = (config: object, data?: string): Promise<MockServer> =>
    startMockServer({
      port: 0,
      data,
      allowLoopbackWebhooks: true,
      tenants: readConfigFile(write(config)),
    });

  it('creates the accounts, and reports the keys of the first one', async () => {
    const server = await start(FULL);
    expect(server).toMatchObject({
      publishableKey: 'pk_wine_1',
      secretKey: 'sk_wine_1',
      webhookSecret: 'whsec_1',
    });
    const [wine, beer, ...more] = await server.control.tenants();
    expect(wine).toMatchObject({
      name: 'Wine',
      policy: FULL.tenants[0]!.policy,
      sandboxMode: false,
      rateLimits: { create: 1000, validate: 100 },
    });
    expect(beer).toMatchObject({ name: 'Beer', sandboxMode: true });
    expect(more).toEqual([]);
    expect(await server.control.keyPairs(beer!.id)).toHaveLength(1);
    const { status } = await postJson(`${server.apiBase}/sessions/create`, 'pk_wine_1', {
      returnUrl: 'https://a.wine.example/',
    });
    expect(status).toBe(201);
    await server.close();
  });

  it('keeps the accounts and their keys after a reset', async () => {
    const server = await start(FULL);
    const keysOf = async () => {
      const tenants = await server.control.tenants();
      const pairs = await Promise.all(tenants.map(({ id }) => server.control.keyPairs(id)));
      return pairs.flat().map(({ secret, publishable }) => [secret.value, publishable.value]);
    };
    const before = await keysOf();
    await server.control.reset();
    expect(await keysOf()).toEqual(before);
    expect((await server.control.tenants()).map(({ name }) => name)).toEqual(['Wine', 'Beer']);
    await server.close();
  });

  it('updates the configured accounts in an existing data file, and keeps other accounts, endpoints and keys', async () => {
    const data = join(folder, 'state.sqlite');
    const first = await startMockServer({ port: 0, data });
    await first.close();
    const second = await start(FULL, data);
    await second.control.createEndpoint(second.tenantId, { url: 'http://localhost:9/other' });
    await second.close();

    const changed = structuredClone(FULL);
    changed.tenants[0]!.policy!.challengeAge = 40;
    changed.tenants[0]!.endpoints![0]!.events = ['verification.completed'];
    changed.tenants[0]!.secretKey = 'sk_wine_2';
    changed.tenants[0]!.publishableKey = 'pk_wine_2';
    const third = await start(changed, data);
    expect(third.tenantId).toBe(second.tenantId);
    expect((await third.control.tenants()).map(({ name }) => name)).toEqual([
      'Demo shop',
      'Wine',
      'Beer',
    ]);
    expect((await third.control.tenant(third.tenantId)).policy.challengeAge).toBe(40);
    expect(
      (await third.control.endpoints(third.tenantId)).map(({ url, events }) => [
        url,
        events.length,
      ]),
    ).toEqual([
      ['http://localhost:9/hooks', 1],
      ['http://localhost:9/other', 5],
    ]);
    // Both key pairs exist, because a key that was handed out must keep working.
    const pairs = await third.control.keyPairs(third.tenantId);
    expect(pairs.map(({ secret }) => secret.value)).toEqual(['sk_wine_1', 'sk_wine_2']);
    expect(third.secretKey).toBe('sk_wine_2');
    await third.close();
  });

  it.each<[string, object, object]>([
    ['the generated secret key', { publishableKey: 'pk_wine_1' }, { secretKey: 'sk_wine_2' }],
    ['the generated publishable key', { secretKey: 'sk_wine_1' }, { publishableKey: 'pk_wine_2' }],
    [
      'the configured secret key',
      { publishableKey: 'pk_wine_1', secretKey: 'sk_wine_1' },
      { secretKey: 'sk_wine_2' },
    ],
  ])('replaces %s of a pair when a different one is configured', async (_what, before, more) => {
    const data = join(folder, 'state.sqlite');
    const first = await start(one(before), data);
    const [pair] = await first.control.keyPairs(first.tenantId);
    await first.close();

    const after = { ...before, ...more };
    const second = await start(one(after), data);
    expect(second).toMatchObject(after);
    const pairs = await second.control.keyPairs(second.tenantId);
    expect(pairs.map(({ pairId }) => pairId)).toEqual([pair!.pairId]);
    const { publishableKey, secretKey } = second;
    expect(pairs).toMatchObject([
      { publishable: { value: publishableKey }, secret: { value: secretKey, status: 'active' } },
    ]);
    await second.close();
  });

  it('returns the publishable key that belongs to the configured secret key, not that of an earlier pair', async () => {
    const data = join(folder, 'state.sqlite');
    const first = await start(one({}), data);
    await first.close();
    const second = await start(one({ secretKey: 'sk_wine_1' }), data);
    const [, pair] = await second.control.keyPairs(second.tenantId);
    expect(pair!.secret.value).toBe('sk_wine_1');
    expect(second.publishableKey).toBe(pair!.publishable.value);
    await second.close();
  });

  it.each<[object, string]>([
    [
      { publishableKey: 'pk_wine_1' },
      'tenants[0] ("Wines"): publishableKey is already used by the account "Wine"',
    ],
    [
      { secretKey: 'sk_wine_1' },
      'tenants[0] ("Wines"): secretKey is already used by the account "Wine"',
    ],
  ])('names the account that already has the configured key: %j', async (keys, sentence) => {
    const data = join(folder, 'state.sqlite');
    const first = await start(one({ publishableKey: 'pk_wine_1', secretKey: 'sk_wine_1' }), data);
    await first.close();
    await expect(start({ tenants: [{ name: 'Wines', ...keys }] }, data)).rejects.toThrow(sentence);
  });

  it('names the account with too many endpoints', async () => {
    const data = join(folder, 'state.sqlite');
    const of = (name: string) =>
      one({
        endpoints: Array.from({ length: 11 }, (_, n) => ({
          url: `http://localhost:9/${name}${n}`,
        })),
      });
    const first = await start(of('a'), data);
    await first.close();
    await expect(start(of('b'), data)).rejects.toThrow(
      'tenants[0] ("Wine"): An account can have at most 20 webhook endpoints',
    );
  });

  it('names a duplicate endpoint, even if its URL is written differently', async () => {
    const endpoints = [{ url: 'http://localhost:9/' }, { url: 'http://LOCALHOST:9' }];
    await expect(start(one({ endpoints }))).rejects.toThrow(
      'tenants[0].endpoints[1]: url is already used by another endpoint of the account',
    );
  });

  it('names an endpoint whose URL is not allowed', async () => {
    const tenants = readConfigFile(write(one({ endpoints: [{ url: 'http://localhost:9/' }] })));
    await expect(startMockServer({ port: 0, tenants })).rejects.toThrow(
      /^tenants\[0\].endpoints\[0\]: /,
    );
  });
});

it('ofage-mock --config prints the keys of its first account', async () => {
  const args = ['--port', '0', '--no-demo', '--ephemeral', '--json', '--allow-loopback-webhooks'];
  const mock = spawnMock([...args, '--config', write(FULL)]);
  expect(await mock.ready()).toMatchObject({ secretKey: 'sk_wine_1', webhookSecret: 'whsec_1' });
  expect(await mock.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

it('ofage-mock --config names the file if the URL of an endpoint is not allowed', async () => {
  const endpoints = [{ url: 'https://10.0.0.1/' }];
  const mock = spawnMock(['--port', '0', '--ephemeral', '--config', write(one({ endpoints }))]);
  expect(await mock.ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `ofage-mock: Cannot use the config file "${file}": tenants[0].endpoints[0]: url must point to a public Internet address\n`,
  });
});
