import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, ORIGIN, type Mock } from '../../support/a-mock.ts';

const returnUrl = 'http://localhost/';
let my: Mock;
beforeEach(async () => {
  my = await aMock();
});

const list = async (query = '') => (await my.call('GET', `/requests${query}`)).body;

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

  it('contains rejected requests and requests to unknown paths', async () => {
    await my.api('create', 'short', { nonsense: 1 });
    await my.service.fetch(new Request(`${ORIGIN}/api/v1/sessions/create`));
    await my.service.fetch(new Request(`${ORIGIN}/api/v1/sessions/extend`));
    const { items } = await list();
    expect(items.map(({ method, status }: Record<string, unknown>) => [method, status])).toEqual([
      ['GET', 404],
      ['GET', 405],
      ['POST', 401],
    ]);
    // A short key is hidden completely.
    expect(items[2].credential).toBe('…');
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

  it('shows the response headers of rejected requests', async () => {
    await my.service.fetch(new Request(`${ORIGIN}/api/v1/sessions/create`));
    expect((await list()).items[0]).toMatchObject({
      requestHeaders: {},
      responseHeaders: { allow: 'POST', 'x-ratelimit-limit': '300' },
    });
    await my.control.addFault({ operation: 'create', fault: '429' });
    await my.create();
    expect((await list()).items[0].responseHeaders).toMatchObject({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-retry-after': '60',
    });
  });

  it('names the injected fault', async () => {
    await my.control.addFault({ operation: 'create', fault: 'malformed' });
    await my.create();
    expect((await list()).items[0]).toMatchObject({
      status: 201,
      fault: 'malformed',
      responseBody: '{"sessionId":"',
    });
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

  it('shortens long bodies and keeps the last 500 requests', async () => {
    const { secretKey } = my;
    await my.control.updateTenant(my.tenantId, {
      rateLimits: { validate: 1_000 },
    });
    await my.create({ merchantName: 'x'.repeat(50_000) });
    expect((await list()).items[0].requestBody).toHaveLength(4_096);
    for (let n = 0; n < 500; n += 1) await my.api('validate', secretKey, {});
    const all = await my.control.requests({ limit: 1_000 });
    expect(all).toHaveLength(500);
    expect(all.at(-1)).toMatchObject({ id: 2, operation: 'validate' });
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
