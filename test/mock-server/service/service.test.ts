import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMockService, type MockService, type ServiceOptions } from 'ofage-mock';
import { describe, expect, it, vi } from 'vitest';
import type { RealClock } from '../../../mock-server/store/clock.ts';
import { createMemoryLog } from '../../../mock-server/store/logs/memory.ts';
import { aMock } from '../../support/a-mock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';

const JANUARY = Date.UTC(2026, 0, 1);

it.each(['signing-key', 'known-keys', 'webhook-hold'])(
  'an account may have the id %s, which a setting of the service has too',
  async (id) => {
    const { service, control, api, secretKey, create } = await aMock({ tenant: { id } });
    await control.updateTenant(id, { name: 'Shop' });
    const { sessionId } = await create();
    await control.settle(sessionId, 'verified');
    expect(await api('validate', secretKey, { sessionId })).toMatchObject({ status: 200 });
    await service.close();
  },
);

describe('createMockService()', () => {
  // The cost is measured by npm run bench -- service.
  it('neither starts a timer nor writes before it is used', () => {
    const wakeAt = vi.fn<RealClock['wakeAt']>();
    const commit = vi.fn<() => Promise<void>>();
    const log = { isShared: false, commit, close: async () => {} };
    createMockService({ log, realClock: { now: () => JANUARY, wakeAt } });
    expect(wakeAt).not.toHaveBeenCalled();
    expect(commit).not.toHaveBeenCalled();
  });

  it('does not keep a process alive, even with pending sessions', async () => {
    expect(await runInNode()).toBe('201\n');
  });

  it('returns the keys and the webhook secret of its first account', async () => {
    const service = createMockService({
      tenant: { id: 'shop-1', publishableKey: 'pk_known', secretKey: 'sk_known' },
      endpoints: [{ url: 'https://shop.example/webhooks' }],
    });
    expect(await service.ready).toEqual({
      tenantId: 'shop-1',
      publishableKey: 'pk_known',
      secretKey: 'sk_known',
      webhookSecret: expect.stringMatching(/^whsec_/),
    });
    expect(await service.control.tenants()).toMatchObject([{ id: 'shop-1', name: '' }]);
    expect(await service.control.endpoints('shop-1')).toHaveLength(1);
  });

  it('gives the first endpoint the secret that was known before, also after a restart, a reset or a snapshot', async () => {
    const shared = createSharedMemory();
    const service = createMockService({ log: createSharedMemoryLog(shared) });
    const { tenantId, webhookSecret } = await service.ready;
    expect(webhookSecret).toMatch(/^whsec_/);
    const add = async ({ control }: Pick<MockService, 'control'>, path: string) =>
      (await control.createEndpoint(tenantId, { url: `https://shop.example/${path}` })).secret;
    expect(await add(service, 'first')).toBe(webhookSecret);
    expect(await add(service, 'second')).not.toBe(webhookSecret);
    expect((await service.control.reset()).webhookSecret).toBe(webhookSecret);
    const snapshot = await service.control.snapshot({ secrets: 'omit' });
    expect(JSON.stringify(snapshot)).not.toContain(webhookSecret);
    await service.control.loadSnapshot(snapshot);
    const again = createMockService({ log: createSharedMemoryLog(shared) });
    expect(await again.ready).toMatchObject({ webhookSecret });
    expect(await add(again, 'first')).toBe(webhookSecret);
  });

  it('draws no secret twice, although a restart with a seed draws the values of the first start again', async () => {
    const shared = createSharedMemory();
    const start = () => createMockService({ log: createSharedMemoryLog(shared), seed: 1 });
    const { webhookSecret } = await start().ready;
    const { control, ready } = start();
    const { id } = await control.createTenant();
    const secrets = [await ready].map((demo) => demo.webhookSecret);
    for (let n = 0; n < 20; n += 1)
      secrets.push((await control.createEndpoint(id, { url: `https://a.example/${n}` })).secret);
    expect(secrets[0]).toBe(webhookSecret);
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it('keeps the ids, keys and webhook secrets of all configured accounts after a reset', async () => {
    const url = 'https://shop.example/webhooks';
    const tenants = ['Wine', 'Beer'].map((name) => ({ name, endpoints: [{ url }] }));
    const service = createMockService({ tenants });
    const read = async () => {
      const { tables } = await service.control.snapshot();
      const valuesOf = (name: string, fields: string[]) =>
        tables[name]?.map((row) => fields.map((field) => Object(row)[field] as unknown));
      return {
        accounts: valuesOf('tenants', ['id', 'name']),
        keys: valuesOf('keys', ['tenantId', 'value']),
        endpoints: valuesOf('endpoints', ['tenantId', 'secret']),
      };
    };
    const before = await read();
    expect(before.endpoints).toHaveLength(2);
    await service.control.reset();
    expect(await read()).toEqual(before);
  });

  it.each<ServiceOptions>([{}, { tenants: [{ name: 'Wine' }] }])(
    'returns an active key pair at the next start and after a reset, if keys were rotated: %j',
    async (options) => {
      const shared = createSharedMemory();
      const open = () => createMockService({ log: createSharedMemoryLog(shared), ...options });
      const service = open();
      const { tenantId } = await service.ready;
      const [old] = await service.control.keyPairs(tenantId);
      const fresh = await service.control.createKeyPair(tenantId);
      await service.control.setKeyStatus(old?.secret.id ?? '', 'revoked');
      const keys = { publishableKey: fresh.publishable.value, secretKey: fresh.secret.value };

      const restarted = open();
      expect(await restarted.ready).toMatchObject(keys);
      await restarted.close();
      expect(await service.control.reset()).toMatchObject(keys);
      const [tenant, ...others] = await service.control.tenants();
      expect(others).toEqual([]);
      const pairs = await service.control.keyPairs(tenant?.id ?? '');
      expect(pairs.map(({ secret }) => secret.value)).toEqual([keys.secretKey]);
      await service.close();
    },
  );

  it('returns its first key pair if none is active', async () => {
    const service = createMockService();
    const { tenantId } = await service.ready;
    const [pair] = await service.control.keyPairs(tenantId);
    await service.control.setKeyStatus(pair?.publishable.id ?? '', 'paused');
    expect(await service.control.reset()).toMatchObject({ secretKey: pair?.secret.value });
    await service.close();
  });

  it('generates the same keys for the same seed, different ones for another seed, and random ones without a seed', async () => {
    const keysOf = async (options: ServiceOptions) => createMockService(options).ready;
    expect(await keysOf({ seed: 7 })).toEqual(await keysOf({ seed: 7 }));
    expect(await keysOf({ seed: 7 })).not.toEqual(await keysOf({ seed: 8 }));
    expect(await keysOf({})).not.toEqual(await keysOf({}));
  });

  it('expires sessions with the same deadline in order of creation, even after a restart', async () => {
    const shared = createSharedMemory();
    const start = () =>
      createMockService({ clock: { frozen: true }, log: createSharedMemoryLog(shared), seed: 1 });
    const before = start();
    const created: string[] = [];
    for (let n = 0; n < 8; n += 1)
      created.push((await before.control.trigger({ name: 'never' })).id);
    await before.close();
    const after = start();
    await after.clock.advance(600_000);
    const events = await after.control.events();
    const expired = events.filter(({ event }) => event === 'session.timeout');
    expect(expired.map(({ sessionId }) => sessionId)).toEqual(created);
    await after.close();
  });

  it('closes the log even if a timer of the host cannot be cancelled', async () => {
    const log = createMemoryLog();
    const closeLog = vi.spyOn(log, 'close');
    let isBroken = false;
    const wakeAt = () => () => {
      if (isBroken) throw new Error('The timer is broken');
    };
    const service = createMockService({ log, realClock: { now: () => JANUARY, wakeAt } });
    await service.control.trigger({ name: 'never' });
    isBroken = true;
    await expect(service.close()).rejects.toThrow('The timer is broken');
    expect(closeLog).toHaveBeenCalledTimes(1);
  });

  it('starts a new clock at the time in the options', async () => {
    const frozen = createMockService({ clock: { now: new Date(JANUARY), frozen: true } });
    expect((await frozen.clock.now()).getTime()).toBe(JANUARY);
    expect(await frozen.clock.read()).toMatchObject({ frozen: true });

    const running = createMockService({ clock: { now: JANUARY } });
    const seenMs = (await running.clock.now()).getTime();
    expect(seenMs).toBeGreaterThanOrEqual(JANUARY);
    expect(seenMs).toBeLessThan(JANUARY + 5_000);
    expect(await running.clock.read()).toMatchObject({ frozen: false });
  });
});

/** Runs a program that creates a session in process, and returns its output. */
async function runInNode(): Promise<string> {
  const module = new URL('../../../mock-server/service/service.ts', import.meta.url).href;
  const script = `
    import { createMockService } from ${JSON.stringify(module)};
    const service = createMockService();
    const { secretKey } = await service.ready;
    const response = await service.fetch(new Request('http://localhost/api/v1/sessions/create', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: 'http://localhost/' }),
    }));
    console.log(response.status);`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 });
  return stdout;
}

