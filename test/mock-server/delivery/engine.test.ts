import type { WebhookResult } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { ALL_EVENTS, answered, createScene, HOOK, JANUARY, kindsOf } from './scene.ts';

describe('an event', () => {
  it('is sent once, and its attempt is recorded with all fields', async () => {
    const { create, advance, control, sent } = await createScene(() => answered(200), ALL_EVENTS);
    const sessionId = await create();
    await advance(0);
    expect(kindsOf(sent)).toEqual(['session.started']);
    expect(await control.deliveries({ sessionId })).toEqual([
      {
        id: expect.any(String),
        eventId: expect.any(String),
        event: 'session.started',
        tenantId: expect.any(String),
        sessionId,
        endpointId: expect.any(String),
        url: HOOK,
        policy: 'inline',
        status: 'delivered',
        reason: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        nextAttemptAt: null,
        redeliveries: 0,
        deliveredAt: '2026-01-01T00:00:00.000Z',
        undeliveredAt: null,
        attempts: [
          {
            n: 1,
            startedAt: '2026-01-01T00:00:00.000Z',
            finishedAt: '2026-01-01T00:00:00.000Z',
            outcome: 'ok',
            httpStatus: 200,
            error: null,
            retryAfterMs: null,
            durationMs: expect.any(Number),
            hops: 0,
            bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            signature: sent[0]?.headers['x-ofage-signature'],
            fault: null,
          },
        ],
      },
    ]);
  });

  const failed = (error: 'timeout' | 'dns'): WebhookResult => ({
    kind: 'failure',
    error,
    address: null,
    hops: 1,
  });
  it.each<[WebhookResult, object]>([
    [answered(500), { outcome: 'fail', httpStatus: 500 }],
    [answered(404), { outcome: 'reject', httpStatus: 404 }],
    [answered(429, '120'), { outcome: 'fail', retryAfterMs: 120_000 }],
    [answered(503, 'soon'), { outcome: 'fail', retryAfterMs: null }],
    [answered(408), { outcome: 'fail' }],
    [answered(304), { outcome: 'fail' }],
    [failed('timeout'), { outcome: 'fail', httpStatus: null, error: 'timeout', hops: 1 }],
    [failed('dns'), { outcome: 'fail', error: 'dns' }],
    [
      { kind: 'refused', error: 'destination_not_public', address: null, hops: 0 },
      { outcome: 'reject', error: 'destination_not_public' },
    ],
  ])('stays pending after %j, and its attempt is recorded', async (result, attempt) => {
    const { complete, advance, control, tenantId } = await createScene(() => result);
    const sessionId = await complete();
    await advance(0);
    expect(await control.deliveries({ sessionId })).toMatchObject([
      { status: 'pending', reason: null, undeliveredAt: null, attempts: [{ n: 1, ...attempt }] },
    ]);
    expect(await control.endpoints(tenantId)).toMatchObject([
      { health: { consecutiveFailures: 1, pending: 1, undelivered: 0, lastSuccessAt: null } },
    ]);
  });

  it('is sent to the endpoints that are subscribed to its kind and key pair', async () => {
    const { service, create, advance, control, sent, tenantId } = await createScene(
      () => answered(200),
      { endpoints: [] },
    );
    const pair = await control.createKeyPair(tenantId);
    const add = (path: string, more: object) =>
      control.createEndpoint(tenantId, { url: HOOK + path, ...more });
    await add('/all', {});
    await add('/ends', { events: ['verification.completed'] });
    await add('/pair', { pairId: pair.pairId });
    await add('/off', { enabled: false });
    const { id: otherTenant } = await control.createTenant();
    await control.createEndpoint(otherTenant, { url: `${HOOK}/other` });

    await service.control.settle(await create(), 'verified');
    await advance(0);
    expect(sent.map(({ url }) => url.slice(HOOK.length)).sort()).toEqual(['/all', '/all', '/ends']);

    sent.length = 0;
    await create(pair.secret.value);
    await advance(0);
    expect(sent.map(({ url }) => url.slice(HOOK.length)).sort()).toEqual(['/all', '/pair']);
  });

  it('is signed with the current secret, and not signed if there is none', async () => {
    const { create, advance, control, sent, tenantId } = await createScene(
      () => answered(200),
      ALL_EVENTS,
    );
    const [endpoint] = await control.endpoints(tenantId);
    await create();
    await advance(0);
    await control.updateEndpoint(endpoint?.id ?? '', { secret: 'second secret' });
    await create();
    await advance(0);
    await control.updateEndpoint(endpoint?.id ?? '', { secret: null });
    await create();
    await advance(0);
    const signatures = sent.map(({ headers }) => headers['x-ofage-signature']);
    expect(signatures).toEqual([
      expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      undefined,
    ]);
    expect(signatures[0]).not.toBe(signatures[1]);
  });

  it('does not delay the session, which is settled at once', async () => {
    let release = (_result: WebhookResult): void => {};
    const held = new Promise<WebhookResult>((resolve) => (release = resolve));
    const { create, control } = await createScene(() => held, ALL_EVENTS);
    const session = await control.settle(await create(), 'verified');
    expect(session.status).toBe('verified');
    release(answered(200));
  });
});

describe('when the endpoint of a queued event', () => {
  it('gets a new URL, the event is still sent to the old one', async () => {
    const { create, advance, control, sent, tenantId } = await createScene(
      () => answered(200),
      ALL_EVENTS,
    );
    const [endpoint] = await control.endpoints(tenantId);
    await create();
    await control.updateEndpoint(endpoint?.id ?? '', { url: 'https://elsewhere.example/' });
    await advance(0);
    expect(sent.map(({ url }) => url)).toEqual([HOOK]);
    // The endpoint has accepted a request, although at a different URL.
    expect(await control.endpoints(tenantId)).toMatchObject([
      { health: { lastSuccessAt: new Date(JANUARY).toISOString() } },
    ]);
  });

  it('is disabled, the event is recorded as not delivered, and not sent', async () => {
    const { create, advance, control, sent, tenantId } = await createScene(
      () => answered(200),
      ALL_EVENTS,
    );
    const [endpoint] = await control.endpoints(tenantId);
    const sessionId = await create();
    await control.updateEndpoint(endpoint?.id ?? '', { enabled: false });
    await advance(0);
    expect(sent).toEqual([]);
    expect(await control.deliveries({ sessionId })).toMatchObject([
      { status: 'undelivered', reason: 'disabled', attempts: [] },
    ]);
  });

  it('is deleted, the delivery is cancelled, and nothing is sent', async () => {
    const { create, advance, control, sent, tenantId } = await createScene(
      () => answered(200),
      ALL_EVENTS,
    );
    const [endpoint] = await control.endpoints(tenantId);
    const sessionId = await create();
    await control.deleteEndpoint(endpoint?.id ?? '');
    await advance(0);
    expect(sent).toEqual([]);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ status: 'cancelled' }]);
  });
});
