import type { Driver, Receiver } from 'ofage-mock/conformance';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Hook, HookOptions, World } from '../../mock-server/conformance/world.ts';
import { CREATE, post } from '../../mock-server/conformance/exchange.ts';
import { anImplementation, openRun, PASSED, type Fetch } from './a-run.ts';

// A world is what one check works with. These tests are about what checks of one run share.

describe('the endpoint that checks share if nobody can remove it', () => {
  async function aRunWithStayingEndpoints() {
    const { service, driver, options } = await anImplementation();
    const { addEndpoint, settle, advance, now, testEndpoint } = driver;
    const run = openRun({
      ...options,
      driver: { addEndpoint, settle, advance, now, testEndpoint },
    });
    const { tenantId } = await service.ready;
    return {
      control: service.control,
      endpoints: () => service.control.endpoints(tenantId),
      check: async (body: (world: World) => Promise<unknown>) =>
        expect(await run.check({ run: async (world) => void (await body(world)) })).toMatchObject(
          PASSED,
        ),
    };
  }

  /** Lets the endpoint refuse everything, and causes a webhook about a session and a test event. */
  async function useOnce(world: World): Promise<void> {
    const hook = await world.hook();
    hook.respond(() => ({ status: 500 }));
    await world.driver.testEndpoint(hook.id);
    await world.create();
    await hook.waitFor(2);
  }

  it('is one endpoint', async () => {
    const { check, endpoints } = await aRunWithStayingEndpoints();
    await check(useOnce);
    await check(useOnce);
    expect(await endpoints()).toHaveLength(1);
  });

  it('has no webhook and no response of an earlier check', async () => {
    const { check, control } = await aRunWithStayingEndpoints();
    await check(useOnce);
    await check(async (world) => {
      const hook = await world.hook();
      expect(hook.received()).toEqual([]);
      const { sessionId } = await world.create();
      expect(await hook.waitFor(1)).toHaveLength(1);
      expect(await control.deliveries({ sessionId })).toMatchObject([
        { attempts: [{ httpStatus: 204 }] },
      ]);
    });
  });

  it('counts the requests of each check from 1', async () => {
    const { check } = await aRunWithStayingEndpoints();
    const counts: number[] = [];
    const countOne = async (world: World): Promise<void> => {
      const hook = await world.hook();
      hook.respond((n) => {
        counts.push(n);
        return { status: 204 };
      });
      await world.create();
      await hook.waitFor(1);
    };
    await check(countOne);
    await check(countOne);
    expect(counts).toEqual([1, 1]);
  });

  it.each<[options: HookOptions, endpoint: object]>([
    [{ path: '/a' }, { url: expect.stringMatching(/\/check-2\/a$/) }],
    [{ events: ['session.started'] }, { events: ['session.started'] }],
    [{ secret: null }, { hasSecret: false }],
  ])('is not used by a check that needs an endpoint with %j', async (options, endpoint) => {
    const { check, endpoints } = await aRunWithStayingEndpoints();
    await check(useOnce);
    await check((world) => world.hook(options));
    expect(await endpoints()).toMatchObject([{}, endpoint]);
  });
});

describe('the endpoints of a check', () => {
  it('are removed at its end, all of them, although the driver fails', async () => {
    const { driver, options } = await anImplementation();
    const removed: string[] = [];
    const run = openRun({
      ...options,
      driver: {
        ...driver,
        async removeEndpoint(id) {
          removed.push(id);
          throw new Error('The dashboard is down');
        },
      },
    });
    const ids: string[] = [];
    const result = await run.check({
      async run({ hook }) {
        for (let n = 0; n < 3; n += 1) ids.push((await hook()).id);
      },
    });
    expect(result).toMatchObject(PASSED);
    expect(removed).toEqual(ids);
  });
});