/** Mistakes that callers without TypeScript can make, and the expected messages. */
const WRONG_OPTIONS: readonly (readonly [options: unknown, message: string])[] = [
  [
    { nonsense: 1 },
    'unknown option "nonsense"; supported options: log, seed, apiOrigin, verifyUrl, tenant, tenants, endpoints, clock, allowLoopbackWebhooks, ownPort, resolve, mac, sender, pollMs, realClock, onError',
  ],
  [{ toString: 1 }, 'unknown option "toString"; supported options:'],
  ['memory', 'its options must be an object, got "memory"'],
  [{ ownPort: '4010' }, 'ownPort must be an integer from 0 to 65535, got "4010"'],
  [{ clock: { frozen: 'yes' } }, 'clock.frozen must be true or false, got "yes"'],
  [
    { clock: { froze: true } },
    'unknown option "clock.froze"; supported options: clock.now, clock.frozen',
  ],
  [
    { clock: { now: '2026-01-01' } },
    'clock.now must be a Date or milliseconds since the epoch, got "2026-01-01"',
  ],
  [
    { verifyUrl: 'x' },
    'verifyUrl must be an http or https URL without a fragment, such as "https://verify.ofage.example/", got "x"',
  ],
  [
    { verifyUrl: 'https://verify.example/#/session' },
    'verifyUrl must be an http or https URL without a fragment',
  ],
  [
    { apiOrigin: 'nope' },
    'apiOrigin must be an origin such as "https://api.ofage.example", got "nope"',
  ],
  [{ apiOrigin: 'https://api.example/' }, 'apiOrigin must be an origin such as'],
  [{ seed: '7' }, 'seed must be a number, got "7"'],
  [{ pollMs: -1 }, 'pollMs must be an integer of 0 or more, got -1'],
  [{ log: {} }, 'log must be a log, such as the result of createIndexedDbLog(), got an object'],
  [{ sender: async () => {} }, 'sender must be an object with a method send(), got a function'],
  [
    { realClock: { now: Date.now } },
    'realClock must be an object with the methods now() and wakeAt(), got an object',
  ],
  [{ onError: 'console' }, 'onError must be a function, got "console"'],
  [{ resolve: null }, 'resolve must be a function, got null'],
  [{ tenants: {} }, 'tenants must be an array, got an object'],
  [
    { endpoints: 'https://shop.example/' },
    'endpoints must be an array, got "https://shop.example/"',
  ],
  [{ tenant: 'Demo' }, 'tenant must be an object, got "Demo"'],
  [
    { allowLoopbackWebhooks: 1 },
    'allowLoopbackWebhooks must be true, false or an array of origins such as "http://localhost:3000", got 1',
  ],
  [
    { allowLoopbackWebhooks: ['localhost'] },
    'allowLoopbackWebhooks must be true, false or an array of origins',
  ],
];

