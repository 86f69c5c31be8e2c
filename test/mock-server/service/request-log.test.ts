import type { ServiceOptions } from 'ofage-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import type { Log } from '../../../mock-server/store/log.ts';
import type { RequestRow } from '../../../mock-server/store/rows.ts';
import { aMock, type Mock, ORIGIN } from '../../support/a-mock.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';

const returnUrl = 'http://localhost/';
let my: Mock;
beforeEach(async () => {
  my = await aMock();
});

const list = async (query = '') => (await my.call('GET', `/requests${query}`)).body;

const toValues = (pair: { publishable: { value: string }; secret: { value: string } }) => ({
  publishableKey: pair.publishable.value,
  secretKey: pair.secret.value,
});

describe('the request log', () => {
  it('shows each request and its response', async () => {
    const { tenantId } = my;
    const { sessionId } = await my.create({ externalUserId: 'anna' });
    const { items } = await list();
    expect(items).toEqual([
      {
        id: 1,
        at: '2026-01-01T00:00:00.000Z',
        realAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        durationMs: expect.any(Number),
        method: 'POST',
        path: '/api/v1/sessions/create',
        operation: 'create',
        credential: expect.stringMatching(/^sk_[0-9a-f]{4}…$/),
        origin: null,
        isBrowser: false,
        tenantId,
        sessionId,
        status: 201,
        fault: null,
        requestHeaders: {
          authorization: expect.stringMatching(/^Bearer sk_[0-9a-f]{4}…$/),
          'content-type': 'application/json',
        },
        requestBody: '{"returnUrl":"http://localhost/","externalUserId":"anna"}',
        responseHeaders: {
          'cache-control': 'no-store',
          'content-type': 'application/json; charset=utf-8',
          'x-ratelimit-limit': '300',
          'x-ratelimit-remaining': '299',
          'x-ratelimit-window': '60',
        },
        responseBody: expect.stringContaining(sessionId),
      },
    ]);
  });

  it('contains no secret key, no token and no value of a field named secret', async () => {
    const { secretKey, publishableKey } = my;
    const { sessionId, sessionToken, handoffToken } = await my.create();
    await my.api('validate', secretKey, { sessionId, sessionToken });
    await my.api('create', publishableKey, { returnUrl, secret: 'something of ours' });
    await my.hosted('session', sessionToken);
    await my.hosted('continue', handoffToken);
    await my.service.fetch(
      new Request(`${ORIGIN}/api/v1/nothing`, { headers: { 'x-api-key': secretKey } }),
    );
    await my.service.fetch(
      new Request(`${ORIGIN}/api/v1/nothing`, {
        headers: {
          authorization: `Basic user:${secretKey}`,
          cookie: `session=${secretKey}`,
          referer: `${ORIGIN}/verify/?sessionToken=${sessionToken}`,
        },
      }),
    );
    const { items } = await list();
    const stored = (await my.control.snapshot()).tables['requests'];
    expect([items.length, stored?.length]).toEqual([7, 7]);
    const text = JSON.stringify({ items, stored });
    for (const secret of [secretKey, sessionToken, handoffToken, 'something of ours']) {
      expect(text).not.toContain(secret);
      // The secret must not appear without its prefix either.
      expect(text).not.toContain(secret.slice(8));
    }
    expect(text).toContain('sessionToken=st1_…');
  });

  it.each<[where: string, path: (key: string) => string, body?: (key: string) => string]>([
    ['the path', (key) => `/api/v1/${key}`],
    ['the middle of a path', (key) => `/api/v1/sessions/${key}/validate`],
    ['an encoded path', (key) => `/api/v1/${key.replace('_', '%5F')}`],
    ['a path that is not UTF-8', (key) => `/api/v1/%ff/${key}`],
    ['an encoded path that is not UTF-8', (key) => `/api/v1/%ff/${key.replace('_', '%5f')}`],
    ['the hosted page’s path', (key) => `/hosted/v1/${key}`],
    ['a string in the body', () => '/api/v1/sessions/create', (key) => `{"merchantName":"${key}"}`],
    [
      'a string after an escaped quote',
      () => '/api/v1/sessions/create',
      (key) => `{"secret":"a\\"${key}"}`,
    ],
    [
      'a string that is truncated',
      () => '/api/v1/sessions/create',
      (key) => `${'x'.repeat(4_080)} ${key}`,
    ],
  ])('hides a key in %s', async (_where, path, body) => {
    // The key has every kind of character that a custom key may have.
    const key = `sk_a.b!c~d(e)${'f'.repeat(20)}`;
    const { secretKey } = my;
    for (const secret of [key, secretKey]) {
      await my.service.fetch(
        new Request(ORIGIN + path(secret), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          ...(body && { body: body(secret) }),
        }),
      );
    }
    const shown = [await my.call('GET', '/requests'), await my.call('GET', '/doctor')];
    for (const { text } of shown) {
      expect(text).not.toContain(secretKey.slice(8));
      expect(text).not.toMatch(/b!c|fff/);
    }
  });

  it.each([
    ['a page', { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }, true],
    ['a page behind a proxy that removes Origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['a page with an opaque origin', { origin: 'null' }, true],
    // Node's fetch sets sec-fetch-mode as well.
    ['a server', { 'sec-fetch-mode': 'cors', 'user-agent': 'node' }, false],
  ])('detects whether a browser sent the request: %s', async (_who, headers, isBrowser) => {
    const { sessionToken } = await my.create();
    const paths = ['/api/v1/sessions/validate', '/hosted/v1/continue', '/api/v1/nothing'];
    for (const path of paths) {
      await my.service.fetch(
        new Request(ORIGIN + path, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${sessionToken}` } as HeadersInit,
        }),
      );
    }
    const { items } = await list('?limit=3');
    expect(items).toHaveLength(3);
    for (const item of items) {
      const { origin = null } = headers as { origin?: string };
      expect(item).toMatchObject({ isBrowser, origin });
    }
  });

  it('lists a refused call with the session that it names, if its account has it', async () => {
    const { sessionId } = await my.create();
    const { publishableKey, secretKey } = await my.control
      .createKeyPair(my.tenantId)
      .then(toValues);
    const { id } = await my.control.createTenant({ name: 'Other' });
    const other = await my.control.createKeyPair(id).then(toValues);
    for (const [key, body] of [
      [secretKey, { sessionId }],
      [publishableKey, { sessionId }],
      [secretKey, { sessionId: 'none' }],
      [secretKey, { sessionId: { sessionId } }],
      [secretKey, null],
      [other.secretKey, { sessionId }],
      ['sk_unknown', { sessionId }],
    ] as const)
      await my.request('/api/v1/sessions/validate', { key, body });
    const { items } = await list('?operation=validate');
    const named = items.map((item: { sessionId: string | null }) => item.sessionId === sessionId);
    expect(named.toReversed()).toEqual([true, true, false, false, false, false, false]);
  });

  it('shortens long bodies', async () => {
    await my.create({ merchantName: 'x'.repeat(50_000) });
    const { requestBody } = (await list()).items[0];
    expect(requestBody).toMatch(/^\{"returnUrl"/);
    expect(requestBody).toHaveLength(4_096);
  });

  it('can be filtered and read in pages', async () => {
    const { secretKey } = my;
    const { sessionId } = await my.create();
    for (let n = 0; n < 4; n += 1) await my.api('validate', secretKey, { sessionId });
    await my.api('validate', 'sk_other', { sessionId });
    const ids = async (query: string) =>
      (await list(query)).items.map(({ id }: { id: number }) => id);
    expect(await ids('?operation=create')).toEqual([1]);
    expect(await ids('?status=401')).toEqual([6]);
    expect(await ids(`?sessionId=${sessionId}`)).toEqual([5, 4, 3, 2, 1]);
    expect(await list('?limit=4')).toMatchObject({ next: 3 });
    expect(await ids('?limit=4&before=3')).toEqual([2, 1]);
    expect((await list('?limit=4&before=3')).next).toBeNull();
  });

  it('keeps 500 requests of the hosted page separately, but lists all in one order', async () => {
    const { sessionToken } = await my.create();
    for (let n = 0; n < 501; n += 1) await my.hosted('session', sessionToken);
    await my.create();
    const all = await my.control.requests({ limit: 2_000 });
    expect(all).toHaveLength(502);
    expect(all.map(({ id }) => id)).toEqual([...Array.from({ length: 501 }, (_, n) => 503 - n), 1]);
    expect(all.filter(({ operation }) => operation === 'hosted')).toHaveLength(500);
    expect((await list('?limit=1&before=3')).items).toMatchObject([{ id: 1, operation: 'create' }]);
  });

  it.each<[what: string, path: string, headers: Record<string, string>]>([
    ['no key', '/api/v1/sessions/create', {}],
    ['an unknown key', '/api/v1/sessions/validate', { authorization: 'Bearer sk_unknown' }],
    ['an unknown path', '/api/v1/nothing', {}],
    ['an unknown path of the hosted page’s API', '/hosted/v1/nothing', {}],
    ['an unknown token', '/hosted/v1/continue', { authorization: 'Bearer st1_unknown' }],
  ])('keeps the requests of an account among any number with %s', async (_what, path, headers) => {
    const { secretKey } = my;
    const { sessionId, sessionToken } = await my.create();
    await my.hosted('session', sessionToken);
    // These requests have an account, although they are refused.
    await my.api('validate', my.publishableKey, { sessionId });
    await my.request('/api/v1/nothing', { key: secretKey });
    const own = await my.control.requests();
    for (let n = 0; n < 700; n += 1) await my.request(path, { headers });
    const all = await my.control.requests({ limit: 2_000 });
    expect(all.slice(-own.length)).toEqual(own);
    expect(own.map(({ tenantId }) => tenantId)).toEqual(own.map(() => my.tenantId));
    expect(all).toHaveLength(own.length + 100);
    expect((await my.control.doctor()).seen).toMatchObject({
      forgottenRequests: path.startsWith('/api/') ? 600 : 0,
    });
  });

  it('excludes the heartbeats of an open hosted page, but not refused or faulted ones', async () => {
    const { sessionToken } = await my.create();
    for (let n = 0; n < 3; n += 1) await my.hosted('heartbeat', sessionToken);
    await my.hosted('heartbeat', 'nonsense');
    await my.control.addFault({ operation: 'hosted', fault: 'malformed' });
    await my.hosted('heartbeat', sessionToken);
    const { items } = await list();
    expect(items.map(({ path, status }: any) => [path, status])).toEqual([
      ['/hosted/v1/heartbeat', 200],
      ['/hosted/v1/heartbeat', 401],
      ['/api/v1/sessions/create', 201],
    ]);
  });

  it('excludes requests to the control API, and is cleared by a reset', async () => {
    await my.create();
    await my.call('GET', '/state');
    expect((await list()).items).toHaveLength(1);
    await my.call('POST', '/reset');
    expect((await list()).items).toEqual([]);
  });
});

const QUARTER_MS = 250;

/**
 * Creates a service that shares its state with other services of the same memory. The test runs its timers.
 */
async function aProcess(memory = createSharedMemory(), options: ServiceOptions = {}) {
  const realClock = createManualClock();
  const log = createSharedMemoryLog(memory);
  const my = await aMock({ realClock, log, ...options });
  return { ...my, memory, realClock };
}

/** Returns the requests in the log, grouped by the entry that added them. */
function written(memory: ReturnType<typeof createSharedMemory>): RequestRow[][] {
  return memory.entries
    .map(({ changes }) =>
      changes.flatMap(([table, , row]) => (table === 'requests' && row ? [row as RequestRow] : [])),
    )
    .filter((rows) => rows.length > 0);
}

const numbers = (items: readonly { id: number }[]): number[] => items.map(({ id }) => id);

describe('the request log, as it is stored,', () => {
  it('survives a restart, together with observations', async () => {
    const memory = createSharedMemory();
    const before = await aMock({ log: createSharedMemoryLog(memory) });
    const { sessionId } = await before.create();
    await before.call('POST', '/observations', { kind: 'access_granted', sessionId });
    // This request changes no other table.
    await before.api('create', 'sk_unknown', {});
    const requests = await before.control.requests();
    const observations = await before.control.observations();
    await before.create();
    await before.service.close();

    const after = await aMock({ log: createSharedMemoryLog(memory) });
    expect(await after.control.requests()).toEqual([
      expect.objectContaining({ id: 3, operation: 'create', status: 201 }),
      ...requests,
    ]);
    expect(await after.control.observations()).toEqual(observations);
    await after.create();
    expect((await after.control.requests({ limit: 1 }))[0]).toMatchObject({ id: 4 });
  });

  it('writes the first request at once, and later ones in batches', async () => {
    const { memory, realClock, api } = await aProcess();
    await api('create', 'sk_1', {});
    await realClock.pass(0);
    expect(written(memory).map(({ length }) => length)).toEqual([1]);
    for (let n = 0; n < 20; n += 1) {
      await api('create', 'sk_2', {});
      await realClock.pass(10);
    }
    expect(written(memory).map(({ length }) => length)).toEqual([1]);
    await realClock.pass(QUARTER_MS);
    await api('create', 'sk_3', {});
    await realClock.pass(0);
    expect(written(memory).map(({ length }) => length)).toEqual([1, 20]);
    await realClock.pass(QUARTER_MS);
    expect(written(memory).map(({ length }) => length)).toEqual([1, 20, 1]);
    // A service without requests writes nothing.
    await realClock.pass(60_000);
    expect(written(memory)).toHaveLength(3);
  });

  it('writes only the last 500 requests of a burst, and then at most 200 a second', async () => {
    const { memory, realClock, api, call, publishableKey } = await aProcess();
    for (let n = 0; n < 2_000; n += 1) await api('create', publishableKey, {});
    await realClock.pass(QUARTER_MS);
    expect(written(memory).map((rows) => [rows.length, rows[0]?.no, rows.at(-1)?.no])).toEqual([
      [500, 1_501, 2_000],
    ]);
    await api('create', publishableKey, {});
    await realClock.pass(2_200);
    expect(written(memory)).toHaveLength(1);
    await realClock.pass(QUARTER_MS);
    expect(
      written(memory)
        .map((rows) => rows.map(({ no }) => no))
        .at(-1),
    ).toEqual([2_001]);
    expect((await call('GET', '/doctor')).body.seen).toMatchObject({ forgottenRequests: 1_501 });
  });

  it('still writes on time if the computer’s clock is set back', async () => {
    let backMs = 0;
    const realClock = createManualClock();
    const memory = createSharedMemory();
    const { api } = await aProcess(memory, {
      realClock: {
        now: () => realClock.now() - backMs,
        wakeAt: (atMs, wake) => realClock.wakeAt(atMs + backMs, wake),
      },
    });
    await api('create', 'sk_1', {});
    await realClock.pass(0);
    backMs = 3_600_000;
    await api('create', 'sk_1', {});
    await realClock.pass(QUARTER_MS);
    expect(written(memory)).toHaveLength(2);
  });

  it('continues after a failed write, and reports the error', async () => {
    const errors: unknown[] = [];
    let isFull = false;
    const memory = createSharedMemory();
    const inner = createSharedMemoryLog(memory);
    const log: Log = {
      isShared: true,
      async commit(batch) {
        await inner.commit({
          ...batch,
          apply: (entry) => batch.apply(entry),
          snapshot: () => batch.snapshot(),
          run() {
            const entry = batch.run();
            if (entry && isFull) throw new Error('The disk is full');
            return entry;
          },
        });
      },
      close: () => inner.close(),
    };
    const my = await aProcess(memory, { log, onError: (error) => errors.push(error) });
    await my.api('create', 'sk_1', {});
    await my.control.requests();
    isFull = true;
    await my.api('create', 'sk_2', {});
    expect(numbers(await my.control.requests())).toEqual([1]);
    expect(errors).toEqual([new Error('The disk is full')]);
    isFull = false;
    await my.api('create', 'sk_3', {});
    expect(numbers(await my.control.requests())).toEqual([2, 1]);
  });

  it('deletes requests together with their sessions, and not earlier', async () => {
    const my = await aProcess();
    const DAY = 86_400_000;
    const { sessionId } = await my.create();
    await my.call('POST', '/observations', { kind: 'access_granted', sessionId });
    await my.api('create', 'sk_unknown', {});
    await my.clock.advance(6 * DAY);
    expect(await my.control.requests()).toHaveLength(2);
    await my.clock.advance(2 * DAY);
    expect(numbers(await my.control.requests())).toEqual([2]);
    expect(await my.control.observations()).toEqual([]);
    await settle();
  });
});
