import { createMockService } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { JSON_BODY, LOOPBACK, call, createSession, service, useService } from './control-calls.ts';

useService();

describe('access to the control API', () => {
  it.each<[string, object, number, string]>([
    ['http://127.0.0.1:4010', {}, 200, 'a program on this computer'],
    ['http://localhost:4010', {}, 200, 'localhost by name'],
    ['http://[::1]:4010', {}, 200, 'over IPv6'],
    [
      'https://api.ofage.example',
      {},
      200,
      'a page under MSW, which intercepts requests to this origin',
    ],
    ['http://localhost:4010', { origin: 'http://localhost:5173' }, 200, 'a page of this computer'],
    ['http://localhost:4010', { host: 'localhost:4010' }, 200, 'a matching Host'],
    ['http://rebound.evil.example:4010', {}, 403, 'DNS rebinding'],
    ['http://localhost:4010', { host: 'rebound.evil.example' }, 403, 'a mismatched Host'],
    ['http://localhost:4010', { origin: 'https://evil.example' }, 403, 'a page on the Internet'],
    ['http://localhost:4010', { origin: 'null' }, 403, 'an opaque origin'],
    ['http://localhost.evil.example', {}, 403, 'a lookalike name'],
  ])('%s with %j returns %i: %s', async (origin, headers, status) => {
    const answer = await call('GET', `${origin}/control/v1/state`, undefined, headers);
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.body.message).toBe('The control API accepts requests from this computer only');
      // A readable response would reveal to every page that a mock runs here.
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('timing-allow-origin')).toBeNull();
    }
  });
});

describe('a reset', () => {
  it('clears everything except the account and its keys, and sets the clock back to its start', async () => {
    const before = await service.ready;
    await createSession(before.secretKey);
    await call('POST', '/tenants', {});
    await call('POST', '/clock/advance', { ms: 5000 });
    expect((await call('GET', '/state')).body).toMatchObject({
      now: '2026-01-01T00:00:05.000Z',
      counts: { sessions: 1, events: 1, deliveries: 0, attempts: 0 },
    });

    expect((await call('POST', '/reset')).body).toEqual(before);
    const { body } = await call('GET', '/state');
    expect(body).toMatchObject({ now: '2026-01-01T00:00:00.000Z', counts: { sessions: 0 } });
    expect(body.tenants.map(({ id }: { id: string }) => id)).toEqual([before.tenantId]);
    expect(body.clock.nextDue).toBeNull();
    await createSession(before.secretKey);
  });
});

describe('the control API, for an invalid request,', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/tenants/unknown', 404],
    ['PATCH', '/keys/unknown', 404],
    ['POST', '/sessions/unknown/outcome', 404],
    ['DELETE', '/state', 405],
    ['GET', '/clock/advance', 405],
  ])('%s %s, returns %i in the error envelope', async (method, path, statusCode) => {
    const body = { status: 'active', outcome: 'verified' };
    const sent = path.startsWith('/keys') ? { status: body.status } : { outcome: body.outcome };
    const answer = await call(method, path, method === 'GET' ? undefined : sent);
    expect(answer.status).toBe(statusCode);
    expect(answer.body).toMatchObject({ statusCode, path: `/control/v1${path}` });
  });

  it('rejects a form, because any page could send one', async () => {
    const response = await service.fetch(
      new Request(`${LOOPBACK}/control/v1/clock/advance`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: '{"ms":1}',
      }),
    );
    expect(response.status).toBe(415);
  });
});

describe('internal errors', () => {
  it.each([
    [new RangeError('Invalid time value'), 'an error of the platform for a value out of range'],
    [new TypeError('fetch failed'), 'an error of the platform for a wrong type'],
  ])('%s becomes a 500 that does not reveal the message (%s)', async (fault) => {
    const errors: unknown[] = [];
    let isBroken = false;
    const broken = createMockService({
      log: {
        async commit(batch) {
          const isNow = isBroken;
          isBroken = false;
          if (isNow) throw fault;
          batch.run();
        },
        close: async () => {},
      },
      pollMs: 0,
      onError: (error) => errors.push(error),
    });
    await broken.ready;
    isBroken = true;
    const response = await broken.fetch(
      new Request(`${LOOPBACK}/control/v1/tenants`, {
        method: 'POST',
        body: '{}',
        headers: JSON_BODY,
      }),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ message: 'Internal server error' });
    expect(errors).toContain(fault);
    await broken.close();
  });
});
