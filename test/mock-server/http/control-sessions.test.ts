import { SCENARIOS } from 'ofage/mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, type Mock } from '../../support/a-mock.ts';

let my: Mock;
beforeEach(async () => {
  my = await aMock();
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
      const id = (await my.create()).sessionId;
      await my.call('POST', `/sessions/${id}/outcome`, { outcome: name });
      const { body: before } = await my.call('GET', `/sessions/${id}`);
      for (const other of SCENARIOS) {
        const again = await my.call('POST', `/sessions/${id}/outcome`, { outcome: other.name });
        expect(again.status, other.name).toBe(409);
        expect(again.body.message).toBe(
          `The session is no longer pending: its status is ${outcome}`,
        );
      }
      expect((await my.call('GET', `/sessions/${id}`)).body).toEqual(before);
    },
  );

  it('shows the body of an event that no endpoint receives', async () => {
    const { tenantId } = my;
    const sessionId = (await my.create({ externalUserId: 'anna' })).sessionId;
    const { body } = await my.call('GET', `/events?sessionId=${sessionId}`);
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
    const { body } = await my.call('GET', '/scenarios');
    expect(body.items).toEqual(SCENARIOS);
    for (const { name, outcome, reason } of SCENARIOS) {
      const id = (await my.create()).sessionId;
      const settled = await my.call('POST', `/sessions/${id}/outcome`, { outcome: name });
      expect(settled.body, name).toMatchObject({ status: outcome, reason });
    }
  });
});

describe('a triggered event', () => {
  const trigger = (body: object) => my.call('POST', '/events/trigger', body);

  it('belongs to a session of the first active key pair', async () => {
    const { tenantId } = my;
    const { control } = my;
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
