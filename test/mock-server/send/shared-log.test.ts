import type { WebhookResult } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { ALL_EVENTS, answered, createScene, MINUTE } from './scene.ts';

type Scene = Awaited<ReturnType<typeof createScene>>;

// The simulation crashes processes, also on a shared log. Here the first process goes on.

/** Creates services of several processes on one state. */
function createProcesses({ isShared } = { isShared: true }) {
  const shared = createSharedMemory();
  return (answer: Parameters<typeof createScene>[0], options: object = {}) =>
    createScene(answer, { ...options, log: { ...createSharedMemoryLog(shared), isShared } });
}

/** Returns a receiver whose requests wait, and functions that answer the oldest of them. */
function createHolding() {
  const waiting: ((result: WebhookResult) => void)[] = [];
  let begin = (): void => {};
  return {
    hold: () =>
      new Promise<WebhookResult>((resolve) => {
        waiting.push(resolve);
        begin();
      }),
    /** Resolves when `count` requests wait. */
    async begun(count: number): Promise<void> {
      while (waiting.length < count) await new Promise<void>((resolve) => (begin = resolve));
    },
    release: (result: WebhookResult) => waiting.shift()?.(result),
  };
}

describe('a delivery on a shared log whose first request gets no response within the lease', () => {
  it.each<[number, string, string | null, string]>([
    [200, 'delivered', null, 'a late success counts'],
    [500, 'pending', null, 'a late failure does not count'],
  ])(
    'after a failed second attempt and a late %i is %s with the reason %s: %s',
    async (late, status, reason) => {
      const open = createProcesses();
      const { hold, begun, release } = createHolding();
      const slow = await open(hold);
      const sessionId = await slow.complete();
      void slow.advance(0);
      await begun(1);
      const heir = await open(() => answered(404));
      await heir.advance(30_000);
      const attempts = [
        { n: 1, outcome: 'lost' },
        { n: 2, outcome: 'reject' },
      ];
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        { status: 'pending', attempts },
      ]);

      release(answered(late));
      await slow.service.close();
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        { status, reason, attempts: [{ n: 1 }, { n: 2, outcome: 'reject' }] },
      ]);
    },
  );

  it.each<[number, string, number, string, number, string]>([
    [200, 'delivered', 500, 'delivered', 1, 'the failure of the second sender changes nothing'],
    [500, 'pending', 200, 'delivered', 0, 'the late failure of the first sender does not count'],
  ])(
    'after a late %i during the second attempt is %s, and after a %i of the second attempt is %s with %i failures of the endpoint: %s',
    async (late, statusBetween, heirs, status, failures) => {
      const open = createProcesses();
      const { hold, begun, release } = createHolding();
      const slow = await open(hold);
      const sessionId = await slow.complete();
      void slow.advance(0);
      await begun(1);
      const heir = await open(hold);
      const moved = heir.advance(30_000);
      await begun(2);

      release(answered(late));
      await slow.service.close();
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        { status: statusBetween },
      ]);
      release(answered(heirs));
      await moved;
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        {
          status,
          attempts: [
            { n: 1, outcome: late === 200 ? 'ok' : 'lost' },
            { n: 2, httpStatus: heirs },
          ],
        },
      ]);
      // The second sender had its lease until its end, so its failure slows the endpoint down.
      expect(await heir.health()).toMatchObject({ consecutiveFailures: failures });
    },
  );
});

it('a delivery keeps the time of its first success when a late copy succeeds too', async () => {
  const open = createProcesses();
  const { hold, begun, release } = createHolding();
  const slow = await open(hold);
  const sessionId = await slow.complete();
  void slow.advance(0);
  await begun(1);
  const heir = await open(() => answered(204));
  await heir.advance(30_000);
  const [before] = await heir.control.deliveries({ sessionId });
  expect(before).toMatchObject({ status: 'delivered', deliveredAt: '2026-01-01T00:00:30.000Z' });
  await heir.advance(60_000);
  release(answered(204));
  await slow.service.close();
  expect(await heir.control.deliveries({ sessionId })).toMatchObject([
    { deliveredAt: before?.deliveredAt, attempts: [{ outcome: 'ok' }, { outcome: 'ok' }] },
  ]);
});

