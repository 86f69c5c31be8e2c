import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../mock-server/cli/files.ts';
import { type MockServer, startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';
import { aFolder } from '../../support/folder.ts';

let folder: string;
let file: string;

const write = (config: unknown): string => {
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  return file;
};
const one = (tenant: object) => ({ tenants: [{ name: 'Wine', ...tenant }] });

const FULL = {
  tenants: [
    {
      name: 'Wine',
      publishableKey: 'pk_wine_1',
      secretKey: 'sk_wine_1',
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: false },
      allowedDomains: ['wine.example', '*.wine.example'],
      sandboxMode: false,
      rateLimits: { create: 1000 },
      endpoints: [
        { url: 'http://localhost:9/hooks', events: ['session.timeout'], secret: 'whsec_1' },
      ],
    },
    { name: 'Beer' },
  ],
};

beforeEach(() => {
  folder = aFolder();
  file = join(folder, 'mock.json');
});

describe('readConfigFile()', () => {
  it('reads every setting of an account', () => {
    expect(readConfigFile(write(FULL))).toMatchObject(FULL.tenants);
    expect(readConfigFile(write(`\uFEFF${JSON.stringify(FULL)}`))).toHaveLength(2);
  });

  it.each<[unknown, string, string]>([
    ['{\n  tenants: []\n}', 'it is not JSON (line 2 column 3)', 'a syntax error'],
    ['', 'it is not JSON', 'an empty file'],
    [[], 'it must be an object with the property tenants', 'a list'],
    [{}, 'tenants must be an array with at least one account', 'an empty object'],
    [
      { tenants: [{ name: 'a' }], port: 1 },
      'property port should not exist',
      'an unknown property',
    ],
    [{ tenants: ['Wine'] }, 'tenants[0]: it must be an object', 'a string instead of an account'],
    [{ tenants: [{}] }, 'tenants[0]: name should not be empty', 'no name'],
    [one({ nmae: 'x' }), 'tenants[0]: property nmae should not exist', 'a typo'],
    [
      one({ policy: { challengeAge: 18 } }),
      'tenants[0]: policy.challengeAge must not be less than 25',
      'a challenge age below the minimum',
    ],
    [
      one({ secretKey: 'pk_1234567' }),
      'tenants[0]: secretKey must be a string of 8 to 200 characters that starts with sk_: letters, digits and _ . + / = : @ -',
      'a publishable key as the secret key',
    ],
    [
      one({ endpoints: [{ url: 'https://a.example/' }, { events: [] }] }),
      'tenants[0].endpoints[1]: url should not be empty',
      'no URL in the second endpoint',
    ],
    [
      one({ endpoints: [{ url: 'https://a.example/', pairId: 'x' }] }),
      'tenants[0].endpoints[0]: property pairId should not exist',
      'a property that exists only in a stored state',
    ],
    [
      one({ endpoints: Array.from({ length: 21 }, (_, n) => ({ url: `https://a.example/${n}` })) }),
      'tenants[0]: endpoints must contain no more than 20 elements',
      'too many endpoints',
    ],
    [
      { tenants: [{ name: 'a' }, { name: 'a' }] },
      'tenants[1]: name is already used by another account',
      'the same name twice',
    ],
  ])('rejects %j with the message "%s": %s', (config, sentence) => {
    const read = () => readConfigFile(write(config));
    expect(read).toThrow(`Cannot use the config file "${file}": `);
    expect(read).toThrow(sentence);
  });

  it('reports all mistakes at once', () => {
    const config = one({ sandboxMode: 'no', endpoints: [{ url: 1 }] });
    expect(() => readConfigFile(write(config))).toThrow(
      /tenants\[0\]: sandboxMode .*; tenants\[0\].endpoints\[0\]: url /,
    );
  });

  it('reports that the file does not exist or cannot be read', () => {
    expect(() => readConfigFile(file)).toThrow('the file does not exist');
    expect(() => readConfigFile(folder)).toThrow('it cannot be read (EISDIR)');
  });
});

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
    expect((await third.control.tenants()).map(({ name }) => name)).toEqual(['', 'Wine', 'Beer']);
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

  it('names a duplicate endpoint, even if its URL is written differently', async () => {
    const endpoints = [{ url: 'http://localhost:9/' }, { url: 'http://LOCALHOST:9' }];
    await expect(start(one({ endpoints }))).rejects.toThrow(
      'tenants[0].endpoints[1]: url is already used by another endpoint of the account',
    );
  });
});
