import { setupServer } from 'msw/node';
import { createMockService } from 'ofage/mock';
import { startMockServer } from 'ofage/mock/node';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/logs/memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { aService, ORIGIN } from './a-service.ts';

interface Message {
  id: string;
  event: string;
  data: any;
}

/** Reads server-sent events as a browser would. */
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
    /** The next so many messages. */
    async read(count: number): Promise<Message[]> {
      const messages: Message[] = [];
      while (messages.length < count) {
        const found = await block();
        if (found === null) throw new Error(`The stream ended after ${messages.length} messages`);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(found)?.[1] ?? '';
        if (found.startsWith(':')) comments.push(found);
        else if (field('event') !== '') {
          const data = JSON.parse(field('data'));
          messages.push({ id: field('id'), event: field('event'), data });
        }
      }
      return messages;
    },
    close: () => reader.cancel(),
  };
}

const stream = (query = '', headers: Record<string, string> = {}) =>
  new Request(`${ORIGIN}/control/v1/stream${query}`, { headers });

describe('the live stream', () => {
  it('tells what changes, in order, as resources', async () => {
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

  it('tells of attempts as part of their delivery, and of what was deleted', async () => {
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

  it('is limited to topics', async () => {
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

  it('shows the clock whenever its reading changes, with what is due next', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream('?topics=clock')));
    const { sessionId } = await my.create();
    const [created] = await live.read(1);
    expect(created?.data).toEqual(await my.service.clock.read());
    expect(created?.data.nextDue).not.toBeNull();
    // A second session is due later, so the reading stays the same.
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

  it('shows an endpoint again when its deliveries change', async () => {
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

  it('shows an account again when its queued outcomes or its legacy webhook change', async () => {
    const my = aService();
    const { tenantId } = await my.service.ready;
    const live = openStream(await my.service.fetch(stream('?topics=tenant')));
    await my.service.control.queueNextOutcomes(tenantId, ['cancelled']);
    await my.service.control.clearNextOutcomes(tenantId);
    await my.service.control.putLegacyWebhook(tenantId, { url: 'https://shop.example/hooks' });
    await my.service.control.deleteLegacyWebhook(tenantId);
    const account = await my.service.control.tenant(tenantId);
    expect((await live.read(4)).map(({ data }) => data)).toEqual(Array(4).fill(account));
    await live.close();
    await my.service.close();
  });

  it('tells what a shop has observed', async () => {
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

  it('tells how a recording goes on', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream('?topics=recording')));
    const recorder = await my.service.record({ name: 'A run' });
    await my.create();
    await recorder.stop();
    expect((await live.read(3)).map(({ data }) => [data.name, data.steps])).toEqual([
      ['A run', 0],
      ['A run', 1],
      [null, 0],
    ]);
    await live.close();
    await my.service.close();
  });

  it('resumes from where it was opened, when it broke before the first message', async () => {
    const my = aService();
    const first = openStream(await my.service.fetch(stream()));
    const opened = /^id: (.*)$/m.exec((await first.block()) ?? '')?.[1] ?? '';
    await first.close();
    const { sessionId } = await my.create();
    const again = openStream(
      await my.service.fetch(stream('?topics=session', { 'last-event-id': opened })),
    );
    expect((await again.read(1))[0]?.data.id).toBe(sessionId);
    await again.close();
    await my.service.close();
  });

  it('goes on after a break where it stopped', async () => {
    const my = aService();
    const first = openStream(await my.service.fetch(stream('?topics=session')));
    const one = await my.create();
    const [seen] = await first.read(1);
    await first.close();
    const two = await my.create();
    const three = await my.create();

    const again = openStream(
      await my.service.fetch(stream('?topics=session', { 'last-event-id': seen?.id ?? '' })),
    );
    const missed = await again.read(2);
    expect(seen?.data.id).toBe(one.sessionId);
    expect(missed.map(({ data }) => data.id)).toEqual([two.sessionId, three.sessionId]);
    await again.close();
    await my.service.close();
  });

  it('says so when what was missed is no longer known', async () => {
    const my = aService();
    const live = openStream(
      await my.service.fetch(stream('?topics=session', { 'last-event-id': 'of-another-run-7' })),
    );
    expect(await live.read(1)).toMatchObject([{ event: 'reload', data: null }]);
    await live.close();
    await my.service.close();
  });

  it('says to look again after a snapshot or reset rather than tell every row', async () => {
    const my = aService();
    for (let n = 0; n < 290; n += 1) await my.create();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    await my.service.control.reset();
    expect(await live.read(1)).toMatchObject([{ event: 'reload' }]);
    await live.close();
    await my.service.close();
  });

  it('says to look again after any reset and any snapshot, once it is there', async () => {
    const my = aService();
    await my.create();
    const snapshot = await my.service.control.snapshot();
    const live = openStream(await my.service.fetch(stream('?topics=fault')));
    await my.service.control.reset();
    expect(await live.read(1)).toMatchObject([{ event: 'reload', data: null }]);
    expect(await my.service.control.sessions()).toEqual([]);

    await my.service.control.loadSnapshot(snapshot);
    expect(await live.read(1)).toMatchObject([{ event: 'reload' }]);
    expect(await my.service.control.sessions()).toHaveLength(1);
    await expect(my.service.control.loadSnapshot({})).rejects.toThrow('Cannot load the snapshot');
    await my.service.control.addFault({ operation: 'create', fault: '500' });
    expect(await live.read(1)).toMatchObject([{ event: 'fault' }]);
    await live.close();
    await my.service.close();
  });

  it('tells nothing of what was not done', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    await my.create({ returnUrl: 'https://elsewhere.example/' });
    const { sessionId } = await my.create();
    expect((await live.read(1))[0]?.data.id).toBe(sessionId);
    await live.close();
    await my.service.close();
  });

  it('tells what another holder of the same state has done', async () => {
    const shared = createSharedMemory();
    const a = aService({ log: createMemoryLog(shared), pollMs: 0 });
    const b = aService({ log: createMemoryLog(shared), pollMs: 0 });
    await a.service.ready;
    const live = openStream(await b.service.fetch(stream('?topics=session')));
    await b.service.ready;
    const { sessionId } = await a.create();
    // A holder learns of the others' entries when it looks; pollMs makes it look by itself.
    await b.service.clock.read();
    expect((await live.read(1))[0]?.data.id).toBe(sessionId);
    await live.close();
    await Promise.all([a.service.close(), b.service.close()]);
  });

  it('tells of the requests and observations of another holder, too', async () => {
    const shared = createSharedMemory();
    const here = aService({ log: createMemoryLog(shared) });
    const there = aService({ log: createMemoryLog(shared) });
    const { sessionId } = await there.create();
    await here.service.ready;
    const live = openStream(await here.service.fetch(stream('?topics=request,observation')));
    const observation = await there.service.control.addObservation({
      kind: 'access_granted',
      sessionId,
    });
    const [request] = await there.service.control.requests();
    await here.service.ready;
    await here.service.control.state();
    const told = (await live.read(2)).map(({ event, data }) => [event, data]);
    expect(new Map(told as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['request', request],
        ['observation', observation],
      ]),
    );
    // Another holder's reset is a set of changes like any other.
    await there.service.control.reset();
    await here.service.control.state();
    const gone = (await live.read(2)).map(({ event, data }) => [event, data]);
    expect(new Map(gone as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['request', { id: 1, deleted: true }],
        ['observation', { id: 1, deleted: true }],
      ]),
    );
    await live.close();
    await Promise.all([here, there].map(({ service }) => service.close()));
  });

  it('tells of every request of a burst, and not of those that make room for it', async () => {
    const my = aService({ realClock: createManualClock() });
    for (let n = 0; n < 500; n += 1) await my.api('create', 'sk_1', {});
    await my.service.control.requests();
    const live = openStream(await my.service.fetch(stream()));
    for (let n = 0; n < 500; n += 1) await my.api('create', 'sk_1', {});
    await my.service.control.requests();
    const { sessionId } = await my.create();
    const news = await live.read(502);
    expect(news.slice(0, 500).map(({ event, data }) => [event, data.id])).toEqual(
      Array.from({ length: 500 }, (_, n) => ['request', 501 + n]),
    );
    expect(news.slice(500).map(({ data }) => data.sessionId ?? data.id)).toContain(sessionId);
    await live.close();
    await my.service.close();
  });

  it('shows that it is alive, every 2 seconds of real time', async () => {
    const realClock = createManualClock();
    const my = aService({ realClock });
    await my.service.ready;
    const before = realClock.sleepers;
    const live = openStream(await my.service.fetch(stream()));
    expect(await live.block()).toMatch(/^retry: 1000\nid: [\w-]+$/);
    await realClock.pass(2_000);
    expect(await live.block()).toBe(': still here');
    await realClock.pass(2_000);
    expect(await live.block()).toBe(': still here');
    await live.close();
    // Nothing goes on ticking for a listener that is gone.
    expect(realClock.sleepers).toBe(before);
    await my.service.close();
  });

  it('ends with the service', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream()));
    await live.block();
    await my.service.close();
    expect(await live.block()).toBeNull();
  });

  it('sends away a listener that does not read', async () => {
    const my = aService();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    for (let n = 0; n < 1_100; n += 1) {
      if (n % 250 === 0) await my.service.clock.advance(60_000);
      await my.create();
    }
    await expect(live.read(1_100)).rejects.toThrow('The stream ended after');
    await my.service.close();
  });

  it('comes through a socket', async () => {
    const server = await startMockServer({ port: 0 });
    const controller = new AbortController();
    const live = openStream(
      await fetch(`${server.controlBase}/stream?topics=tenant`, { signal: controller.signal }),
    );
    await live.block();
    const { id } = await server.control.createTenant({ name: 'Wine' });
    expect((await live.read(1))[0]?.data).toMatchObject({ id, name: 'Wine' });
    controller.abort();
    await server.close();
  });

  it('comes through MSW', async () => {
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
