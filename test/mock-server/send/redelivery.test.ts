import { describe, expect, it } from 'vitest';
import { answered, createScene, DAY, HOOK, HOUR, MINUTE } from './scene.ts';

/** Creates a scene with undelivered events and a receiver that has recovered. */
async function afterOutage(events: number, downMs = 2 * HOUR) {
  let status = 404;
  const scene = await createScene(() => answered(status));
  await scene.complete(events);
  await scene.advance(downMs);
  status = 204;
  return { ...scene, fail: () => (status = 500), heal: () => (status = 204) };
}

describe('redelivery', () => {
  it('is refused unless the endpoint has accepted the last request to its current URL, in line with mayRedeliver', async () => {
    const { control, endpointId, health, fail, heal } = await afterOutage(1);
    const isAllowed = async () => {
      const { mayRedeliver } = await health();
      const result = await control.redeliver(endpointId).catch((error: unknown) => error);
      if (mayRedeliver) expect(result).toHaveProperty('queued');
      else expect(result).toMatchObject({ code: 'conflict' });
      return mayRedeliver;
    };
    expect(await isAllowed()).toBe(false);
    await control.resumeEndpoint(endpointId);
    expect(await isAllowed()).toBe(true);
    fail();
    await control.testEndpoint(endpointId);
    expect(await isAllowed()).toBe(false);
    heal();
    await control.testEndpoint(endpointId);
    expect(await isAllowed()).toBe(true);
    // The old URL has accepted a request, but nothing is known of the new one.
    await control.updateEndpoint(endpointId, { url: `${HOOK}/new` });
    expect(await isAllowed()).toBe(false);
    await control.testEndpoint(endpointId);
    expect(await isAllowed()).toBe(true);
  });

  it('sends session.started with the creation time in its data, even after the session has ended', async () => {
    let status = 404;
    const scene = await createScene(() => answered(status), {
      endpoints: [{ url: HOOK, events: ['session.started', 'verification.completed'] }],
    });
    const { control, endpointId, advance, sent, clock } = scene;
    await scene.complete();
    await advance(2 * HOUR);
    // The endpoint is paused by now, so nothing is sent before the session ends.
    const createdAt = (await clock.now()).toISOString();
    const { id } = await control.trigger({ name: 'never' });
    await advance(5 * MINUTE);
    await control.settle(id, 'verified');
    status = 204;
    await control.resumeEndpoint(endpointId);
    await control.redeliver(endpointId);
    await advance(0);
    const bodies = sent.map(({ body }) => JSON.parse(body) as Record<string, any>);
    const settledAt = (await clock.now()).toISOString();
    // Both are sent in parallel, so either may arrive first.
    const ofEvent = (event: string) =>
      bodies.filter((body) => body.event === event && body.data.sessionId === id);
    expect(ofEvent('session.started')).toMatchObject([
      { timestamp: settledAt, data: { timestamp: createdAt } },
    ]);
    expect(ofEvent('verification.completed')).toMatchObject([
      { timestamp: settledAt, data: { timestamp: settledAt } },
    ]);
  });

  it.each([
    ['never', 'session.started', 'for a day', 10, null],
    ['timeout', 'session.timeout', 'three times', 3, 'attempts'],
  ] as const)(
    'of the event of a session "%s" tries %s %s',
    async (name, event, _how, least, reason) => {
      let status = 404;
      const { control, advance, endpointId } = await createScene(() => answered(status), {
        endpoints: [{ url: HOOK, events: [event] }],
      });
      const { id } = await control.trigger({ name });
      await advance(MINUTE);
      status = 204;
      await control.testEndpoint(endpointId);
      status = 500;
      const before = (await control.deliveries({ sessionId: id }))[0]!.attempts.length;
      expect(await control.redeliver(endpointId)).toMatchObject({ queued: 1 });
      await advance(HOUR);
      const [delivery] = await control.deliveries({ sessionId: id });
      expect(delivery!.attempts.length - before).toBeGreaterThanOrEqual(least);
      if (reason !== null) expect(delivery!.attempts.length - before).toBe(least);
      expect(delivery!.reason).toBe(reason);
    },
  );
});

describe('a former URL of an endpoint', () => {
  it('does not slow down or pause the new URL by failing', async () => {
    const scene = await createScene((url) => answered(url === HOOK ? 500 : 204));
    const { control, endpointId, complete, advance, sent, health } = scene;
    await complete(20);
    await advance(HOUR);
    await control.updateEndpoint(endpointId, { url: 'https://new.example/' });
    const before = sent.length;
    const sessionId = await complete();
    await advance(0);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ status: 'delivered' }]);
    await advance(2 * DAY);
    expect(await health()).toMatchObject({ state: 'healthy', pausedAt: null, pending: 0 });
    // Queued events are still sent at the pace of an endpoint that keeps failing.
    const former = sent.slice(before).filter(({ url }) => url === HOOK);
    expect(former.length).toBeGreaterThan(100);
    expect(former.length).toBeLessThan(170);
    expect(await control.emails()).toEqual([]);
  });
});
