import { describe, expect, it } from 'vitest';
import { answered, createScene, DAY, HOOK, HOUR, JANUARY, MINUTE, SECOND } from './scene.ts';

const toIso = (ms: number): string => new Date(JANUARY + ms).toISOString();

describe('an endpoint that always rejects', () => {
  it('gets about 14 requests, and is paused after an hour with one notice and one e-mail', async () => {
    const scene = await createScene(() => answered(401));
    const { control, sent, complete, advance, health, endpointId, tenantId } = scene;
    await control.updateTenant(tenantId, {
      members: [
        { email: 'owner@shop.example', role: 'owner' },
        { email: 'admin@shop.example', role: 'admin' },
        { email: 'dev@shop.example', role: 'developer' },
      ],
    });
    const sessionId = await complete();
    await advance(HOUR - SECOND);
    expect((await health()).state).toBe('failing');
    expect((await health()).nextAttemptAt).not.toBeNull();
    await advance(11 * MINUTE);
    expect(sent.length).toBeGreaterThanOrEqual(12);
    expect(sent.length).toBeLessThanOrEqual(15);
    const paused = await health();
    expect(paused).toMatchObject({
      state: 'paused',
      pauseReason: 'rejecting',
      undelivered: 1,
      pending: 0,
      nextAttemptAt: null,
    });
    expect(paused.notice).toContain('rejected every request for an hour');
    expect(Date.parse(paused.pausedAt ?? '') - JANUARY).toBeGreaterThanOrEqual(HOUR);
    expect(await control.emails()).toMatchObject([
      {
        to: ['owner@shop.example', 'admin@shop.example'],
        subject: `OfAge paused your webhooks to ${HOOK}`,
        createdAt: paused.pausedAt,
      },
    ]);
    expect(await control.notices()).toMatchObject([{ endpointId, reason: 'rejecting' }]);

    const requests = sent.length;
    const later = await complete();
    await advance(30 * DAY);
    expect(sent).toHaveLength(requests);
    expect(await control.emails()).toHaveLength(1);
    // Deliveries are kept for seven days, and then deleted with their sessions.
    expect(await control.deliveries({ sessionId })).toEqual([]);
    expect(await control.deliveries({ sessionId: later })).toEqual([]);
  });

  it('is not sent events during the pause, which are immediately recorded as not delivered', async () => {
    const { control, complete, advance } = await createScene(() => answered(404));
    await complete();
    await advance(2 * HOUR);
    expect(await control.deliveries({ sessionId: await complete() })).toMatchObject([
      { status: 'undelivered', reason: 'paused', attempts: [], undeliveredAt: toIso(2 * HOUR) },
    ]);
  });
});

describe('an endpoint that keeps failing', () => {
  it.each([1, 1_000])(
    'gets about the same number of requests for any number of events: %i',
    async (events) => {
      const { control, sent, complete, advance, health } = await createScene(() => answered(500));
      await complete(events);
      await advance(DAY - SECOND);
      expect((await health()).state).toBe('failing');
      await advance(MINUTE);
      expect(await health()).toMatchObject({ state: 'paused', pauseReason: 'failing', pending: 0 });
      expect(sent.length).toBeGreaterThan(140);
      expect(sent.length).toBeLessThanOrEqual(190);
      expect(await control.emails()).toHaveLength(1);
      expect((await health()).undelivered).toBe(events);
    },
    60_000,
  );

  it('is paused after a day, even if its only event has expired by then', async () => {
    const { sent, complete, advance, health, control } = await createScene(() => answered(500));
    const sessionId = await complete();
    await advance(DAY);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ reason: 'expired' }]);
    const requests = sent.length;
    await advance(MINUTE);
    expect((await health()).state).toBe('paused');
    expect(sent).toHaveLength(requests);
  });

  it('receives its backlog within seconds after it recovers, and the events that failed in their backoff', async () => {
    let isWell = false;
    const scene = await createScene(() => answered(isWell ? 204 : 503));
    const { complete, advance, health, sent } = scene;
    await complete(300);
    await advance(6 * HOUR);
    const failed = new Set(sent.map(({ body }) => body)).size;
    isWell = true;
    const before = sent.length;
    await advance(10 * MINUTE + SECOND);
    expect((await health()).state).toBe('healthy');
    const [first] = sent.slice(before);
    const soon = sent.slice(before).filter(({ atMs }) => atMs - first!.atMs < SECOND);
    expect(soon.length).toBeGreaterThanOrEqual(300 - failed);
    await advance(10 * MINUTE);
    expect(await health()).toMatchObject({ pending: 0, undelivered: 0 });
    expect(sent.length - before).toBe(300);
  });
});

