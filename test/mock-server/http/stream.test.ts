import { describe, expect, it } from 'vitest';
import { aService } from './a-service.ts';
import { openStream, stream, type Message } from './open-stream.ts';

describe('the live stream', () => {
  it('sends changes in order, as resources', async () => {
    const my = aService();
    const response = await my.service.fetch(stream());
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const live = openStream(response);
    expect(await live.block()).toMatch(/^retry: 1000\nid: [\w-]+$/);

    const { sessionId } = await my.create();
    const created = await live.read(4);
    expect(created.map(({ event }) => event)).toEqual(['session', 'event', 'clock', 'request']);
    expect(created[0]?.data).toEqual(await my.service.control.session(sessionId));
    expect(created[1]?.data).toMatchObject({ sessionId, event: 'session.started' });
    expect(created[2]?.data).toEqual(await my.service.clock.read());
    expect(created[3]?.data).toMatchObject({ sessionId, operation: 'create', status: 201 });

    await my.service.control.settle(sessionId, 'verified');
    expect((await live.read(1))[0]?.data).toMatchObject({ id: sessionId, status: 'verified' });
    await live.close();
    await my.service.close();
  });

  it('sends attempts as part of their delivery, and deletions', async () => {
    const sender = {
      send: async () =>
        ({ kind: 'response', status: 204, retryAfter: null, address: null, hops: 0 }) as const,
    };
    const my = aService({ sender, endpoints: [{ url: 'https://shop.example/hooks' }] });
    await my.service.ready;
    const live = openStream(await my.service.fetch(stream('?topics=delivery,endpoint')));
    await my.create();
    await my.service.clock.advance(0);
    let delivered: Message | undefined;
    while (delivered?.data.status !== 'delivered') [delivered] = await live.read(1);
    expect(delivered.data).toMatchObject({ attempts: [{ n: 1, httpStatus: 204 }] });

    const { tenantId } = await my.service.ready;
    const [endpoint] = await my.service.control.endpoints(tenantId);
    await my.service.control.deleteEndpoint(endpoint?.id ?? '');
    let gone: Message | undefined;
    while (!gone?.data.deleted) [gone] = await live.read(1);
    expect(gone).toMatchObject({ event: 'endpoint', data: { id: endpoint?.id, deleted: true } });
    await live.close();
    await my.service.close();
  });

  it('can be limited to topics', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream('?topics=clock,fault')));
    await my.create();
    await my.service.control.addFault({ operation: 'create', fault: '500' });
    await my.service.clock.advance(60_000);
    const [due, fault, clock] = await live.read(3);
    expect(due).toMatchObject({ event: 'clock', data: { frozen: true } });
    expect(fault).toMatchObject({ event: 'fault', data: { fault: '500', remaining: 1 } });
    expect(clock).toMatchObject({ event: 'clock', data: { frozen: true } });
    await live.close();
    await my.service.close();
  });

  it('sends the clock whenever its state changes, with the next due time', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream('?topics=clock')));
    const { sessionId } = await my.create();
    const [created] = await live.read(1);
    expect(created?.data).toEqual(await my.service.clock.read());
    expect(created?.data.nextDue).not.toBeNull();
    // A second session is due later, so the clock's state does not change.
    await my.service.clock.advance(1_000);
    await live.read(2);
    await my.create();
    await my.service.control.settle(sessionId, 'verified');
    await my.service.clock.freeze();
    const [, last] = await live.read(2);
    expect(last?.data).toEqual(await my.service.clock.read());
    await live.close();
    await my.service.close();
  });

  it('sends an endpoint again when its deliveries change', async () => {
    const sender = {
      send: async () =>
        ({ kind: 'response', status: 204, retryAfter: null, address: null, hops: 0 }) as const,
    };
    const my = aService({ sender, endpoints: [{ url: 'https://shop.example/hooks' }] });
    const { tenantId } = await my.service.ready;
    const live = openStream(await my.service.fetch(stream('?topics=endpoint')));
    await my.create();
    const [waiting] = await live.read(1);
    expect(waiting?.data.health).toMatchObject({ pending: 1 });
    await my.service.clock.advance(0);
    let shown = waiting;
    while (shown?.data.health.lastSuccessAt === null) [shown] = await live.read(1);
    expect([shown?.data]).toEqual(await my.service.control.endpoints(tenantId));
    await live.close();
    await my.service.close();
  });

  it('sends an account again when its queued outcomes or its legacy webhook change', async () => {
    const my = aService();
    const { tenantId } = await my.service.ready;
    const live = openStream(await my.service.fetch(stream('?topics=tenant')));
    await my.service.control.queueNextOutcomes(tenantId, ['cancelled']);
    await my.service.control.clearNextOutcomes(tenantId);
    await my.service.control.putLegacyWebhook(tenantId, { url: 'https://shop.example/hooks' });
    await my.service.control.deleteLegacyWebhook(tenantId);
    const account = await my.service.control.tenant(tenantId);
    const withLegacy = { ...account, hasLegacyWebhook: true };
    expect((await live.read(4)).map(({ data }) => data)).toEqual([
      account,
      account,
      withLegacy,
      account,
    ]);
    await live.close();
    await my.service.close();
  });

  it('sends the observations of a shop', async () => {
    const my = aService();
    const { sessionId } = await my.create();
    const live = openStream(await my.service.fetch(stream('?topics=observation')));
    const observation = await my.service.control.addObservation({
      kind: 'access_granted',
      sessionId,
    });
    expect((await live.read(1))[0]?.data).toEqual(observation);
    await live.close();
    await my.service.close();
  });
});
