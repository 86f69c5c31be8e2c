import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMockService, type ServiceOptions } from 'ofage/mock';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryLog, createSharedMemory } from '../../mock-server/store/logs/memory.ts';
import type { RealClock } from '../../mock-server/store/clock.ts';
import { jsonHeaders, RETURN_URL } from '../support/api.ts';

const JANUARY = Date.UTC(2026, 0, 1);

describe('createMockService()', () => {
  // The cost is measured by npm run bench -- service.
  it('neither starts a timer nor writes before it is used', () => {
    const wakeAt = vi.fn<RealClock['wakeAt']>();
    const commit = vi.fn<() => Promise<void>>();
    const log = { commit, close: async () => {} };
    createMockService({ log, realClock: { now: () => JANUARY, wakeAt } });
    expect(wakeAt).not.toHaveBeenCalled();
    expect(commit).not.toHaveBeenCalled();
  });

  it('does not keep a process alive, even with pending sessions', async () => {
    expect(await runInNode()).toBe('201\n');
  });

  it('keeps a process alive until a slow request is complete', async () => {
    const slow = `{ operation: 'create', fault: 'slow', delayMs: 300 }`;
    expect(await runInNode(`await service.control.addFault(${slow});`)).toBe('201\n');
  });

  it('keeps a process alive until a slow webhook has arrived', async () => {
    const slow = `{ operation: 'webhook', fault: 'slow', delayMs: 300 }`;
    const arrived = await runInNode(
      `await service.control.createEndpoint(tenantId, { url: 'https://shop.example/hooks' });
       await service.control.addFault(${slow});`,
      'await service.clock.advance(0);',
    );
    expect(arrived).toBe('201\nsent\n');
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
    expect(await service.control.tenants()).toMatchObject([{ id: 'shop-1', name: 'Demo shop' }]);
    expect(await service.control.endpoints('shop-1')).toHaveLength(1);
  });

  it('keeps account, keys and webhook secrets after a reset', async () => {
    const [url, other] = ['https://shop.example/webhooks', 'https://shop.example/more'];
    const service = createMockService({ endpoints: [{ url }, { url: other }] });
    const before = await service.ready;
    const { tenantId } = before;
    const [, second] = await service.control.endpoints(tenantId);
    await service.control.updateEndpoint(second?.id ?? '', { secret: null });
    await service.control.createEndpoint(tenantId, { url: 'https://shop.example/third' });

    expect(await service.control.reset()).toEqual(before);
    expect(await service.control.endpoints(tenantId)).toMatchObject([
      { url, hasSecret: true },
      { url: other, hasSecret: false },
    ]);
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

  it('keeps the secret of an endpoint that was deleted before a reset', async () => {
    const service = createMockService({ endpoints: [{ url: 'https://shop.example/webhooks' }] });
    const before = await service.ready;
    const [endpoint] = await service.control.endpoints(before.tenantId);
    await service.control.deleteEndpoint(endpoint?.id ?? '');
    expect(await service.control.reset()).toEqual(before);
  });

  it.each<ServiceOptions>([{}, { tenants: [{ name: 'Wine' }] }])(
    'returns an active key pair at the next start and after a reset, if keys were rotated: %j',
    async (options) => {
      const shared = createSharedMemory();
      const open = () => createMockService({ log: createMemoryLog(shared), pollMs: 0, ...options });
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
      createMockService({ clock: { frozen: true }, log: createMemoryLog(shared), seed: 1 });
    const before = start();
    const { secretKey } = await before.ready;
    const created: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const response = await before.fetch(
        new Request('http://localhost/api/v1/sessions/create', {
          method: 'POST',
          headers: jsonHeaders(secretKey),
          body: JSON.stringify({ returnUrl: RETURN_URL }),
        }),
      );
      created.push(((await response.json()) as { sessionId: string }).sessionId);
    }
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

  it('rejects an endpoint with an unknown key pair and says why', async () => {
    const { control, ready } = createMockService();
    const { tenantId } = await ready;
    const input = { url: 'https://shop.example/hook', pairId: 'unknown' };
    await expect(control.createEndpoint(tenantId, input)).rejects.toThrow(
      'pairId must be the id of a key pair of this account',
    );
  });

  it('rejects the first use if an endpoint is not public', async () => {
    const service = createMockService({ endpoints: [{ url: 'https://192.168.0.1/' }] });
    await expect(service.ready).rejects.toThrow('url must point to a public Internet address');
  });
});

describe('two services on one log', () => {
  it('share accounts, sessions and tokens, and validate each session once', async () => {
    const shared = createSharedMemory();
    const [one, two] = [1, 2].map(() =>
      createMockService({ log: createMemoryLog(shared), pollMs: 0 }),
    ) as [ReturnType<typeof createMockService>, ReturnType<typeof createMockService>];
    const [first, second] = await Promise.all([one.ready, two.ready]);
    expect(second).toEqual(first);

    const post = (service: typeof one, path: string, key: string, body: object) =>
      service.fetch(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: jsonHeaders(key),
          body: JSON.stringify(body),
        }),
      );
    const made = await post(one, '/api/v1/sessions/create', first.secretKey, {
      returnUrl: RETURN_URL,
    });
    const { sessionId, sessionToken } = (await made.json()) as Record<string, string>;
    const outcome = await post(two, '/hosted/v1/outcome', sessionToken ?? '', {
      outcome: 'verified',
    });
    expect(outcome.status).toBe(200);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(n % 2 ? one : two, '/api/v1/sessions/validate', first.secretKey, { sessionId }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('an internal error', () => {
  it('returns a generic message without details', async () => {
    const faults: unknown[] = [];
    const log = {
      commit: () => Promise.reject(new Error('ENOSPC: /secret/path')),
      close: async () => {},
    };
    const service = createMockService({ log, onError: (error) => faults.push(error) });
    const response = await service.fetch(
      new Request('http://localhost/api/v1/sessions/create', { method: 'POST' }),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      statusCode: 500,
      message: 'Internal server error',
      timestamp: expect.any(String),
      path: '/api/v1/sessions/create',
      error: 'Internal Server Error',
    });
    expect(faults).toMatchObject([{ message: 'ENOSPC: /secret/path' }]);
  });

  it('does not affect the next request', async () => {
    const memory = createMemoryLog();
    let isFull = true;
    const service = createMockService({
      log: {
        commit: (batch) => (isFull ? Promise.reject(new Error('full')) : memory.commit(batch)),
        close: async () => {},
      },
    });
    await expect(service.control.tenants()).rejects.toThrow('full');
    isFull = false;
    expect(await service.control.tenants()).toHaveLength(1);
  });
});

/** Runs a program that creates a session in process, with code before and after it, and returns its output. */
async function runInNode(before = '', after = ''): Promise<string> {
  const module = new URL('../../mock-server/service/service.ts', import.meta.url).href;
  const script = `
    import { createMockService } from ${JSON.stringify(module)};
    const sender = {
      async send() {
        console.log('sent');
        return { kind: 'response', status: 204, retryAfter: null, address: null, hops: 0 };
      },
    };
    const service = createMockService({ sender });
    const { secretKey, tenantId } = await service.ready;
    ${before}
    const response = await service.fetch(new Request('http://localhost/api/v1/sessions/create', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: 'http://localhost/' }),
    }));
    console.log(response.status);
    ${after}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { timeout: 10_000, cwd: fileURLToPath(new URL('../..', import.meta.url)) },
  );
  return stdout;
}
