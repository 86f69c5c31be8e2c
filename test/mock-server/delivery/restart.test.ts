import type { WebhookResult } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/store/logs/memory.ts';
import { ALL_EVENTS, answered, createScene, HOOK, HOUR, MINUTE, SECOND } from './scene.ts';

const never = (): Promise<WebhookResult> => new Promise(() => {});

describe('an inline event, when a second service opens the same log,', () => {
  it('is recorded as lost if its request was in flight and no other process shares the log', async () => {
    const shared = createSharedMemory();
    const first = await createScene(never, {
      ...ALL_EVENTS,
      log: createMemoryLog(shared),
      pollMs: 0,
    });
    const { id } = await first.control.trigger({ name: 'never' });
    void first.advance(0);
    while (first.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const again = await createScene(() => answered(204), {
      ...ALL_EVENTS,
      log: createMemoryLog(shared),
      pollMs: 0,
    });
    await again.advance(5 * MINUTE);
    expect(again.sent).toEqual([]);
    expect(await again.control.deliveries({ sessionId: id })).toMatchObject([
      { event: 'session.started', status: 'undelivered', reason: 'lost' },
    ]);
  });

  it.each<[string, number, number]>([
    ['was never attempted', 0, 1],
    ['was waiting for its second attempt', 1, 2],
  ])('is sent if it %s', async (_name, sentBefore, attempts) => {
    const shared = createSharedMemory();
    const log = () => createMemoryLog(shared);
    const first = await createScene(() => answered(500), { ...ALL_EVENTS, log: log(), pollMs: 0 });
    const { id } = await first.control.trigger({ name: 'never' });
    if (sentBefore > 0) await first.advance(0);
    expect(first.sent).toHaveLength(sentBefore);
    const again = await createScene(() => answered(204), { ...ALL_EVENTS, log: log(), pollMs: 0 });
    await again.advance(SECOND);
    expect(await again.control.deliveries({ sessionId: id })).toMatchObject([
      { event: 'session.started', status: 'delivered', attempts: { length: attempts } },
    ]);
  });

  it('is not sent again while the first service has it in flight', async () => {
    const shared = createSharedMemory();
    let release = (_result: WebhookResult): void => {};
    const first = await createScene(() => new Promise((resolve) => (release = resolve)), {
      ...ALL_EVENTS,
      log: createMemoryLog(shared),
      pollMs: 1_000,
    });
    const { id } = await first.control.trigger({ name: 'never' });
    const moving = first.advance(0);
    while (first.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const tab = await createScene(() => answered(204), {
      ...ALL_EVENTS,
      log: createMemoryLog(shared),
      pollMs: 1_000,
    });
    expect(await tab.control.deliveries({ sessionId: id })).toMatchObject([{ status: 'pending' }]);
    release(answered(204));
    await moving;
    expect(await tab.control.deliveries({ sessionId: id })).toMatchObject([
      { status: 'delivered' },
    ]);
    expect(tab.sent).toEqual([]);
  });

  it('is lost and not repeated if the service that sent it never finishes', async () => {
    const shared = createSharedMemory();
    const first = await createScene(never, {
      ...ALL_EVENTS,
      log: createMemoryLog(shared),
      pollMs: 1_000,
    });
    const { id } = await first.control.trigger({ name: 'never' });
    void first.advance(0);
    while (first.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const tab = await createScene(() => answered(204), {
      ...ALL_EVENTS,
      log: createMemoryLog(shared),
      pollMs: 1_000,
    });
    await tab.advance(30 * SECOND);
    expect(tab.sent).toEqual([]);
    expect(await tab.control.deliveries({ sessionId: id })).toMatchObject([
      { status: 'undelivered', reason: 'lost', attempts: [{ outcome: 'lost' }] },
    ]);
  });
});

describe('a healthy endpoint, after its service has crashed and restarted', () => {
  it('gets the events in flight and new events at once', async () => {
    const shared = createSharedMemory();
    const log = () => createMemoryLog(shared);
    const crashed = await createScene(never, { log: log(), pollMs: 0 });
    await crashed.complete(9);
    void crashed.advance(0);
    while (crashed.sent.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const again = await createScene(() => answered(204), { log: log(), pollMs: 0 });
    const sessionId = await again.complete();
    await again.advance(0);
    expect(again.sent).toHaveLength(10);
    expect(await again.control.deliveries({ sessionId })).toMatchObject([{ status: 'delivered' }]);
    expect(await again.health()).toMatchObject({ pending: 0, undelivered: 0 });
  });

  it('can be tested at once, although a test was in flight', async () => {
    const shared = createSharedMemory();
    const log = () => createMemoryLog(shared);
    const crashed = await createScene(never, { log: log(), pollMs: 0 });
    void crashed.control.testEndpoint(crashed.endpointId);
    while (crashed.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const again = await createScene(() => answered(204), { log: log(), pollMs: 0 });
    expect(await again.control.testEndpoint(again.endpointId)).toMatchObject({ success: true });
  });

  it('gets the events in flight only when their leases expire if other processes may share the log', async () => {
    const shared = createSharedMemory();
    const log = () => createMemoryLog(shared);
    const crashed = await createScene(never, { log: log(), pollMs: 1_000 });
    await crashed.complete(8);
    void crashed.advance(0);
    while (crashed.sent.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const again = await createScene(() => answered(204), { log: log(), pollMs: 1_000 });
    await again.advance(29 * SECOND);
    expect(again.sent).toEqual([]);
    await again.advance(SECOND);
    expect(again.sent).toHaveLength(8);
  });
});

describe('an inline event', () => {
  it.each<[string, WebhookResult, number[], string | null]>([
    [
      'three times, with waits of one and two seconds',
      answered(500),
      [0, 1_000, 3_000],
      'attempts',
    ],
    ['once if it is rejected', answered(401), [0], 'rejected'],
    [
      'three times, each time after a short Retry-After',
      answered(429, '2'),
      [0, 2_000, 4_000],
      'attempts',
    ],
  ])('is attempted %s', async (_name, result, starts, reason) => {
    const { control, advance, sent } = await createScene(() => result, ALL_EVENTS);
    const { id } = await control.trigger({ name: 'never' });
    await advance(30 * SECOND);
    expect(sent.map(({ atMs }) => atMs)).toEqual(starts);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(await control.deliveries({ sessionId: id })).toMatchObject([
      { status: 'undelivered', reason },
    ]);
  });

  it('is sent after a Retry-After of a minute', async () => {
    const { control, advance, sent } = await createScene(
      (_url, n) => (n === 1 ? answered(503, '60') : answered(204)),
      ALL_EVENTS,
    );
    const { id } = await control.trigger({ name: 'never' });
    await advance(MINUTE);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, MINUTE]);
    expect(await control.deliveries({ sessionId: id })).toMatchObject([{ status: 'delivered' }]);
  });

  it('waits for a failing endpoint, but for ten minutes at most', async () => {
    let status = 500;
    const { control, advance, complete, sent, health } = await createScene(
      () => answered(status),
      ALL_EVENTS,
    );
    await complete(8);
    await advance(HOUR);
    expect((await health()).state).toBe('failing');
    const { id: first } = await control.trigger({ name: 'never' });
    const before = sent.length;
    await advance(0);
    expect(sent).toHaveLength(before);
    expect(await control.deliveries({ sessionId: first })).toMatchObject([{ status: 'pending' }]);
    await advance(10 * MINUTE);
    expect(await control.deliveries({ sessionId: first })).toMatchObject([
      { event: 'session.started', status: 'undelivered', reason: 'expired' },
      { event: 'session.timeout' },
    ]);

    const { id: second } = await control.trigger({ name: 'never' });
    status = 204;
    await advance(10 * MINUTE - 1);
    expect(await control.deliveries({ sessionId: second })).toMatchObject([
      { event: 'session.started', status: 'delivered' },
    ]);
  });
});

describe('a timeout event', () => {
  it.each([
    [3, [0, 5_000, 15_000]],
    [1, [0]],
    [5, [0, 5_000, 15_000, 35_000, 75_000]],
  ])(
    'is attempted at multiples of five seconds (attempts: %i)',
    async (timeoutAttempts, starts) => {
      const scene = await createScene(() => answered(500), {
        endpoints: [{ url: HOOK, events: ['session.timeout'] }],
        tenant: { timeoutAttempts },
      });
      await scene.control.trigger({ name: 'timeout' });
      await scene.advance(10 * MINUTE);
      const [first, ...rest] = scene.sent.map(({ atMs }) => atMs);
      expect(first).toBe(starts[0]);
      expect(rest).toHaveLength(starts.length - 1);
      expect(rest).toEqual(starts.slice(1));
      expect(await scene.control.deliveries()).toMatchObject([{ reason: 'attempts' }]);
    },
  );
});
