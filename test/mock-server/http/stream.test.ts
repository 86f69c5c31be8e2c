import { describe, expect, it } from 'vitest';
import { aMock } from '../../support/a-mock.ts';
import { openStream, stream, type Message } from './open-stream.ts';

describe('the live stream', () => {
  it('sends changes in order, as resources', async () => {
    const my = await aMock();
    const response = await my.service.fetch(stream());
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const live = openStream(response);
    expect(await live.block()).toMatch(/^retry: 1000\nid: [\w-]+$/);

    const { sessionId } = await my.create();
    const created = await live.read(4);
    expect(created.map(({ event }) => event)).toEqual(['session', 'event', 'clock', 'request']);
    expect(created[0]?.data).toEqual(await my.control.session(sessionId));
    expect(created[1]?.data).toMatchObject({ sessionId, event: 'session.started' });
    expect(created[2]?.data).toEqual(await my.clock.read());
    expect(created[3]?.data).toMatchObject({ sessionId, operation: 'create', status: 201 });

    await my.control.settle(sessionId, 'verified');
    expect((await live.read(1))[0]?.data).toMatchObject({ id: sessionId, status: 'verified' });
    await live.close();
  });

  it('sends attempts as part of their delivery, and deletions', async () => {
    const my = await aMock({ endpoints: [{ url: 'https://shop.example/hooks' }] });
    const live = openStream(await my.service.fetch(stream('?topics=delivery,endpoint')));
    await my.create();
    await my.clock.advance(0);
    let delivered: Message | undefined;
    while (delivered?.data.status !== 'delivered') [delivered] = await live.read(1);
    expect(delivered.data).toMatchObject({ attempts: [{ n: 1, httpStatus: 204 }] });

    const { tenantId } = my;
    const [endpoint] = await my.control.endpoints(tenantId);
    await my.control.deleteEndpoint(endpoint?.id ?? '');
    let gone: Message | undefined;
    while (!gone?.data.deleted) [gone] = await live.read(1);
    expect(gone).toMatchObject({ event: 'endpoint', data: { id: endpoint?.id, deleted: true } });
    await live.close();
  });

  it('can be limited to topics', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream('?topics=clock,fault')));
    await my.create();
    await my.control.addFault({ operation: 'create', fault: '500' });
    await my.clock.advance(60_000);
    const [due, fault, clock] = await live.read(3);
    expect(due).toMatchObject({ event: 'clock', data: { frozen: true } });
    expect(fault).toMatchObject({ event: 'fault', data: { fault: '500', remaining: 1 } });
    expect(clock).toMatchObject({ event: 'clock', data: { frozen: true } });
    await live.close();
  });

  it('sends the clock whenever its state changes, with the next due time', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream('?topics=clock')));
    const { sessionId } = await my.create();
    const [created] = await live.read(1);
    expect(created?.data).toEqual(await my.clock.read());
    expect(created?.data.nextDue).not.toBeNull();
    // A second session is due later, so the clock's state does not change.
    await my.clock.advance(1_000);
    await live.read(2);
    await my.create();
    await my.control.settle(sessionId, 'verified');
    await my.clock.freeze();
    const [, last] = await live.read(2);
    expect(last?.data).toEqual(await my.clock.read());
    await live.close();
  });

  it('sends an endpoint again when its deliveries change', async () => {
    const my = await aMock({ endpoints: [{ url: 'https://shop.example/hooks' }] });
    const { tenantId } = my;
    const live = openStream(await my.service.fetch(stream('?topics=endpoint')));
    await my.create();
    const [waiting] = await live.read(1);
    expect(waiting?.data.health).toMatchObject({ pending: 1 });
    await my.clock.advance(0);
    let shown = waiting;
    while (shown?.data.health.lastSuccessAt === null) [shown] = await live.read(1);
    expect([shown?.data]).toEqual(await my.control.endpoints(tenantId));
    await live.close();
  });

  it('sends an account again when its queued outcomes or its legacy webhook change', async () => {
    const my = await aMock();
    const { tenantId } = my;
    const live = openStream(await my.service.fetch(stream('?topics=tenant')));
    await my.control.queueNextOutcomes(tenantId, ['cancelled']);
    await my.control.clearNextOutcomes(tenantId);
    await my.control.putLegacyWebhook(tenantId, { url: 'https://shop.example/hooks' });
    await my.control.deleteLegacyWebhook(tenantId);
    const account = await my.control.tenant(tenantId);
    const withLegacy = { ...account, hasLegacyWebhook: true };
    expect((await live.read(4)).map(({ data }) => data)).toEqual([
      account,
      account,
      withLegacy,
      account,
    ]);
    await live.close();
  });

  it('sends the observations of a shop', async () => {
    const my = await aMock();
    const { sessionId } = await my.create();
    const live = openStream(await my.service.fetch(stream('?topics=observation')));
    const observation = await my.control.addObservation({
      kind: 'access_granted',
      sessionId,
    });
    expect((await live.read(1))[0]?.data).toEqual(observation);
    await live.close();
  });
});