describe('createMockService()', () => {
  it.each<[ServiceOptions, string]>([
    [{ seed: -1 }, 'seed must be an integer from 0 to 4294967295, got -1'],
    [
      { clock: { now: Number.NaN } },
      'clock.now must be a Date or an integer number of milliseconds since the epoch, up to 1 December 9999, got NaN',
    ],
    [
      { tenant: { policy: { challengeAge: 18 } } },
      'Cannot create the service: policy.challengeAge must not be less than 25',
    ],
    [
      { endpoints: [{ url: '' }] },
      'Cannot create the service: endpoints[0]: url should not be empty',
    ],
    [
      { tenant: { secretKey: 'pk_1' } },
      'Cannot create the service: secretKey must be a string of 4 to 200 characters that starts with sk_: letters',
    ],
    [{ tenant: { id: '' } }, 'Cannot create the service: id should not be empty'],
    ...WRONG_OPTIONS.map(([options, message]): [ServiceOptions, string] => [
      options as ServiceOptions,
      `Cannot create the service: ${message}`,
    ]),
  ])('rejects %j at once', (options, message) => {
    expect(() => createMockService(options)).toThrow(message);
  });

  it('treats undefined options as missing', async () => {
    const names = ['log', 'seed', 'apiOrigin', 'verifyUrl', 'clock', 'sender', 'onError'];
    const options = Object.fromEntries(names.map((name) => [name, undefined])) as ServiceOptions;
    expect(Object.keys(await createMockService(options).ready)).toContain('secretKey');
  });
});
