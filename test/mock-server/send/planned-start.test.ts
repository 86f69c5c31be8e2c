import { expect, it } from 'vitest';
import type { DeliveryResource, WebhookResult } from 'ofage-mock';
import { aMock, answered, HOOK, type Mock } from '../../support/a-mock.ts';

/** Starts a verification, and returns the delivery of its first event. */
async function createDelivery(mock: Mock): Promise<DeliveryResource> {
  const { sessionId } = await mock.create();
  return (await mock.control.deliveries({ sessionId }))[0]!;
}

async function aLane(answer: () => WebhookResult): Promise<Mock> {
  const mock = await aMock({ answer });
  await mock.control.createEndpoint(mock.tenantId, { url: HOOK, events: ['session.started'] });
  return mock;
}

const reread = async (mock: Mock, { id }: DeliveryResource): Promise<DeliveryResource> =>
  (await mock.control.deliveries()).find((one) => one.id === id)!;

it.each([
  {
    lane: 'that was slowed down by failures',
    answer: () => answered(503),
    failures: 6,
    waitsFor: 'failures',
  },
  {
    lane: 'whose receiver asked for a pause',
    answer: () => answered(503, '120'),
    failures: 1,
    waitsFor: 'retry_after',
  },
])(
  'a new delivery of a lane $lane says when its attempt starts, and why then',
  async ({ answer, failures, waitsFor }) => {
    const mock = await aLane(answer);
    for (let n = 0; n < failures; n += 1) await mock.create();
    await mock.clock.advance(0);
    const created = await createDelivery(mock);
    expect(created.waitsFor).toBe(waitsFor);
    // The lane may send others first, which moves the start.
    let planned = created;
    let present = created;
    while (present.attempts.length === 0) {
      planned = present;
      const nowMs = (await mock.clock.now()).getTime();
      await mock.clock.advance(Math.max(0, Date.parse(planned.nextAttemptAt!) - nowMs));
      present = await reread(mock, created);
    }
    expect(present.attempts[0]?.startedAt).toBe(planned.nextAttemptAt);
  },
);

it('a retry starts by its own schedule, or later if its lane was slowed down', async () => {
  const mock = await aLane(() => answered(503));
  const first = await createDelivery(mock);
  await mock.clock.advance(0);
  const own = await reread(mock, first);
  expect(own).toMatchObject({ waitsFor: null, attempts: [{ n: 1 }] });
  for (let n = 0; n < 5; n += 1) await mock.create();
  await mock.clock.advance(0);
  const slowed = await reread(mock, first);
  expect(Date.parse(slowed.nextAttemptAt!)).toBeGreaterThanOrEqual(Date.parse(own.nextAttemptAt!));
});

it('a delivery in flight or at its end has no next attempt', async () => {
  const mock = await aLane(() => answered(204));
  let inFlight: DeliveryResource | undefined;
  const busy = await aMock({
    async answer() {
      [inFlight] = await busy.control.deliveries();
      return answered(204);
    },
  });
  await busy.control.createEndpoint(busy.tenantId, { url: HOOK, events: ['session.started'] });
  for (const one of [mock, busy]) await one.create();
  for (const one of [mock, busy]) await one.clock.advance(0);
  const ended = (await mock.control.deliveries())[0];
  expect(ended).toMatchObject({ status: 'delivered', nextAttemptAt: null, waitsFor: null });
  expect(inFlight).toMatchObject({ status: 'pending', nextAttemptAt: null, waitsFor: null });
});

it('a delivery to a public address that is held waits for its release', async () => {
  const mock = await aLane(() => answered(503));
  const held = await createDelivery(mock);
  await mock.clock.advance(0);
  const snapshot = await mock.control.snapshot();
  const loaded = await aMock();
  await loaded.control.loadSnapshot({ ...snapshot, webhooks: 'held' });
  expect(await reread(loaded, held)).toMatchObject({ waitsFor: 'release', nextAttemptAt: null });
  await loaded.control.releaseWebhooks();
  expect((await reread(loaded, held)).waitsFor).toBe(null);
});
