import { describe, expect, it } from 'vitest';
import {
  ALL_EVENTS,
  answered,
  createScene,
  DAY,
  HOOK,
  HOUR,
  JANUARY,
  kindsOf,
  MINUTE,
} from './scene.ts';

const toIso = (ms: number): string => new Date(JANUARY + ms).toISOString();

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
        waitsFor: null,
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
});

it('the queued event of an endpoint is cancelled as soon as the endpoint is deleted', async () => {
  const { complete, control, endpointId } = await createScene(() => answered(200));
  const sessionId = await complete();
  await control.deleteEndpoint(endpointId);
  expect(await control.deliveries({ sessionId })).toMatchObject([{ status: 'cancelled' }]);
});

it('the health of an endpoint shows the last success at any of its addresses', async () => {
  const { control, endpointId, complete, advance, health } = await createScene(() => answered(204));
  await complete();
  await advance(MINUTE);
  await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
  expect(await health()).toMatchObject({ state: 'new', lastSuccessAt: toIso(0) });
  await complete();
  await advance(MINUTE);
  expect(await health()).toMatchObject({ lastSuccessAt: toIso(MINUTE) });
});

describe('Retry-After', () => {
  it('is not shortened by the shorter one of a parallel request', async () => {
    const { complete, advance, sent } = await createScene((_url, n) =>
      answered(429, n === 1 ? '1800' : '10'),
    );
    await complete(2);
    await advance(1);
    expect(sent).toHaveLength(2);
    await complete();
    await advance(29 * MINUTE);
    expect(sent).toHaveLength(2);
    await advance(2 * MINUTE);
    expect(sent.length).toBeGreaterThan(2);
  });

  it('still applies when the endpoint returns to the address that sent it', async () => {
    const { control, endpointId, complete, advance, sent } = await createScene(() =>
      answered(503, '1800'),
    );
    await complete();
    await advance(1);
    await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
    await control.updateEndpoint(endpointId, { url: HOOK });
    await complete();
    await advance(29 * MINUTE);
    expect(sent).toHaveLength(1);
    await advance(2 * MINUTE);
    expect(sent.length).toBeGreaterThan(1);
  });
});

describe('a pause', () => {
  it('sends one e-mail to the owners and admins, and the next pause sends another', async () => {
    let status = 401;
    const scene = await createScene(() => answered(status));
    const { control, complete, advance, health, endpointId, tenantId } = scene;
    await control.updateTenant(tenantId, {
      members: [
        { email: 'owner@shop.example', role: 'owner' },
        { email: 'admin@shop.example', role: 'admin' },
        { email: 'dev@shop.example', role: 'developer' },
      ],
    });
    await complete();
    await advance(2 * HOUR);
    const paused = await health();
    expect(paused).toMatchObject({ pauseReason: 'rejecting', nextAttemptAt: null });
    expect(paused.notice).toContain('rejected every request for an hour');
    expect(await control.emails()).toMatchObject([
      {
        to: ['owner@shop.example', 'admin@shop.example'],
        subject: `OfAge paused your webhooks to ${HOOK}`,
        createdAt: paused.pausedAt,
      },
    ]);
    expect(await control.notices()).toMatchObject([{ endpointId, reason: 'rejecting' }]);

    status = 204;
    await control.resumeEndpoint(endpointId);
    status = 401;
    await complete();
    await advance(2 * HOUR);
    const ids = (await control.emails()).map(({ id }) => id);
    expect(ids).toEqual([`${endpointId}:1`, `${endpointId}:2`]);
  });

  it('comes after a day of failures, even if the only event has expired by then', async () => {
    const { complete, advance, health, control } = await createScene(() => answered(500));
    const sessionId = await complete();
    await advance(DAY);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ reason: 'expired' }]);
    await advance(MINUTE);
    expect((await health()).state).toBe('paused');
  });

  it('that ends while its long queue is still being cancelled sends no event of the queue', async () => {
    let status = 500;
    const { control, endpointId, complete, clock, health, sent, advance } = await createScene(() =>
      answered(status),
    );
    await complete();
    await advance(12 * HOUR);
    // The timer that pauses ends 2,000 deliveries at once, and the rest a millisecond later.
    await complete(2_500);
    while ((await health()).state !== 'paused') await clock.next();
    expect((await health()).pending).toBeGreaterThan(0);
    status = 204;
    expect(await control.resumeEndpoint(endpointId)).toMatchObject({ resumed: true });
    const before = sent.length;
    await advance(HOUR);
    expect(sent).toHaveLength(before);
    expect(await health()).toMatchObject({ pending: 0, undelivered: 2_501 });
  }, 60_000);
});