it('the late failure of a process does not count as that of another process with the same seed', async () => {
  const open = createProcesses();
  const { hold, begun, release } = createHolding();
  const idle = await open(hold);
  const sessionId = await idle.complete();
  // Both draw the same values for the first attempt that they make.
  const slow = await open(hold, { seed: 7 });
  void slow.advance(0);
  await begun(1);
  const heir = await open(hold, { seed: 7 });
  const moved = heir.advance(30_000);
  await begun(2);
  release(answered(500));
  await slow.service.close();
  const endpoint = await heir.control.endpoint(heir.endpointId);
  expect(endpoint.health.consecutiveFailures).toBe(0);
  release(answered(204));
  await moved;
  expect(await heir.control.deliveries({ sessionId })).toMatchObject([{ status: 'delivered' }]);
});

it('a session.started is not sent again while the first process has it in flight', async () => {
  const open = createProcesses();
  const { hold, begun, release } = createHolding();
  const first = await open(hold, ALL_EVENTS);
  const { id } = await first.control.trigger({ name: 'never' });
  const moving = first.advance(0);
  await begun(1);
  const tab = await open(() => answered(204), ALL_EVENTS);
  const statusOf = async () => (await tab.control.deliveries({ sessionId: id }))[0]?.status;
  expect(await statusOf()).toBe('pending');
  release(answered(204));
  await moving;
  expect(await statusOf()).toBe('delivered');
  expect(tab.sent).toEqual([]);
});

it.each<[how: string, end: (scene: Scene) => Promise<unknown>, delivery: object]>([
  ['goes on', async () => {}, { status: 'undelivered', reason: 'lost' }],
  [
    'is disabled',
    ({ control, endpointId }) => control.updateEndpoint(endpointId, { enabled: false }),
    { status: 'undelivered', reason: 'disabled' },
  ],
  [
    'is deleted',
    ({ control, endpointId }) => control.deleteEndpoint(endpointId),
    { status: 'cancelled', reason: null },
  ],
])(
  'a session.started whose process dies during the request, while its endpoint %s, keeps its end',
  async (_how, end, delivery) => {
    const open = createProcesses();
    const { hold, begun } = createHolding();
    const dead = await open(hold, ALL_EVENTS);
    const { id } = await dead.control.trigger({ name: 'never' });
    void dead.advance(0);
    await begun(1);
    const heir = await open(() => answered(204), ALL_EVENTS);
    await end(heir);
    await heir.advance(MINUTE);
    expect(await heir.control.deliveries({ sessionId: id })).toMatchObject([
      { ...delivery, attempts: [{ outcome: 'lost' }] },
    ]);
    expect(heir.sent).toEqual([]);
  },
);

it('an endpoint can be tested at once after a restart, although a test was in flight', async () => {
  const open = createProcesses({ isShared: false });
  const { hold, begun } = createHolding();
  const crashed = await open(hold);
  void crashed.control.testEndpoint(crashed.endpointId);
  await begun(1);
  const again = await open(() => answered(204));
  expect(await again.control.testEndpoint(again.endpointId)).toMatchObject({ success: true });
});

it('a process that does not poll a shared log leaves the test of another process alone', async () => {
  const open = createProcesses();
  const { hold, begun } = createHolding();
  const first = await open(hold);
  void first.control.testEndpoint(first.endpointId);
  await begun(1);
  const second = await open(() => answered(204), { pollMs: 0 });
  await expect(second.control.testEndpoint(second.endpointId)).rejects.toThrow(
    'a request to it is in progress',
  );
});