describe('a failure to receive webhooks', () => {
  const fail = async (body: (world: World, hook: Hook) => Promise<unknown>) => {
    const { driver, options } = await anImplementation();
    const { addEndpoint, removeEndpoint, now, advance } = driver;
    const given = { addEndpoint, removeEndpoint, now, advance };
    const { failure } = await openRun({ ...options, driver: given, patienceMs: 1 }).check({
      run: async (world) => void (await body(world, await world.hook())),
    });
    return failure;
  };

  it('says what was expected and what has arrived', async () => {
    expect(await fail((_world, hook) => hook.waitFor(1))).toMatchObject({
      expected: '1 webhook',
      answered: 'no webhook',
      cause: 'no webhook',
    });
    const startThenWait =
      (wait: (hook: Hook) => Promise<unknown>) => async (world: World, hook: Hook) => {
        await world.create();
        await wait(hook);
      };
    expect(await fail(startThenWait((hook) => hook.waitFor(2)))).toMatchObject({
      expected: '2 webhooks',
      answered: '1: session.started',
      cause: null,
    });
    const forEvent = startThenWait((hook) => hook.waitForEvent('session.timeout'));
    expect(await fail(forEvent)).toMatchObject({
      expected: 'the webhook session.timeout',
      answered: '1: session.started',
      cause: null,
    });
    const forTwo = startThenWait((hook) => hook.waitForEvent('session.started', 2));
    expect(await fail(forTwo)).toMatchObject({
      expected: 'the webhook session.started 2 times',
      cause: null,
    });
  });
});

describe('a check whose driver cannot end a session', () => {
  it('is skipped when it has to end one', async () => {
    const { options } = await anImplementation();
    const result = await openRun(options).check({
      run: async (world) => world.settle(await world.create(), 'verified'),
    });
    const reason = 'needs a driver that can end a session (settle)';
    expect(result).toMatchObject({ status: 'skipped', reason });
  });
});

describe('a request that is refused with 429', () => {
  /** Sends one request to an API that refuses the first `refusals`. Returns the status and the requests. */
  async function sendTo(refusals: number, isShared: boolean, how: 'send' | 'sendOnce' = 'send') {
    const { driver, options } = await anImplementation();
    let requests = 0;
    const { createAccount } = driver;
    const run = openRun({
      ...options,
      driver: isShared ? {} : { createAccount },
      async fetch(url, init) {
        requests += 1;
        if (requests > refusals) return options.fetch(url, init);
        const headers = { 'x-ratelimit-retry-after': '0.001' };
        return Response.json({}, { status: 429, headers });
      },
    });
    let status = 0;
    await run.check({
      async run(world) {
        const { returnUrl } = world.account;
        ({ status } = await world[how](post(CREATE, { returnUrl }, world.sk)));
      },
    });
    return { status, requests };
  }

  it.each<[why: string, args: Parameters<typeof sendTo>, status: number, requests: number]>([
    ['once more if other checks share the account', [1, true], 201, 2],
    ['only once more', [9, true], 429, 2],
    ['once if the account is new, because its limit is unused', [1, false], 429, 1],
    ['once if the check expects the refusal', [1, true, 'sendOnce'], 429, 1],
  ])('is sent %s', async (_why, args, status, requests) => {
    expect(await sendTo(...args)).toEqual({ status, requests });
  });
});

describe('the id of the account whose keys were passed', () => {
  const readId = async (world: World): Promise<void> => {
    await world.tenantId();
  };

  it('is read once for all checks', async () => {
    const { service, options } = await anImplementation();
    const run = openRun(options);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      await run.check({ run: async (world) => void ids.push(await world.tenantId()) });
    const { tenantId } = await service.ready;
    expect(ids).toEqual([tenantId, tenantId, tenantId]);
    expect(await service.control.sessions()).toHaveLength(1);
  });

  it.each<[why: string, fail: Fetch, answered: RegExp]>([
    [
      'the API cannot be reached',
      () => Promise.reject(new TypeError('fetch failed')),
      /^an error: fetch failed/,
    ],
    [
      'the API responds with an error',
      async () => Response.json({ message: 'Down' }, { status: 500 }),
      /^500 \{"message":"Down"\}/,
    ],
    ['the response has no merchantId', async () => Response.json({}), /^nothing$/],
  ])('is read again by the next check if %s', async (_why, fail, answered) => {
    const { options } = await anImplementation();
    let isDown = true;
    const run = openRun({
      ...options,
      fetch: (url, init) =>
        isDown && url.endsWith('/validate') ? fail(url, init) : options.fetch(url, init),
    });
    const first = await run.check({ run: readId });
    expect(first.failure?.answered).toMatch(answered);
    isDown = false;
    expect(await run.check({ run: readId })).toMatchObject(PASSED);
  });

  it('is read with a session whose webhooks do not belong to the check', async () => {
    const { driver, options } = await anImplementation();
    const { addEndpoint, removeEndpoint, now, advance } = driver;
    const run = openRun({ ...options, driver: { addEndpoint, removeEndpoint, now, advance } });
    const result = await run.check({
      async run(world) {
        const hook = await world.hook();
        await world.tenantId();
        await world.create();
        await hook.waitFor(1);
        expect(await hook.quiet()).toHaveLength(1);
      },
    });
    expect(result).toMatchObject(PASSED);
  });
});