describe('ended sessions and their events', () => {
  it('are kept for seven days and then deleted, so that memory does not grow', async () => {
    const { control, advance, complete, clock } = await createScene(() => answered(204));
    const most = { sessions: 0, deliveries: 0 };
    for (let day = 0; day < 30; day += 1) {
      await complete(20);
      await advance(DAY);
      const { counts } = await control.state();
      most.sessions = Math.max(most.sessions, counts.sessions);
      most.deliveries = Math.max(most.deliveries, counts.deliveries);
    }
    expect(most).toEqual({ sessions: 140, deliveries: 140 });
    await advance(8 * DAY);
    expect((await control.state()).counts).toEqual({
      sessions: 0,
      events: 0,
      deliveries: 0,
      attempts: 0,
    });
    // Retention is not shown as a due job.
    expect((await clock.read()).nextDue).toBeNull();
  });

  it('are kept while an event is exactly seven days old, because it can be redelivered then', async () => {
    let status = 404;
    const { control, endpointId, advance, complete } = await createScene(() => answered(status));
    await complete();
    await advance(2 * HOUR);
    status = 204;
    await control.resumeEndpoint(endpointId);
    await advance(7 * DAY - 2 * HOUR);
    expect(await control.redeliver(endpointId)).toEqual({ queued: 1, remaining: 0 });
  });

  it('are kept while an event is redelivered', async () => {
    let status = 404;
    const scene = await createScene(() => answered(status));
    const { control, endpointId, advance, complete } = scene;
    const sessionId = await complete();
    await advance(2 * HOUR);
    await advance(7 * DAY - 3 * HOUR);
    status = 204;
    await control.resumeEndpoint(endpointId);
    await control.redeliver(endpointId);
    status = 500;
    await advance(10 * HOUR);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ status: 'pending' }]);
    status = 204;
    await advance(HOUR);
    await advance(2 * HOUR);
    expect(await control.deliveries({ sessionId })).toEqual([]);
  });
});

describe('a test event', () => {
  it('does not affect the health of a URL that was set while it was in flight', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { control, endpointId, health, sent } = await createScene(async () => {
      await held;
      return answered(204);
    });
    const testing = control.testEndpoint(endpointId);
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
    release();
    expect(await testing).toMatchObject({ success: true, resumed: false });
    expect(await health()).toMatchObject({ state: 'new', lastSuccessAt: null });
    await expect(control.redeliver(endpointId)).rejects.toThrow(
      /no request to the current URL was sent yet/,
    );
  });

  it('is refused if the endpoint fails and has a request in flight, is disabled or does not exist', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    const scene = await createScene(async () => {
      if (isHeld) await held;
      return answered(500);
    });
    const { control, endpointId, complete, advance, sent } = scene;
    await complete();
    await advance(HOUR);
    isHeld = true;
    const moving = advance(10 * MINUTE);
    const requests = sent.length;
    while (sent.length === requests) await new Promise((resolve) => setImmediate(resolve));
    await expect(control.testEndpoint(endpointId)).rejects.toThrow(/in progress/);
    release();
    await moving;
    await control.updateEndpoint(endpointId, { enabled: false });
    await expect(control.testEndpoint(endpointId)).rejects.toThrow(/disabled/);
    await expect(control.testEndpoint('nobody')).rejects.toThrow(/not found/);
  });
});
