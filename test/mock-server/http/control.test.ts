import { createMockService, SCENARIOS } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LOOPBACK = 'http://127.0.0.1:4010';
let service = createMockService();
beforeEach(() => {
  service = createMockService({ clock: { now: Date.UTC(2026, 0, 1), frozen: true } });
});
afterEach(() => service.close());

async function call(method: string, path: string, body?: unknown, headers: object = {}) {
  const response = await service.fetch(
    new Request(path.startsWith('http') ? path : `${LOOPBACK}/control/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

describe('who may reach the control surface', () => {
  it.each<[string, object, number, string]>([
    ['http://127.0.0.1:4010', {}, 200, 'a program on this computer'],
    ['http://localhost:4010', {}, 200, 'by name'],
    ['http://[::1]:4010', {}, 200, 'over IPv6'],
    ['https://api.ofage.example', {}, 200, 'a page under MSW, where that is the service'],
    ['http://localhost:4010', { origin: 'http://localhost:5173' }, 200, 'a page of this computer'],
    ['http://localhost:4010', { host: 'localhost:4010' }, 200, 'with a Host that agrees'],
    ['http://rebound.evil.example:4010', {}, 403, 'a name that was made to lead here'],
    ['http://localhost:4010', { host: 'rebound.evil.example' }, 403, 'a Host that disagrees'],
    ['http://localhost:4010', { origin: 'https://evil.example' }, 403, 'a page elsewhere'],
    ['http://localhost:4010', { origin: 'null' }, 403, 'a page that hides where it is'],
    ['http://localhost.evil.example', {}, 403, 'a name that looks like ours'],
  ])('%s with %j: %i, %s', async (origin, headers, status) => {
    const answer = await call('GET', `${origin}/control/v1/state`, undefined, headers);
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.body.message).toBe('The control surface answers this computer only');
      // Readable, it would tell every page on the web that a mock runs here.
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('timing-allow-origin')).toBeNull();
    }
  });
});

describe('the clock', () => {
  const JANUARY = '2026-01-01T00:00:00.000Z';

  it('is frozen, moved and read', async () => {
    expect((await call('GET', '/clock')).body).toEqual({
      now: JANUARY,
      frozen: true,
      nextDue: null,
    });
    expect((await call('POST', '/clock/advance', { ms: 1500 })).body.now).toBe(
      '2026-01-01T00:00:01.500Z',
    );
    expect((await call('POST', '/clock/set', { now: '2026-02-01T00:00:00Z' })).body.now).toBe(
      '2026-02-01T00:00:00.000Z',
    );
    expect((await call('POST', '/clock/resume')).body.frozen).toBe(false);
    expect((await call('POST', '/clock/freeze')).body.frozen).toBe(true);
  });

  it('goes to the next thing due: the end of a session', async () => {
    const { secretKey } = await service.ready;
    await createSession(secretKey);
    expect((await call('GET', '/clock')).body.nextDue).toBe('2026-01-01T00:10:00.000Z');
    expect((await call('POST', '/clock/next')).body.now).toBe('2026-01-01T00:10:00.000Z');
    expect((await call('GET', '/sessions')).body.items[0].status).toBe('expired');
  });

  it('waits for nothing once a session has ended', async () => {
    const { secretKey } = await service.ready;
    const id = await createSession(secretKey);
    await call('POST', `/sessions/${id}/outcome`, { outcome: 'verified' });
    expect((await call('GET', '/clock')).body.nextDue).toBeNull();
  });

  it.each([
    ['/clock/advance', { ms: -1 }, ['ms must not be less than 0']],
    ['/clock/advance', { ms: 0.5 }, ['ms must be an integer number']],
    ['/clock/advance', {}, ['ms must be an integer number']],
    ['/clock/advance', { ms: 1e300 }, ['ms must not be greater than 253402300799999']],
    ...[
      'soon',
      '2099-02-30T00:00:00Z',
      '2099-02-29',
      '2099-04-31T00:00:00+02:00',
      '2099-01-01T24:00:00Z',
      '2099-01-01T00:00:00',
      'Feb 1 2099',
    ].map((now): [string, object, string[]] => [
      '/clock/set',
      { now },
      [
        `now must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z, got "${now}"`,
      ],
    ]),
    [
      '/clock/set',
      {},
      ['now must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z'],
    ],
    [
      '/clock/set',
      { now: '2025-12-31T00:00:00Z' },
      'Time only moves forward: it is 2026-01-01T00:00:00.000Z, got 2025-12-31T00:00:00.000Z',
    ],
  ])('%s refuses %j', async (path, body, message) => {
    const answer = await call('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { message, path: `/control/v1${path}` } });
  });
});

describe('accounts and keys', () => {
  it('are created, changed and listed', async () => {
    const { body: tenant } = await call('POST', '/tenants', {
      name: 'Wine',
      policy: { challengeAge: 30 },
      allowedDomains: ['*.wine.example'],
    });
    expect(tenant).toEqual({
      id: expect.any(String),
      name: 'Wine',
      createdAt: '2026-01-01T00:00:00.000Z',
      policy: { verificationMode: 'L1', challengeAge: 30, faceMatchEnabled: true },
      allowedDomains: ['*.wine.example'],
      sandboxMode: true,
      billingBlock: null,
      rateLimits: { create: 300, validate: 100 },
      members: [{ email: 'owner@shop.example', role: 'owner' }],
      timeoutAttempts: 3,
    });
    const changed = await call('PATCH', `/tenants/${tenant.id}`, {
      policy: { verificationMode: 'L2' },
      rateLimits: { create: 1000 },
    });
    expect(changed.body).toEqual({
      ...tenant,
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: true },
      rateLimits: { create: 1000, validate: 100 },
    });
    expect((await call('GET', '/tenants')).body.items).toHaveLength(2);

    const { body: pair } = await call('POST', `/tenants/${tenant.id}/key-pairs`);
    expect(pair.publishable).toMatchObject({
      pairId: pair.pairId,
      kind: 'publishable',
      status: 'active',
    });
    expect(pair.secret).toMatchObject({ pairId: pair.pairId, kind: 'secret', tenantId: tenant.id });
    expect((await call('GET', `/tenants/${tenant.id}/key-pairs`)).body.items).toEqual([pair]);

    const paused = await call('PATCH', `/keys/${pair.secret.id}`, { status: 'paused' });
    expect(paused.body.status).toBe('paused');
    expect((await call('DELETE', `/keys/${pair.secret.id}`)).body.status).toBe('revoked');
    const revived = await call('PATCH', `/keys/${pair.secret.id}`, { status: 'active' });
    expect(revived).toMatchObject({ status: 409, body: { error: 'Conflict' } });
  });

  it.each([
    [{ policy: { challengeAge: 10 } }, ['policy.challengeAge must not be less than 25']],
    [{ policy: { minAge: 10 } }, ['property policy.minAge should not exist']],
    [{ policy: 5 }, ['policy must be an object']],
    [
      { allowedDomains: ['https://shop.example'] },
      ['each value in allowedDomains must be a host such as shop.example, or *.shop.example'],
    ],
    [{ allowedDomains: 'shop.example' }, ['allowedDomains must be an array']],
    [{ rateLimits: { create: 0 } }, ['rateLimits.create must not be less than 1']],
    [
      { billingBlock: { code: 'NO' } },
      [
        'billingBlock.code must be one of the following values: SUBSCRIPTION_REQUIRED, PLAN_LIMIT_REACHED, SANDBOX_LIMIT_REACHED',
        'billingBlock.message should not be empty',
      ],
    ],
    [{ secret: 'x', name: 1 }, ['property secret should not exist', 'name must be a string']],
  ])('refuses %j', async (body, message) => {
    expect(await call('POST', '/tenants', body)).toMatchObject({ status: 400, body: { message } });
  });
});

describe('webhook endpoints', () => {
  const url = 'https://shop.example/webhooks';

  async function createEndpoint(body: object = { url }) {
    const { tenantId } = await service.ready;
    return call('POST', `/tenants/${tenantId}/webhook-endpoints`, body);
  }

  it('show their secret once', async () => {
    const { status, body } = await createEndpoint();
    expect(status).toBe(201);
    const { secret, ...endpoint } = body;
    expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);
    expect(endpoint).toEqual({
      id: expect.any(String),
      tenantId: (await service.ready).tenantId,
      url,
      events: [
        'session.started',
        'verification.completed',
        'verification.failed',
        'verification.cancelled',
        'session.timeout',
      ],
      pairId: null,
      enabled: true,
      hasSecret: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      health: {
        state: 'healthy',
        consecutiveFailures: 0,
        failingSince: null,
        lastFailureAt: null,
        lastSuccessAt: null,
        pausedAt: null,
        pauseReason: null,
        notice: null,
        undelivered: 0,
        pending: 0,
        nextAttemptAt: null,
      },
      productionRefusal: null,
    });
    expect((await call('GET', `/webhook-endpoints/${endpoint.id}`)).body).toEqual(endpoint);
    const unsigned = await createEndpoint({ url, secret: null });
    expect(unsigned.body).toMatchObject({ secret: null, hasSecret: false });
  });

  it.each([
    [{ url: 'http://shop.example/' }, ['url must use https']],
    [{ url: `https://shop.example/${'ü'.repeat(400)}` }, [expect.stringContaining('at most 2048')]],
    [{ url: 'https://127.0.0.1/' }, ['url must lead to a public Internet address']],
    [{ url: 'https://169.254.169.254/' }, ['url must lead to a public Internet address']],
    [{}, ['url should not be empty', 'url must be a string']],
    [{ url, events: [] }, ['events should not be empty']],
    [
      { url, events: Array(21).fill('session.started') },
      ['events must contain no more than 20 elements'],
    ],
    [{ url, secret: '' }, ['secret should not be empty']],
    [{ url, pairId: 'unknown' }, ['pairId must be a key pair of this account']],
  ])('refuse %j', async (body, message) => {
    expect(await createEndpoint(body)).toMatchObject({ status: 400, body: { message } });
  });

  it('are at most 20', async () => {
    for (let n = 0; n < 20; n += 1) expect((await createEndpoint()).status).toBe(201);
    const answer = await createEndpoint();
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe('An account has at most 20 webhook endpoints');
  });

  it('are changed, disabled and deleted', async () => {
    const { body: endpoint } = await createEndpoint();
    const path = `/webhook-endpoints/${endpoint.id}`;
    const changed = await call('PATCH', path, { enabled: false, events: ['session.timeout'] });
    expect(changed.body).toMatchObject({ enabled: false, events: ['session.timeout'] });
    const moved = await call('PATCH', path, { url: 'https://10.0.0.1/' });
    expect(moved.status).toBe(400);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });
});