describe('the time of a service whose driver has no clock', () => {
  afterEach(() => void vi.useRealTimers());
  const HOUR_MS = 3_600_000;

  // Only the difference counts, because the waiting itself is real time.
  it.each([
    ['moves the clock of the service', 0, HOUR_MS],
    ['really waits', HOUR_MS, HOUR_MS],
    ['waits for a part, and moves the clock by the rest', HOUR_MS / 4, HOUR_MS],
    ['waits for longer than it was asked to', 2 * HOUR_MS, 2 * HOUR_MS],
  ])('advances by the right amount if the driver %s', async (_how, waitedMs, passedMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { options } = await anImplementation();
    const advance = async (): Promise<void> => void vi.setSystemTime(Date.now() + waitedMs);
    const run = openRun({ ...options, driver: { advance } });
    const startedAtMs = Date.now();
    const times: number[] = [];
    const move = {
      async run(world: World) {
        await world.driver.advance(HOUR_MS);
        times.push((await world.now()) - startedAtMs);
      },
    };
    expect(await run.check(move)).toMatchObject(PASSED);
    // The next check goes on from there.
    expect(await run.check(move)).toMatchObject(PASSED);
    expect(times).toEqual([passedMs, 2 * passedMs]);
  });

  it('is compared with a tolerance of 30 seconds, and exactly if the driver has a clock', async () => {
    const { driver, options } = await anImplementation();
    const near = async (given: Driver): Promise<boolean[]> => {
      const results: boolean[] = [];
      const toIso = (ms: number): string => new Date(ms).toISOString();
      await openRun({ ...options, driver: given }).check({
        async run({ at }) {
          const { matches } = at(1_000_000);
          for (const offsetMs of [0, 1, -1, 30_000, -30_000, 30_001, -30_001])
            results.push(matches(toIso(1_000_000 + offsetMs)));
          results.push(matches('soon'), matches(1_000_000));
        },
      });
      return results;
    };
    const [yes, no] = [true, false];
    expect(await near({})).toEqual([yes, yes, yes, yes, yes, no, no, no, no]);
    expect(await near(driver)).toEqual([yes, no, no, no, no, no, no, no, no]);
  });
});

describe('the receiver of webhooks', () => {
  /** A receiver that counts how often it is started and stopped, and whose start fails at first. */
  function aReceiver(failures = 0) {
    const calls: string[] = [];
    const receiver: Receiver = {
      url: 'https://hooks.shop.example',
      async listen() {
        calls.push('start');
        if (calls.length <= failures) throw new Error('The port is in use');
        return async () => void calls.push('stop');
      },
    };
    return { calls, receiver };
  }

  const useMailbox = { run: async (world: World) => void (await world.mailbox()) };

  it('starts with the first check that needs it, and stops with the run', async () => {
    const { options } = await anImplementation();
    const { calls, receiver } = aReceiver();
    const unused = openRun({ ...options, receiver });
    await unused.check({});
    await unused.close();
    expect(calls).toEqual([]);
    const used = openRun({ ...options, receiver });
    await used.check(useMailbox);
    await used.check(useMailbox);
    expect(calls).toEqual(['start']);
    await used.close();
    expect(calls).toEqual(['start', 'stop']);
  });

  it('is started again by the next check if it could not be started', async () => {
    const { options } = await anImplementation();
    const { calls, receiver } = aReceiver(1);
    const run = openRun({ ...options, receiver });
    expect((await run.check(useMailbox)).failure?.answered).toMatch(
      /^an error: The port is in use/,
    );
    expect(await run.check(useMailbox)).toMatchObject(PASSED);
    expect(await run.check(useMailbox)).toMatchObject(PASSED);
    expect(calls).toEqual(['start', 'start']);
  });
});
