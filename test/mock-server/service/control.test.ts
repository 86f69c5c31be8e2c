import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, type Mock } from '../../support/a-mock.ts';

let my: Mock;
beforeEach(async () => {
  my = await aMock();
});

describe('a reset', () => {
  it('clears everything except the account and its keys, and sets the clock back to its start', async () => {
    const before = await my.service.ready;
    await my.create();
    await my.call('POST', '/tenants', {});
    await my.call('POST', '/clock/advance', { ms: 5000 });
    expect((await my.call('GET', '/state')).body).toMatchObject({
      now: '2026-01-01T00:00:05.000Z',
      counts: { sessions: 1, events: 1, deliveries: 0, attempts: 0 },
    });

    expect((await my.call('POST', '/reset')).body).toEqual(before);
    const { body } = await my.call('GET', '/state');
    expect(body).toMatchObject({ now: '2026-01-01T00:00:00.000Z', counts: { sessions: 0 } });
    expect(body.tenants.map(({ id }: { id: string }) => id)).toEqual([before.tenantId]);
    expect(body.clock.nextDue).toBeNull();
    expect(await my.create()).toHaveProperty('sessionId');
  });
});

describe('accounts and keys', () => {
  it('are created, changed and listed', async () => {
    const { body: tenant } = await my.call('POST', '/tenants', {
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
      hasLegacyWebhook: false,
    });
    const changed = await my.call('PATCH', `/tenants/${tenant.id}`, {
      policy: { verificationMode: 'L2' },
      rateLimits: { create: 1000 },
    });
    expect(changed.body).toEqual({
      ...tenant,
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: true },
      rateLimits: { create: 1000, validate: 100 },
    });
    expect((await my.call('GET', '/tenants')).body.items).toHaveLength(2);

    const { body: pair } = await my.call('POST', `/tenants/${tenant.id}/key-pairs`);
    expect(pair.publishable).toMatchObject({
      pairId: pair.pairId,
      kind: 'publishable',
      status: 'active',
    });
    expect(pair.secret).toMatchObject({ pairId: pair.pairId, kind: 'secret', tenantId: tenant.id });
    expect((await my.call('GET', `/tenants/${tenant.id}/key-pairs`)).body.items).toEqual([pair]);

    const paused = await my.call('PATCH', `/keys/${pair.secret.id}`, { status: 'paused' });
    expect(paused.body.status).toBe('paused');
    expect((await my.call('DELETE', `/keys/${pair.secret.id}`)).body.status).toBe('revoked');
    const revived = await my.call('PATCH', `/keys/${pair.secret.id}`, { status: 'active' });
    expect(revived).toMatchObject({ status: 409, body: { error: 'Conflict' } });
  });
});

describe('the clock', () => {
  it('moves to the next due job, which is the end of a session', async () => {
    await my.create();
    expect((await my.call('GET', '/clock')).body.nextDue).toBe('2026-01-01T00:10:00.000Z');
    expect((await my.call('POST', '/clock/next')).body.now).toBe('2026-01-01T00:10:00.000Z');
    expect((await my.call('GET', '/sessions')).body.items[0].status).toBe('expired');
  });
});

describe('webhook endpoints', () => {
  const url = 'https://shop.example/webhooks';

  async function createEndpoint(body: object = { url }) {
    const { tenantId } = my;
    return my.call('POST', `/tenants/${tenantId}/webhook-endpoints`, body);
  }

  it('show their secret only once', async () => {
    const { status, body } = await createEndpoint();
    expect(status).toBe(201);
    const { secret, ...endpoint } = body;
    expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);
    expect(endpoint).toEqual({
      id: expect.any(String),
      tenantId: my.tenantId,
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
      isLab: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      health: {
        state: 'new',
        consecutiveFailures: 0,
        failingSince: null,
        lastFailureAt: null,
        lastSuccessAt: null,
        pausedAt: null,
        pauseReason: null,
        notice: null,
        undelivered: 0,
        mayRedeliver: false,
        pending: 0,
        nextAttemptAt: null,
      },
      productionRefusal: null,
    });
    expect((await my.call('GET', `/webhook-endpoints/${endpoint.id}`)).body).toEqual(endpoint);
    const unsigned = await createEndpoint({ url, secret: null });
    expect(unsigned.body).toMatchObject({ secret: null, hasSecret: false });
  });

  it('get a new secret from rotate-secret, even without an earlier one, and show it only once', async () => {
    for (const first of [undefined, null]) {
      const { body: created } = await createEndpoint({ url, secret: first });
      const path = `/webhook-endpoints/${created.id}`;
      const { status, body } = await my.call('POST', `${path}/rotate-secret`);
      expect(status).toBe(200);
      const { secret, ...endpoint } = body;
      expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);
      expect(secret).not.toBe(created.secret);
      expect((await my.call('GET', path)).body).toEqual(endpoint);
      expect(endpoint).toMatchObject({ hasSecret: true });
    }
  });
});

