import { setupServer } from 'msw/node';
import { createMockService } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { aMock, ORIGIN } from '../../support/a-mock.ts';
import { createManualClock } from '../../support/manual-clock.ts';

interface Message {
  event: string;
  data: any;
}

/** Reads server-sent events like a browser. */
function openStream(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const comments: string[] = [];

  async function block(): Promise<string | null> {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf('\n\n');
    const found = text.slice(0, end);
    text = text.slice(end + 2);
    return found;
  }

  return {
    block,
    comments,
    /** Returns the next `count` messages. */
    async read(count: number): Promise<Message[]> {
      const messages: Message[] = [];
      while (messages.length < count) {
        const found = await block();
        if (found === null) throw new Error(`The stream ended after ${messages.length} messages`);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(found)?.[1] ?? '';
        if (found.startsWith(':')) comments.push(found);
        else if (field('event') !== '') {
          const data = JSON.parse(field('data'));
          messages.push({ event: field('event'), data });
        }
      }
      return messages;
    },
    close: () => reader.cancel(),
  };
}

const stream = (query = '') => new Request(`${ORIGIN}/control/v1/stream${query}`);

describe('the live stream', () => {
  it('sends changes in order, as resources', async () => {
    const my = await aMock();
    const response = await my.service.fetch(stream());
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const live = openStream(response);
    expect(await live.block()).toBe('retry: 1000');

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

  it('sends the clock to a new listener, although the last one has seen the same state', async () => {
    const my = await aMock();
    const first = openStream(await my.service.fetch(stream('?topics=clock')));
    const { sessionId } = await my.create();
    const seen = await first.read(1);
    await first.close();
    await my.control.settle(sessionId, 'verified');

    const second = openStream(await my.service.fetch(stream('?topics=clock')));
    expect(await my.clock.read()).toMatchObject({ nextDue: null });
    await my.create();
    expect(await second.read(1)).toEqual(seen);
    await second.close();
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

  it('sends reload once a reset or a snapshot has been applied', async () => {
    const my = await aMock();
    await my.create();
    const snapshot = await my.control.snapshot();
    const live = openStream(await my.service.fetch(stream('?topics=fault')));
    await my.control.reset();
    expect(await live.read(1)).toMatchObject([{ event: 'reload', data: null }]);
    expect(await my.control.sessions()).toEqual([]);

    await my.control.loadSnapshot(snapshot);
    expect(await live.read(1)).toMatchObject([{ event: 'reload' }]);
    expect(await my.control.sessions()).toHaveLength(1);
    await expect(my.control.loadSnapshot({})).rejects.toThrow('Cannot load the snapshot');
    await my.control.addFault({ operation: 'create', fault: '500' });
    expect(await live.read(1)).toMatchObject([{ event: 'fault' }]);
    await live.close();
  });

  it('sends the requests and observations of other processes', async () => {
    const shared = createSharedMemory();
    const here = await aMock({ log: createSharedMemoryLog(shared) });
    const there = await aMock({ log: createSharedMemoryLog(shared) });
    const { sessionId } = await there.create();
    const live = openStream(await here.service.fetch(stream('?topics=request,observation')));
    const observation = await there.control.addObservation({
      kind: 'access_granted',
      sessionId,
    });
    const [request] = await there.control.requests();
    await here.clock.read();
    const received = (await live.read(2)).map(({ event, data }) => [event, data]);
    expect(new Map(received as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['request', request],
        ['observation', observation],
      ]),
    );
    // The reset of a different process arrives as normal changes.
    await there.control.reset();
    await here.clock.read();
    const gone = (await live.read(2)).map(({ event, data }) => [event, data]);
    expect(new Map(gone as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['request', { id: 1, deleted: true }],
        ['observation', { id: 1, deleted: true }],
      ]),
    );
    await live.close();
  });

  it('sends every request of a burst, but not the deletion of old ones', async () => {
    const my = await aMock({ realClock: createManualClock() });
    const send500 = async () => {
      for (let n = 0; n < 500; n += 1) await my.api('validate', my.publishableKey, {});
    };
    await send500();
    await my.control.requests();
    const live = openStream(await my.service.fetch(stream()));
    await send500();
    await my.control.requests();
    const { sessionId } = await my.create();
    const news = await live.read(502);
    expect(news.slice(0, 500).map(({ event, data }) => [event, data.id])).toEqual(
      Array.from({ length: 500 }, (_, n) => ['request', 501 + n]),
    );
    expect(news.slice(500).map(({ data }) => data.sessionId ?? data.id)).toContain(sessionId);
    await live.close();
  });

  it('sends a keep-alive every 2 seconds of real time', async () => {
    const realClock = createManualClock();
    const my = await aMock({ realClock });
    const before = realClock.sleepers;
    const live = openStream(await my.service.fetch(stream()));
    expect(await live.block()).toBe('retry: 1000');
    await realClock.pass(2_000);
    expect(await live.block()).toBe(': still here');
    await realClock.pass(2_000);
    expect(await live.block()).toBe(': still here');
    await live.close();
    // The timer stops after the listener has disconnected.
    expect(realClock.sleepers).toBe(before);
  });

  it('ends when the service is closed', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream()));
    await live.block();
    await my.service.close();
    expect(await live.block()).toBeNull();
  });

  it('ends at once if it is opened while the service closes', async () => {
    const { service } = await aMock();
    const closing = service.close();
    const response = await service.fetch(new Request(`${ORIGIN}/control/v1/stream`));
    expect(await response.text()).toBe('retry: 1000\n\n');
    await closing;
  });

  it('disconnects a listener that does not read', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    for (let n = 0; n < 1_100; n += 1) {
      if (n % 250 === 0) await my.clock.advance(60_000);
      await my.create();
    }
    await expect(live.read(1_100)).rejects.toThrow('The stream ended after');
  });

  it('works through MSW', async () => {
    const service = createMockService();
    const msw = setupServer(...service.handlers);
    msw.listen();
    const live = openStream(
      await fetch('https://api.ofage.example/control/v1/stream?topics=tenant'),
    );
    await live.block();
    const { id } = await service.control.createTenant();
    expect((await live.read(1))[0]?.data.id).toBe(id);
    await live.close();
    msw.close();
    await service.close();
  });
});
