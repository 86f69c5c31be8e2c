import { systemClock } from '../../../mock-server/store/clock.ts';
import { createNodeSender } from '../../../mock-server/send/node-sender.ts';
import type { WebhookResult } from 'ofage/mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startFaultyReceiver, type FaultyReceiver } from '../../support/faulty-receiver.ts';
import { answered, createScene, DAY, MINUTE, SECOND } from './scene.ts';

const HANGING = 'https://hanging.example/hook';
const GOOD = 'https://good.example/hook';
const never = (): Promise<WebhookResult> => new Promise(() => {});

/** Creates a service on real time with one receiver that never responds and one that is healthy. */
const createHangingScene = () =>
  createScene((url) => (url === HANGING ? never() : answered(204)), {
    endpoints: [HANGING, GOOD].map((url) => ({ url, events: ['verification.completed'] as const })),
    realClock: systemClock,
  });

describe('a clock move while a receiver hangs', () => {
  it('passes a day although each attempt times out', async () => {
    const { control, complete, advance, health } = await createHangingScene();
    const sessionId = await complete();
    await advance(DAY + MINUTE);

    expect(await health()).toMatchObject({ state: 'paused', pauseReason: 'failing' });
    const deliveries = await control.deliveries({ sessionId });
    const { attempts } = deliveries.find(({ url }) => url === HANGING)!;
    expect(attempts.length).toBeGreaterThan(140);
    for (const attempt of attempts) {
      const { outcome, error, durationMs } = attempt;
      expect({ outcome, error, durationMs }).toEqual({
        outcome: 'fail',
        error: 'timeout',
        durationMs: 15 * SECOND,
      });
    }
    expect(deliveries.find(({ url }) => url === GOOD)).toMatchObject({ status: 'delivered' });
  }, 60_000);

  it('does not delay new events of other endpoints', async () => {
    const { control, complete, advance, sent } = await createHangingScene();
    await complete();
    let isMoving = true;
    const move = advance(10 * MINUTE).then(() => (isMoving = false));
    while (sent.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const { id } = await control.trigger({ name: 'verified' });
    await vi.waitFor(async () => {
      const deliveries = await control.deliveries({ sessionId: id });
      expect(deliveries.find(({ url }) => url === GOOD)).toMatchObject({ status: 'delivered' });
    }, 10_000);
    expect(isMoving).toBe(true);
    await move;
  }, 60_000);

  describe('over sockets', () => {
    let receiver: FaultyReceiver | undefined;
    afterEach(() => receiver?.close());

    it('closes the connection when the attempt times out', async () => {
      receiver = await startFaultyReceiver();
      receiver.behave({ kind: 'hang' });
      const { complete, advance, service } = await createScene(() => answered(204), {
        endpoints: [`http://127.0.0.1:${receiver.port}/`].map((url) => ({
          url,
          events: ['verification.completed'] as const,
        })),
        allowLoopbackWebhooks: true,
        sender: createNodeSender({ allowLoopback: true }),
        realClock: systemClock,
      });
      await complete();
      await advance(15 * SECOND);
      // If the request were still in flight, close() would wait for it, longer than this test may take.
      await service.close();
    }, 60_000);
  });
});