describe('internal errors', () => {
  it.each([
    [new RangeError('Invalid time value'), 'an error of the platform for a value out of range'],
    [new TypeError('fetch failed'), 'an error of the platform for a wrong type'],
  ])('%s becomes a 500 that does not reveal the message (%s)', async (fault) => {
    const errors: unknown[] = [];
    let isBroken = false;
    const broken = await aMock({
      log: {
        isShared: false,
        async commit(batch) {
          const isNow = isBroken;
          isBroken = false;
          if (isNow) throw fault;
          batch.run();
        },
        close: async () => {},
      },
      onError: (error) => errors.push(error),
    });
    isBroken = true;
    expect(await broken.call('POST', '/tenants', {})).toMatchObject({
      status: 500,
      body: { message: 'Internal server error' },
    });
    expect(errors).toContain(fault);
    // The next request is not affected.
    expect(await broken.call('POST', '/tenants', {})).toMatchObject({ status: 201 });
  });
});

describe('the control API', () => {
  it('filters sessions and events, and lists sessions newest first', async () => {
    const { tenantId } = my;
    const first = (await my.create({ externalUserId: 'anna' })).sessionId;
    const second = (await my.create()).sessionId;
    await my.call('POST', `/sessions/${second}/outcome`, { outcome: 'verified' });

    const ids = async (query: string) =>
      (await my.call('GET', `/sessions?${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('limit=1')).toEqual([second]);
    expect(await ids('status=verified')).toEqual([second]);
    expect(await ids('externalUserId=anna')).toEqual([first]);
    expect(await ids(`tenantId=${tenantId}`)).toEqual([second, first]);
    expect(await ids('tenantId=other')).toEqual([]);

    const { body } = await my.call('GET', `/events?sessionId=${second}`);
    expect(body.items.map(({ event }: { event: string }) => event)).toEqual([
      'session.started',
      'verification.completed',
    ]);
    expect((await my.call('GET', '/deliveries')).body).toEqual({ items: [], next: null });
  });

  it('shows a session with the scenario that its externalUserId names', async () => {
    const id = (await my.create({ externalUserId: 'ofage_test:cancelled' })).sessionId;
    expect((await my.call('GET', `/sessions/${id}`)).body).toEqual({
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
      pageOrigin: null,
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
      steps: [],
    });
  });
});

describe('a triggered event', () => {
  const trigger = (body: object) => my.call('POST', '/events/trigger', body);

  it('belongs to a session with face match if its outcome needs it, even if the account has it off', async () => {
    const { tenantId } = my;
    await my.control.updateTenant(tenantId, { policy: { faceMatchEnabled: false } });
    expect((await trigger({ name: 'failed_face_mismatch' })).body).toMatchObject({
      reason: 'face_mismatch',
      faceMatchEnabled: true,
    });
    expect((await trigger({ name: 'verified' })).body.faceMatchEnabled).toBe(false);
  });

  it.each<[number, string, object]>([
    [404, 'Tenant not found', { name: 'verified', tenantId: 'nobody' }],
    [409, 'Verification cannot start: the account is blocked', { name: 'verified' }],
  ])('is rejected with %i: %s', async (status, message, body) => {
    const { tenantId } = my;
    await my.control.updateTenant(tenantId, {
      billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' },
    });
    expect(await trigger(body)).toMatchObject({ status, body: { message } });
    const { paths } = (await my.request('/openapi.json', { method: 'GET' })).body;
    expect(paths['/control/v1/events/trigger'].post.responses).toHaveProperty(String(status));
  });
});

it('the doctor does not examine a session of a different account', async () => {
  const { sessionId } = await my.create();
  const { id } = await my.control.createTenant();
  expect(await my.call('GET', `/doctor?sessionId=${sessionId}&tenantId=${id}`)).toMatchObject({
    status: 404,
    body: { message: 'Session not found' },
  });
});

describe('observations', () => {
  let sessionId: string;
  beforeEach(async () => {
    ({ sessionId } = await my.create());
  });
  const report = (body: object) => my.call('POST', '/observations', body);

  it('are stored, at the mock’s current time by default', async () => {
    const { tenantId } = my;
    const first = { kind: 'access_granted', sessionId };
    expect(await report(first)).toMatchObject({
      status: 201,
      body: { id: 1, at: '2026-01-01T00:00:00.000Z', ...first, tenantId, eventId: null, by: null },
    });
    const second = {
      kind: 'webhook_processed',
      sessionId,
      eventId: 'an event',
      by: 'mailer',
      at: '2026-01-01T01:00:01+01:00',
    };
    await report(second);
    const { body } = await my.call('GET', '/observations');
    expect(body.items).toEqual([
      expect.objectContaining({ id: 1 }),
      { ...second, id: 2, tenantId, at: '2026-01-01T00:00:01.000Z' },
    ]);
  });

  it('are kept until a reset, but only the last 500', async () => {
    const { control } = my;
    for (let n = 0; n < 501; n += 1)
      await control.addObservation({ kind: 'access_granted', sessionId });
    const kept = await control.observations();
    expect([kept.length, kept[0]!.id, kept.at(-1)!.id]).toEqual([500, 2, 501]);
    await control.reset();
    expect(await control.observations()).toEqual([]);
  });
});
