import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CHECKS,
  conform,
  createControlDriver,
  createKit,
  type CreatedSession,
  type Driver,
  EndpointRefusal,
  selectChecks,
  type CheckResult,
  type MockAccess,
  type RunOptions,
} from 'ofage-mock/conformance';
import { createMockService, type MockService, type Sender } from 'ofage-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDriver } from '../../mock-server/conformance/drivers/parse-driver.ts';
import { createControlClient } from 'ofage-mock/client';
import { createMemoryLog } from '../../mock-server/store/logs/memory.ts';
import { createInteractiveDriver } from '../../mock-server/conformance/drivers/interactive-driver.ts';
import { fetchOf, toKitOptions } from './in-process.ts';
import { createSenderReceiver } from './receivers.ts';

let service: MockService;
let keys: { publishableKey: string; secretKey: string };
let receiver: ReturnType<typeof createSenderReceiver>['receiver'];
beforeEach(async () => {
  const network = createSenderReceiver();
  receiver = network.receiver;
  service = createMockService({ sender: network.sender });
  keys = await service.ready;
});
afterEach(() => service.close());

/** The service as an implementation with the demo account's keys and without a driver. */
const implementation = () => ({
  apiBase: `${service.apiOrigin}/api/v1`,
  ...keys,
  receiver,
  fetch: fetchOf(service),
});

/** Returns a client that calls the control API with requests, as another process does. */
function toAccess({ apiOrigin, fetch }: MockService): MockAccess {
  const control = createControlClient({
    baseUrl: apiOrigin,
    fetch: (url, init) => fetch(new Request(url, init)),
  });
  return { control, clock: control.clock };
}

describe('CHECKS', () => {
  it('have unique ids, and sentences without a full stop', () => {
    const ids = CHECKS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, sentence } of CHECKS) {
      expect(sentence, id).toMatch(/^\S.*[^.\s]$/s);
      expect(sentence, id).not.toMatch(/\ba [aeio]/i);
    }
  });
});

describe('selectChecks', () => {
  it('includes the checks of the more binding levels', () => {
    const levelsOf = (level: 'must' | 'should' | 'reading') =>
      [...new Set(selectChecks({ level }).map((check) => check.level))].sort();
    expect(levelsOf('must')).toEqual(['must']);
    expect(levelsOf('should')).toEqual(['must', 'should']);
    expect(levelsOf('reading')).toEqual(['must', 'reading', 'should']);
  });

  it('selects one check by its id, or all checks of a group', () => {
    const below = selectChecks({ level: 'reading', only: ['validate.expiry'] });
    expect(below.length).toBeGreaterThan(3);
    expect(below.every(({ id }) => id.startsWith('validate.expiry.'))).toBe(true);
    expect(selectChecks({ only: ['validate.race'] })).toHaveLength(1);
  });

  it('selects a check that is named, whatever its level, and of a group only those of the level', () => {
    const idsOf = (...only: string[]) => selectChecks({ level: 'must', only }).map(({ id }) => id);
    expect(idsOf('auth.paused')).toEqual(['auth.paused']);
    expect(idsOf('auth')).not.toContain('auth.paused');
    expect(idsOf('auth.missing')).toEqual(['auth.missing']);
  });

  it.each<[why: string, options: Parameters<typeof selectChecks>[0], message: string]>([
    ['a misspelt group', { only: ['validate.expirey'] }, 'did you mean validate.expiry?'],
    ['a misspelt id', { only: ['auth', 'auth.msising'] }, 'did you mean auth.missing?'],
    ['half a word', { only: ['valid'] }, 'no check has this id; the groups are create, body, '],
    ['an empty name', { only: ['auth', ''] }, 'Cannot run the check "": no check has this id'],
    ['an empty list', { only: [] }, 'the list of their ids is empty'],
    ['a group without this level', { only: ['body.order'] }, 'use the level reading'],
    ['an unknown level', { level: 'all' as 'must' }, 'must, should, reading, got "all"'],
  ])('refuses %s, because a run of no checks would pass', (_why, options, message) => {
    expect(() => selectChecks(options)).toThrow(message);
  });

  it('puts the checks that use up a limit last', () => {
    const kinds = selectChecks({ level: 'reading' }).map(({ kind }) => kind);
    expect(kinds.slice(kinds.indexOf('destructive')).every((kind) => kind === 'destructive')).toBe(
      true,
    );
  });
});

