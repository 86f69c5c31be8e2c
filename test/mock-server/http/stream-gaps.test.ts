import { createMemoryLog, createSharedMemory } from '../../../mock-server/store/logs/memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { aMock } from '../../support/a-mock.ts';
import { openStream, stream } from './open-stream.ts';

describe('the live stream', () => {
  it('resumes from its start if it broke before the first message', async () => {
    const my = await aMock();
    const first = openStream(await my.service.fetch(stream()));
    const opened = /^id: (.*)$/m.exec((await first.block()) ?? '')?.[1] ?? '';
    await first.close();
    const { sessionId } = await my.create();
    const again = openStream(
      await my.service.fetch(stream('?topics=session', { 'last-event-id': opened })),
    );
    expect((await again.read(1))[0]?.data.id).toBe(sessionId);
    await again.close();
  });

  it('resumes after the last message', async () => {
    const my = await aMock();
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
  });

  it('sends reload if the last event id is from another run', async () => {
    const my = await aMock();
    const live = openStream(
      await my.service.fetch(stream('?topics=session', { 'last-event-id': 'of-another-run-7' })),
    );
    expect(await live.read(1)).toMatchObject([{ event: 'reload', data: null }]);
    await live.close();
  });

  it('sends reload instead of every row after a reset', async () => {
    const my = await aMock();
    for (let n = 0; n < 290; n += 1) await my.create();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    await my.control.reset();
    expect(await live.read(1)).toMatchObject([{ event: 'reload' }]);
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

  it('sends no session if its creation was rejected', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    await my.create({ returnUrl: 'https://elsewhere.example/' });
    const { sessionId } = await my.create();
    expect((await live.read(1))[0]?.data.id).toBe(sessionId);
    await live.close();
  });

  it('sends the changes of other processes on the same state', async () => {
    const shared = createSharedMemory();
    const a = await aMock({ log: createMemoryLog(shared), pollMs: 0 });
    const b = await aMock({ log: createMemoryLog(shared), pollMs: 0 });
    const live = openStream(await b.service.fetch(stream('?topics=session')));
    const { sessionId } = await a.create();
    // With pollMs 0 a process reads the others' entries only on its next access.
    await b.clock.read();
    expect((await live.read(1))[0]?.data.id).toBe(sessionId);
    await live.close();
  });

  it('sends the requests and observations of other processes', async () => {
    const shared = createSharedMemory();
    const here = await aMock({ log: createMemoryLog(shared) });
    const there = await aMock({ log: createMemoryLog(shared) });
    const { sessionId } = await there.create();
    const live = openStream(await here.service.fetch(stream('?topics=request,observation')));
    const observation = await there.control.addObservation({
      kind: 'access_granted',
      sessionId,
    });
    const [request] = await there.control.requests();
    await here.control.state();
    const received = (await live.read(2)).map(({ event, data }) => [event, data]);
    expect(new Map(received as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['request', request],
        ['observation', observation],
      ]),
    );
    // The reset of a different process arrives as normal changes.
    await there.control.reset();
    await here.control.state();
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
    for (let n = 0; n < 500; n += 1) await my.api('create', 'sk_1', {});
    await my.control.requests();
    const live = openStream(await my.service.fetch(stream()));
    for (let n = 0; n < 500; n += 1) await my.api('create', 'sk_1', {});
    await my.control.requests();
    const { sessionId } = await my.create();
    const news = await live.read(502);
    expect(news.slice(0, 500).map(({ event, data }) => [event, data.id])).toEqual(
      Array.from({ length: 500 }, (_, n) => ['request', 501 + n]),
    );
    expect(news.slice(500).map(({ data }) => data.sessionId ?? data.id)).toContain(sessionId);
    await live.close();
  });
});
