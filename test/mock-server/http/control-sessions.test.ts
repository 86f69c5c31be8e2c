import { SCENARIOS } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { LOOPBACK, call, createSession, service, useService } from './control-calls.ts';

useService();

describe('the control API', () => {
  it('filters sessions and events, and lists sessions newest first', async () => {
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

  it('shows a session with the scenario that its externalUserId names', async () => {
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
    'does not change a session that has ended with $name',
    async ({ name, outcome }) => {
      const { secretKey } = await service.ready;
      const id = await createSession(secretKey);
      await call('POST', `/sessions/${id}/outcome`, { outcome: name });
      const { body: before } = await call('GET', `/sessions/${id}`);
      for (const other of SCENARIOS) {
        const again = await call('POST', `/sessions/${id}/outcome`, { outcome: other.name });
        expect(again.status, other.name).toBe(409);
        expect(again.body.message).toBe(
          `The session is no longer pending: its status is ${outcome}`,
        );
      }
      expect((await call('GET', `/sessions/${id}`)).body).toEqual(before);
    },
  );

  it('shows the body of an event that no endpoint receives', async () => {
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

  it('settles a session with every scenario of the catalogue', async () => {
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

describe('a triggered event', () => {
  const trigger = (body: object) => call('POST', '/events/trigger', body);

  it('belongs to a session of the first active key pair', async () => {
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
      body: { message: 'The account has no active key pair' },
    });
  });

  it('belongs to a session with face match if its outcome needs it, even if the account has it off', async () => {
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
  ])('is rejected with %i: %s', async (status, message, body) => {
    const { tenantId } = await service.ready;
    await service.control.updateTenant(tenantId, {
      billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' },
    });
    expect(await trigger(body)).toMatchObject({ status, body: { message } });
    const { paths } = (await call('GET', `${LOOPBACK}/openapi.json`)).body;
    expect(paths['/control/v1/events/trigger'].post.responses).toHaveProperty(String(status));
  });
});