describe('conform() if there is no driver', () => {
  it('runs the checks that need only keys, and reports why it skips the others', async () => {
    const only = ['create.policy', 'validate.result', 'webhooks.retries.started.three'];
    const results = await conform({ ...implementation(), level: 'must', only });
    const find = (id: string) => results.find((result) => result.id === id);
    expect(find('create.policy.challengeAge.invalid')).toMatchObject({ status: 'passed' });
    expect(find('validate.result.pending')).toMatchObject({ status: 'passed' });
    expect(find('validate.result.settled')).toMatchObject({
      status: 'skipped',
      reason: 'needs a driver that can end a session (settle)',
    });
    expect(find('webhooks.retries.started.three')).toMatchObject({
      status: 'skipped',
      reason: 'needs a driver that can configure a webhook endpoint (addEndpoint)',
    });
    expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  it.each<[why: string, options: () => Partial<RunOptions>, message: string | RegExp]>([
    [
      'the API cannot be reached',
      () => ({
        fetch: () =>
          Promise.reject(new TypeError('fetch failed', { cause: new Error('no such host') })),
      }),
      'Cannot reach the API at https://api.ofage.example/api/v1: fetch failed: no such host',
    ],
    [
      'the base URL is not that of the API',
      () => ({ apiBase: service.apiOrigin }),
      'Cannot check https://api.ofage.example/: it has no /sessions/create (404 ',
    ],
    [
      'the secret key is wrong',
      () => ({ secretKey: 'sk_x' }),
      'it refuses the secret key that was passed (401 ',
    ],
    [
      'the publishable key is wrong',
      () => ({ publishableKey: 'pk_x' }),
      'Use the keys of one account (publishableKey, --publishable-key)',
    ],
    [
      'the keys are swapped',
      () => ({ publishableKey: keys.secretKey, secretKey: keys.publishableKey }),
      /^The keys are swapped: the secretKey \(--secret-key, OFAGE_SECRET_KEY\) begins with sk_, and/,
    ],
    [
      'both keys are publishable',
      () => ({ secretKey: keys.publishableKey }),
      /^The secretKey \(.*\) is a publishable key: it must begin with sk_, not pk_$/,
    ],
    [
      'both keys are secret',
      () => ({ publishableKey: keys.secretKey }),
      /^The publishableKey \(.*\) is a secret key: it must begin with pk_, not sk_$/,
    ],
    [
      'the returnUrl is not allowed',
      () => ({ returnUrl: 'https://other.example/' }),
      'it refuses a session with the returnUrl https://other.example/ (400 ',
    ],
  ])('rejects with one sentence if %s', async (_why, options, message) => {
    const results: string[] = [];
    const onResult = ({ id }: CheckResult) => results.push(id);
    const run = conform({ ...implementation(), onResult, ...options() });
    await expect(run).rejects.toThrow(message);
    expect(results).toEqual([]);
  });

  it('repeats a request after the time that its 429 response asks for', async () => {
    const { tenantId } = await service.ready;
    // The kit first creates a session with each key.
    await service.control.updateTenant(tenantId, { rateLimits: { create: 3 } });
    let refusals = 0;
    const fetch = async (url: string, init: RequestInit) => {
      const response = await service.fetch(new Request(url, init));
      if (response.status !== 429) return response;
      refusals += 1;
      await service.clock.advance(60_000);
      return new Response(response.body, {
        status: 429,
        headers: { 'x-ratelimit-retry-after': '0.01' },
      });
    };
    const only = ['session.id.unlike-token', 'session.token.not-jwt'];
    const results = await conform({ ...implementation(), fetch, only });
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed']);
    expect(refusals).toBe(1);
  });
});

describe('run() of a kit', () => {
  it('reports the request, the expectation and the response of a failure, without keys and tokens', async () => {
    const kit = createKit({
      ...implementation(),
      fetch: async (url, init) => {
        const response = await service.fetch(new Request(url, init));
        return new Response(response.body, { status: 200, headers: response.headers });
      },
    });
    const { status, failure } = await kit.run({ id: 'create.null' });
    await kit.close();
    expect(status).toBe('failed');
    expect(failure?.sent).toMatch(/^POST \/sessions\/create, \{.*"externalUserId":null\}/);
    expect(failure?.expected).toBe('status 201');
    expect(failure?.answered).toMatch(/^200 \{"sessionId"/);
    expect(JSON.stringify(failure)).not.toContain(keys.secretKey);
    expect(failure?.answered).not.toMatch(/sessionToken":"[^…"]{20}/);
  });

  it('fails a check for an extra field only if the kit is strict', async () => {
    const fetch = async (url: string, init: RequestInit) => {
      const response = await service.fetch(new Request(url, init));
      const body = (await response.json()) as object;
      const { status, headers } = response;
      return new Response(JSON.stringify({ ...body, extra: 1 }), { status, headers });
    };
    const check = { id: 'create.response' };
    const lenient = createKit({ ...implementation(), fetch });
    expect((await lenient.run(check)).status).toBe('passed');
    const strict = createKit({ ...implementation(), fetch, strict: true });
    expect((await strict.run(check)).failure?.answered).toBe('also extra: 1');
  });

  it('says so if a webhook was serialised again after it was signed', async () => {
    const network = createSenderReceiver();
    const reformat: Sender = {
      send(request) {
        const text = new TextDecoder().decode(request.body);
        const body = new TextEncoder().encode(JSON.stringify(JSON.parse(text), null, 1));
        return network.sender.send({ ...request, body });
      },
    };
    const broken = createMockService({ sender: reformat });
    const kit = createKit({
      ...toKitOptions(broken, network.receiver),
      fetch: fetchOf(broken),
    });
    const { failure } = await kit.run({ id: 'webhooks.signature.bytes' });
    expect(failure).toMatchObject({
      expected: expect.stringMatching(
        /^the signature of verification\.completed over the raw bytes of its body \(sha256=\w{64}\)$/,
      ),
      answered: expect.stringMatching(
        /^sha256=\w{64}, which is a signature over the parsed and re-serialised JSON$/,
      ),
    });
    await kit.close();
    await broken.close();
  });

  it('rejects if no check has the id', async () => {
    const run = createKit(implementation()).run({ id: 'create.nothing' });
    await expect(run).rejects.toThrow(
      'Cannot run the check "create.nothing": no check has this id',
    );
  });
});

describe('drivers and endpoints:', () => {
  it.each([
    ['running', false],
    ['frozen', true],
  ])('the control driver leaves a clock %s that was so before the run', async (_, isFrozen) => {
    if (isFrozen) await service.clock.freeze();
    const driver = createControlDriver(service);
    const only = ['session.id', 'validate.expiry'];
    const results = await conform({ ...implementation(), driver, only });
    expect(results.every(({ status }) => status === 'passed')).toBe(true);
    expect((await service.clock.read()).frozen).toBe(isFrozen);
  });

  it('a control driver that no check has used leaves a frozen clock alone', async () => {
    await service.clock.freeze();
    await createControlDriver(service).close?.();
    expect((await service.clock.read()).frozen).toBe(true);
  });

  it.each([
    ['with a clock', true],
    ['without a clock', false],
  ])('the driver may be an instance of a class with private fields, %s', async (_, hasClock) => {
    class OwnDriver {
      readonly #inner = createControlDriver(service) as Required<Driver>;
      declare now?: () => Promise<number>;
      constructor() {
        if (hasClock) this.now = async () => this.#inner.now();
      }
      async settle(...args: Parameters<Required<Driver>['settle']>) {
        await this.#inner.settle(...args);
      }
      async advance(ms: number) {
        await this.#inner.advance(ms);
      }
      async addEndpoint(input: Parameters<Required<Driver>['addEndpoint']>[0]) {
        return this.#inner.addEndpoint(input);
      }
      async removeEndpoint(id: string) {
        await this.#inner.removeEndpoint(id);
      }
      async close() {
        await this.#inner.close();
      }
    }
    const only = ['webhooks.retries.timeout.grid', 'validate.result.settled'];
    const level = 'reading';
    const results = await conform({ ...implementation(), driver: new OwnDriver(), only, level });
    const statuses = Object.fromEntries(results.map(({ id, status }) => [id, status]));
    expect(statuses).toEqual({
      [only[0]!]: hasClock ? 'passed' : 'skipped',
      [only[1]!]: 'passed',
    });
  });

  it('conform() rejects with the reason why it cannot begin, although the driver cannot close', async () => {
    const driver = {
      close: () => Promise.reject(new Error('The driver cannot close')),
    };
    const starting = conform({ ...implementation(), secretKey: 'sk_wrong', driver });
    await expect(starting).rejects.toThrow('it refuses the secret key');
  });

  it('an account that is not new may have any setting for the face match', async () => {
    const { tenantId } = await service.ready;
    await service.control.updateTenant(tenantId, { policy: { faceMatchEnabled: false } });
    const results = await conform({ ...implementation(), only: ['create.response'] });
    expect(results.map(({ status, failure }) => [status, failure])).toEqual([['passed', null]]);
  });

  it('the endpoints of a check are removed, even after failed deliveries', async () => {
    const driver = createControlDriver(service);
    const only = ['webhooks.retries.completed.late-success', 'webhooks.endpoints.removed'];
    const results = await conform({ ...implementation(), driver, only });
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed']);
    const tenants = await service.control.tenants();
    const left = tenants.map(({ id }) => service.control.endpoints(id));
    expect((await Promise.all(left)).flat()).toEqual([]);
  });

  it('a driver that can only add endpoints shares one between checks, without special events or secret', async () => {
    const full = createControlDriver(service);
    const { settle, addEndpoint, advance } = full as Required<typeof full>;
    const only = ['states.final', 'events.session-started'];
    const results = await conform({
      ...implementation(),
      driver: { settle, addEndpoint, advance },
      // The wait for webhooks that do not come.
      patienceMs: 300,
      level: 'reading',
      only,
    });
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'states.final passed',
      'events.session-started passed',
      'events.session-started.no-event-id passed',
    ]);
    await full.close?.();
  });

  it('the control driver begins again after the service has refused to begin', async () => {
    let isFull = true;
    const memory = createMemoryLog();
    const commit: typeof memory.commit = (batch) =>
      isFull ? Promise.reject(new Error('full')) : memory.commit(batch);
    const full = createMockService({ log: { ...memory, commit } });
    const driver = createControlDriver(full);
    await expect(driver.now?.()).rejects.toThrow('full');
    isFull = false;
    expect(await driver.now?.()).toEqual(expect.any(Number));
    await full.close();
  });

  it('the control driver treats only a refusal by the service as a refused endpoint', async () => {
    const memory = createMemoryLog();
    let isFull = false;
    const commit = (batch: Parameters<typeof memory.commit>[0]) =>
      isFull ? Promise.reject(new Error('full')) : memory.commit(batch);
    const failing = createMockService({
      log: { isShared: false, commit, close: async () => {} },
    });
    const driver = createControlDriver(failing);
    const add = (url: string) => driver.addEndpoint?.({ tenantId: undefined, url });
    await expect(add('https://10.0.0.1/')).rejects.toBeInstanceOf(EndpointRefusal);
    isFull = true;
    await expect(add('https://shop.example/')).rejects.not.toBeInstanceOf(EndpointRefusal);
    await failing.close();
  });

  it.each([
    ['in the same process', () => createControlDriver(service)],
    ['over HTTP', () => createControlDriver(toAccess(service))],
  ])('the control driver does not take an unknown account for a refusal, %s', async (_, create) => {
    const { addEndpoint, setLegacyWebhook, changeEndpoint } = create() as Required<Driver>;
    const url = 'https://10.0.0.1/';
    const publicUrl = 'https://shop.example/hooks';
    const { tenantId } = await service.ready;
    for (const known of [
      () => addEndpoint({ tenantId, url }),
      () => setLegacyWebhook(tenantId, url),
    ])
      await expect(known()).rejects.toBeInstanceOf(EndpointRefusal);
    for (const unknown of [
      () => addEndpoint({ tenantId: 'unknown', url: publicUrl }),
      () => setLegacyWebhook('unknown', publicUrl),
      () => changeEndpoint('unknown', { enabled: false }),
    ])
      await expect(unknown()).rejects.not.toBeInstanceOf(EndpointRefusal);
  });

  it('the interactive driver waits for the person', async () => {
    const done: string[] = [];
    const { settle } = createInteractiveDriver(async () => {
      await nextTurn();
      done.push('Enter');
    }) as Required<Driver>;
    await settle({ verifyUrl: 'https://verify.example/' } as CreatedSession, 'verified');
    expect(done).toEqual(['Enter']);
  });

  it('the interactive driver asks a person to finish the verification', async () => {
    const asked: string[] = [];
    const driver = createInteractiveDriver(async (text) => {
      asked.push(text);
      const [, id = ''] = /sessionId=([^&]+)/.exec(text) ?? [];
      await service.control.settle(id, 'verified');
    });
    const only = ['states.separate'];
    const [result] = await conform({ ...implementation(), driver, only });
    expect(result?.status).toBe('passed');
    expect(asked).toEqual([expect.stringMatching(/^Open https?:.*\nLet .* end as "verified"/)]);
  });

  it.each([
    [undefined, 'its default export must be an object with the functions of a driver'],
    [{ setle: () => {} }, 'a driver has no "setle"; its members are settle, addEndpoint, advance'],
    [{ settle: 1 }, '"settle" must be a function'],
  ])('parseDriver refuses %o', (value, message) => {
    expect(() => parseDriver(value)).toThrow(message);
  });

  it('webhook checks are skipped if the service refuses the receiver', async () => {
    const strict = createMockService();
    const results = await conform({
      ...implementation(),
      fetch: fetchOf(strict),
      receiver: undefined,
      driver: createControlDriver(strict),
      only: ['webhooks.signature.form'],
    });
    await strict.close();
    expect(results[0]?.status).toBe('skipped');
    expect(results[0]?.reason).toMatch(
      /^the service refuses webhooks to http:\/\/127\.0\.0\.1:\d+ \(.*\); use --receiver with a public address, or start the mock with --allow-loopback-webhooks$/,
    );
  });
});
