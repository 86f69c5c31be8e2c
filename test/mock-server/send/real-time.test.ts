import type { EndpointInput } from 'ofage-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeSender } from '../../../mock-server/send/node-sender.ts';
import { type RealClock, systemClock } from '../../../mock-server/store/clock.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { answered, createScene, HOUR, SECOND } from './scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const HANGING = 'https://hanging.example/hook';
const GOOD = 'https://good.example/hook';
const endpointsOf = (...urls: string[]): EndpointInput[] =>
  urls.map((url) => ({ url, events: ['verification.completed'] }));

describe('a receiver that hangs in real time', () => {
  // That it does not change the times of other requests either is P6 of the simulation.
  it('does not delay other endpoints', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const scene = await createScene(
      async (url) => {
        if (url === HANGING) await held;
        return answered(204);
      },
      { endpoints: endpointsOf(HANGING, GOOD), realClock: systemClock },
    );
    for (let n = 0; n < 50; n += 1) await scene.control.trigger({ name: 'verified' });
    const good = () => scene.sent.filter(({ url }) => url === GOOD).length;
    while (good() < 50) await new Promise((resolve) => setTimeout(resolve, 5));
    // At most eight requests are in flight until one of them ends.
    expect(scene.sent.filter(({ url }) => url === HANGING)).toHaveLength(8);
    release();
    await scene.service.close();
  });

  it('does not stop a move of the clock, in which each of its attempts times out', async () => {
    const { control, complete, advance, health } = await createScene(
      (url) => (url === HANGING ? new Promise(() => {}) : answered(204)),
      { endpoints: endpointsOf(HANGING, GOOD), realClock: systemClock },
    );
    const sessionId = await complete();
    await advance(HOUR);
    expect(await health()).toMatchObject({ state: 'failing' });
    const deliveries = await control.deliveries({ sessionId });
    const { attempts } = deliveries.find(({ url }) => url === HANGING)!;
    expect(attempts.length).toBeGreaterThan(10);
    for (const attempt of attempts)
      expect(attempt).toMatchObject({
        outcome: 'fail',
        error: 'timeout',
        durationMs: 15 * SECOND,
      });
    expect(deliveries.find(({ url }) => url === GOOD)).toMatchObject({ status: 'delivered' });
  });

  describe('over a socket', () => {
    let receiver: Receiver | undefined;
    afterEach(() => receiver?.close());

    it('has its connection closed when the attempt times out', async () => {
      receiver = await startReceiver(() => {}); // never responds
      const { complete, advance, service } = await createScene(() => answered(204), {
        endpoints: endpointsOf(`http://127.0.0.1:${receiver.port}/`),
        allowLoopbackWebhooks: true,
        sender: createNodeSender({ allowLoopback: true }),
        realClock: systemClock,
      });
      await complete();
      await advance(15 * SECOND);
      // If the request were still in flight, close() would wait for it, longer than this test may take.
      await service.close();
    });
  });
});

it('new events are still sent if the clock of the machine was set back after a failure', async () => {
  let offsetMs = 0;
  const realClock: RealClock = {
    now: () => Date.now() + offsetMs,
    wakeAt: (atMs, wake) => systemClock.wakeAt(atMs - offsetMs, wake),
  };
  const scene = await createScene((_url, n) => answered(n === 1 ? 500 : 204), {
    clock: {},
    realClock,
  });
  await scene.complete();
  await waitFor(async () => {
    expect(await scene.health()).toMatchObject({ consecutiveFailures: 1 });
  });
  offsetMs = -HOUR;
  const sessionId = await scene.complete();
  await waitFor(() => expect(scene.sent).toHaveLength(2));
  expect(scene.sent[1]?.body).toContain(sessionId);
  await scene.service.close();
});
