import { describe, expect, it } from 'vitest';
import { call, service, useService } from './control-calls.ts';

useService();

describe('webhook endpoints', () => {
  const url = 'https://shop.example/webhooks';

  async function createEndpoint(body: object = { url }) {
    const { tenantId } = await service.ready;
    return call('POST', `/tenants/${tenantId}/webhook-endpoints`, body);
  }

  it('show their secret only once', async () => {
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
        mayRedeliver: false,
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
    [{ url: 'https://127.0.0.1/' }, ['url must point to a public Internet address']],
    [{ url: 'https://169.254.169.254/' }, ['url must point to a public Internet address']],
    [{}, ['url should not be empty', 'url must be a string']],
    [{ url, events: [] }, ['events should not be empty']],
    [
      { url, events: Array(21).fill('session.started') },
      ['events must contain no more than 20 elements'],
    ],
    [{ url, secret: '' }, ['secret should not be empty']],
    [{ url, pairId: 'unknown' }, ['pairId must be the id of a key pair of this account']],
  ])('cannot be created with %j', async (body, message) => {
    expect(await createEndpoint(body)).toMatchObject({ status: 400, body: { message } });
  });

  it('are limited to 20', async () => {
    for (let n = 0; n < 20; n += 1) expect((await createEndpoint()).status).toBe(201);
    const answer = await createEndpoint();
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe('An account can have at most 20 webhook endpoints');
  });

  it('can be changed, disabled and deleted', async () => {
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