describe('an endpoint that refuses a burst of events', () => {
  it('is not paused, and gets the later events within a minute', async () => {
    const bad = new Set<string>();
    const scene = await createScene((_url, n) => {
      const { data } = JSON.parse(scene.sent[n - 1]!.body) as { data: { sessionId: string } };
      return answered(bad.has(data.sessionId) ? 422 : 204);
    });
    const { control, complete, advance, health } = scene;
    for (let n = 0; n < 20; n += 1) bad.add(await complete());
    const good: string[] = [];
    for (let minute = 0; minute < 120; minute += 1) {
      await advance(MINUTE);
      good.push(await complete());
    }
    await advance(MINUTE);
    expect((await health()).state).not.toBe('paused');
    for (const sessionId of good) {
      const [delivery] = await control.deliveries({ sessionId });
      const { createdAt, deliveredAt } = delivery!;
      const waitMs = Date.parse(deliveredAt ?? '') - Date.parse(createdAt);
      expect(waitMs).toBeLessThanOrEqual(MINUTE);
    }
  }, 20_000);
});

describe('a pause', () => {
  it('does not follow an hour of rejections that includes a 500', async () => {
    // The receiver rejects for 55 minutes, responds with 500 for ten minutes, and rejects again.
    const began = { at: 0 };
    const scene = await createScene(() =>
      answered(began.at > 55 * MINUTE && began.at < 66 * MINUTE ? 500 : 403),
    );
    await scene.complete();
    for (; began.at < 110 * MINUTE; began.at += MINUTE) await scene.advance(MINUTE);
    expect((await scene.health()).state).toBe('failing');
    for (; began.at < 150 * MINUTE; began.at += MINUTE) await scene.advance(MINUTE);
    expect((await scene.health()).state).toBe('paused');
  });

  it.each([
    { atOnce: 1, state: 'healthy', why: 'two requests are too few' },
    { atOnce: 2, state: 'paused', why: 'three are enough, although two of them were parallel' },
  ])(
    'needs three rejected requests: with $atOnce at once and one an hour later the endpoint is $state, because $why',
    async ({ atOnce, state }) => {
      const { control, advance, sent, health } = await createScene(() => answered(404), {
        endpoints: [{ url: HOOK, events: ['session.started'] }],
      });
      for (let n = 0; n < atOnce; n += 1) await control.trigger({ name: 'never' });
      await advance(0);
      expect(await health()).toMatchObject({ state: 'healthy', consecutiveFailures: atOnce });
      await advance(HOUR);
      await control.trigger({ name: 'never' });
      await advance(0);
      expect(sent).toHaveLength(atOnce + 1);
      expect((await health()).state).toBe(state);
    },
  );

  it('survives disabling, enabling and a new URL', async () => {
    const { control, endpointId, complete, advance, health } = await createScene(() =>
      answered(410),
    );
    await complete();
    await advance(2 * HOUR);
    const { pausedAt } = await health();
    await control.updateEndpoint(endpointId, { enabled: false });
    expect((await health()).state).toBe('disabled');
    await control.updateEndpoint(endpointId, { enabled: true });
    expect(await health()).toMatchObject({ state: 'paused', pausedAt });
    await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
    expect(await health()).toMatchObject({ state: 'paused', pausedAt, consecutiveFailures: 0 });
  });

  it('ends with a resume whose test event is accepted, without sending past events, and the next pause sends a new e-mail', async () => {
    let status = 401;
    const scene = await createScene(() => answered(status));
    const { control, endpointId, complete, advance, health, sent } = scene;
    await complete(3);
    await advance(2 * HOUR);
    const { pausedAt } = await health();
    expect(await control.resumeEndpoint(endpointId)).toMatchObject({
      success: false,
      resumed: false,
      httpStatus: 401,
    });
    expect(await health()).toMatchObject({ state: 'paused', pausedAt });

    status = 200;
    expect(await control.testEndpoint(endpointId)).toMatchObject({ success: true, resumed: false });
    expect((await health()).state).toBe('paused');
    const before = sent.length;
    expect(await control.resumeEndpoint(endpointId)).toMatchObject({
      success: true,
      resumed: true,
    });
    await advance(DAY);
    expect(await health()).toMatchObject({ state: 'healthy', pausedAt: null, undelivered: 3 });
    expect(sent).toHaveLength(before + 1);
    const test = JSON.parse(sent.at(-1)!.body) as Record<string, any>;
    expect(test).toMatchObject({
      event: 'session.started',
      test: true,
      data: { sessionId: '00000000-0000-0000-0000-000000000000' },
    });
    expect(test).not.toHaveProperty('eventId');
    expect(sent.at(-1)!.headers['x-ofage-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);

    status = 401;
    await complete();
    await advance(2 * HOUR);
    expect((await control.emails()).map(({ id }) => id)).toEqual([
      `${endpointId}:1`,
      `${endpointId}:2`,
    ]);
  });
});

describe('a resume while a long queue is still being cancelled', () => {
  it('sends no event of the queue', async () => {
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