describe('sessions, events and deliveries', () => {
  it('are listed with filters, sessions newest first', async () => {
    const { secretKey, tenantId } = await service.ready;
    const first = await createSession(secretKey, { externalUserId: 'anna' });
    const second = await createSession(secretKey);
    await call('POST', `/sessions/${second}/outcome`, { outcome: 'verified' });

    const ids = async (query: string) =>
      (await call('GET', `/sessions?${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('limit=1')).toEqual([second]);
    expect(await ids('status=verified')).toEqual([second]);
    expect(await ids('externalUserId=anna')).toEqual([first]);
    expect(await ids(`tenantId=${tenantId}`)).toEqual([second, first]);
    expect(await ids('tenantId=other')).toEqual([]);
    expect((await call('GET', '/sessions?limit=0')).status).toBe(400);

    const { body } = await call('GET', `/events?sessionId=${second}`);
    expect(body.items.map(({ event }: { event: string }) => event)).toEqual([
      'session.started',
      'verification.completed',
    ]);
    expect((await call('GET', '/deliveries')).body).toEqual({ items: [], next: null });
  });

  it('show a session with the scenario that its user id asks for', async () => {
    const { secretKey } = await service.ready;
    const id = await createSession(secretKey, { externalUserId: 'ofage_test:cancelled' });
    expect((await call('GET', `/sessions/${id}`)).body).toEqual({
      id,
      tenantId: expect.any(String),
      pairId: expect.any(String),
      status: 'pending',
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-01T00:10:00.000Z',
      settledAt: null,
      validatedAt: null,
      reason: null,
      returnUrl: 'http://localhost/',
      cancelUrl: null,
      merchantName: null,
      externalUserId: 'ofage_test:cancelled',
      verificationMode: 'L1',
      challengeAge: 25,
      faceMatchEnabled: true,
      sandboxMode: true,
      billingBlock: null,
      retries: 0,
      needsRetry: false,
      activeDevice: 'first',
      openDevices: [],
      presetOutcome: 'cancelled',
    });
  });

  it.each(SCENARIOS.filter(({ outcome }) => outcome !== 'pending'))(
    'stay as they are once they ended by $name',
    async ({ name, outcome }) => {
      const { secretKey } = await service.ready;
      const id = await createSession(secretKey);
      await call('POST', `/sessions/${id}/outcome`, { outcome: name });
      const { body: before } = await call('GET', `/sessions/${id}`);
      for (const other of SCENARIOS) {
        const again = await call('POST', `/sessions/${id}/outcome`, { outcome: other.name });
        expect(again.status, other.name).toBe(409);
        expect(again.body.message).toBe(`The session is no longer pending: it is ${outcome}`);
      }
      expect((await call('GET', `/sessions/${id}`)).body).toEqual(before);
    },
  );

  it('show the body of an event that no endpoint wants', async () => {
    const { secretKey, tenantId } = await service.ready;
    const sessionId = await createSession(secretKey, { externalUserId: 'anna' });
    const { body } = await call('GET', `/events?sessionId=${sessionId}`);
    expect(body.items.map((event: { body: string }) => JSON.parse(event.body))).toEqual([
      {
        event: 'session.started',
        timestamp: '2026-01-01T00:00:00.000Z',
        tenantId,
        test: false,
        data: {
          sessionId,
          verificationMode: 'L1',
          challengeAge: 25,
          timestamp: '2026-01-01T00:00:00.000Z',
          externalUserId: 'anna',
        },
      },
    ]);
  });

  it('settle by every scenario of the catalogue', async () => {
    const { secretKey } = await service.ready;
    const { body } = await call('GET', '/scenarios');
    expect(body.items).toEqual(SCENARIOS);
    for (const { name, outcome, reason } of SCENARIOS) {
      const id = await createSession(secretKey);
      const settled = await call('POST', `/sessions/${id}/outcome`, { outcome: name });
      expect(settled.body, name).toMatchObject({ status: outcome, reason });
    }
  });
});

describe('an event that is made to happen', () => {
  const trigger = (body: object) => call('POST', '/events/trigger', body);

  it('is one of a session of the first pair that is active', async () => {
    const { tenantId } = await service.ready;
    const { control } = service;
    const [first] = await control.keyPairs(tenantId);
    const second = await control.createKeyPair(tenantId);
    await control.setKeyStatus(first?.publishable.id ?? '', 'revoked');
    const { status, body } = await trigger({ name: 'verification.completed' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'verified', pairId: second.pairId });

    await control.setKeyStatus(second.secret.id, 'paused');
    expect(await trigger({ name: 'verified' })).toMatchObject({
      status: 409,
      body: { message: 'The account has no key pair that is active' },
    });
  });

  it('matches faces when it takes that, whatever the account does otherwise', async () => {
    const { tenantId } = await service.ready;
    await service.control.updateTenant(tenantId, { policy: { faceMatchEnabled: false } });
    expect((await trigger({ name: 'failed_face_mismatch' })).body).toMatchObject({
      reason: 'face_mismatch',
      faceMatchEnabled: true,
    });
    expect((await trigger({ name: 'verified' })).body.faceMatchEnabled).toBe(false);
  });

  it.each<[number, string, object]>([
    [404, 'Tenant not found', { name: 'verified', tenantId: 'nobody' }],
    [409, 'Verification cannot start: the account is blocked', { name: 'verified' }],
  ])('is refused with %i: %s', async (status, message, body) => {
    const { tenantId } = await service.ready;
    await service.control.updateTenant(tenantId, {
      billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' },
    });
    expect(await trigger(body)).toMatchObject({ status, body: { message } });
    const { paths } = (await call('GET', `${LOOPBACK}/openapi.json`)).body;
    expect(paths['/control/v1/events/trigger'].post.responses).toHaveProperty(String(status));
  });
});

describe('state and reset', () => {
  it('forgets everything but the account, its keys and where the clock began', async () => {
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

describe('paths and methods', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/tenants/unknown', 404],
    ['PATCH', '/keys/unknown', 404],
    ['POST', '/sessions/unknown/outcome', 404],
    ['DELETE', '/state', 405],
    ['GET', '/clock/advance', 405],
  ])('%s %s: %i, in the envelope', async (method, path, statusCode) => {
    const body = { status: 'active', outcome: 'verified' };
    const sent = path.startsWith('/keys') ? { status: body.status } : { outcome: body.outcome };
    const answer = await call(method, path, method === 'GET' ? undefined : sent);
    expect(answer.status).toBe(statusCode);
    expect(answer.body).toMatchObject({ statusCode, path: `/control/v1${path}` });
  });

  it('refuse a form, which any page could send', async () => {
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

describe('faults of ours', () => {
  it.each([
    [new RangeError('Invalid time value'), 'as the platform throws them for a value out of range'],
    [new TypeError('fetch failed'), 'as it throws them for a wrong type'],
  ])('%s is a 500 that does not tell the sentence: %s', async (fault) => {
    const errors: unknown[] = [];
    let isBroken = false;
    const broken = createMockService({
      log: {
        async commit(turn) {
          const isNow = isBroken;
          isBroken = false;
          if (isNow) throw fault;
          turn.run();
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

const JSON_BODY = { 'content-type': 'application/json' };

async function createSession(key: string, body: object = {}): Promise<string> {
  const answer = await call(
    'POST',
    `${LOOPBACK}/api/v1/sessions/create`,
    { returnUrl: 'http://localhost/', ...body },
    { authorization: `Bearer ${key}` },
  );
  expect(answer.status).toBe(201);
  return answer.body.sessionId as string;
}
