import type { DeliveryResource } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { answered, createScene, HOOK, MINUTE, SECOND } from './scene.ts';

const BAD = 'refused-for-its-content';

/** Creates a service whose receiver rejects the events of one shopper and accepts all others. */
async function createPickyScene(status: number) {
  const scene = await createScene(
    (_url, n) => answered(scene.sent[n - 1]?.body.includes(BAD) ? status : 204),
    { endpoints: [{ url: HOOK }] },
  );
  const { control, advance } = scene;
  return {
    ...scene,
    refuse: async (name: 'verified' | 'timeout') =>
      (await control.trigger({ name, externalUserId: BAD })).id,
    /** Completes a session every `everyMs` milliseconds for `forMs` milliseconds. */
    async completeEvery(everyMs: number, forMs: number): Promise<string[]> {
      const ids: string[] = [];
      for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
        ids.push((await control.trigger({ name: 'verified' })).id);
        await advance(everyMs);
      }
      return ids;
    },
    async waitsOf(sessionId: string, event: string): Promise<number[]> {
      const deliveries = await control.deliveries({ sessionId });
      const { attempts } = deliveries.find((one) => one.event === event) as DeliveryResource;
      const starts = attempts.map(({ startedAt }) => Date.parse(startedAt));
      return starts.slice(1).map((start, n) => start - starts[n]!);
    },
  };
}

describe('an event that the receiver never accepts, while it accepts others,', () => {
  // Without jitter the backoff allows 7 attempts in ten minutes and 12 in an hour. Jitter allows one more.
  it.each([
    { everyMs: SECOND, forMs: 10 * MINUTE, least: 7 },
    { everyMs: 10 * SECOND, forMs: 60 * MINUTE, least: 12 },
    { everyMs: MINUTE, forMs: 60 * MINUTE, least: 12 },
  ])(
    'is attempted at least $least times in $forMs ms, with a success every $everyMs ms',
    async ({ everyMs, forMs, least }) => {
      const { refuse, completeEvery, waitsOf } = await createPickyScene(422);
      const id = await refuse('verified');
      await completeEvery(everyMs, forMs);
      const waits = await waitsOf(id, 'verification.completed');
      expect(waits.length + 1).toBeGreaterThanOrEqual(least);
      expect(waits.length + 1).toBeLessThanOrEqual(least + 1);
      for (const [n, waitMs] of waits.entries()) {
        const backoffMs = Math.min(600, 5 * 2 ** n) * SECOND;
        expect(waitMs).toBeGreaterThanOrEqual(0.85 * backoffMs);
        expect(waitMs).toBeLessThanOrEqual(backoffMs + everyMs);
      }
    },
    120_000,
  );

  it.each([
    [1, 0, 0],
    [2, 0, 0],
    [10, MINUTE, 0],
    [10, 0, 4 * SECOND],
  ])(
    'does not lose other events (number of rejected events: %i, one every %i ms), and delays none by more than %i ms',
    async (count, everyMs, mostMs) => {
      const { control, refuse, completeEvery } = await createPickyScene(422);
      const accepted: string[] = [];
      for (let n = 0; n < count; n += 1) {
        await refuse('verified');
        accepted.push(...(await completeEvery(SECOND, everyMs)));
      }
      accepted.push(...(await completeEvery(SECOND, 2 * MINUTE)));
      for (const sessionId of accepted) {
        const deliveries = await control.deliveries({ sessionId });
        expect(deliveries.map(({ event }) => event).sort()).toEqual([
          'session.started',
          'verification.completed',
        ]);
        for (const { createdAt, deliveredAt } of deliveries)
          expect(Date.parse(deliveredAt ?? '') - Date.parse(createdAt)).toBeLessThanOrEqual(mostMs);
      }
    },
    120_000,
  );

  it('is attempted three times, at multiples of five seconds, if it is a timeout event', async () => {
    const { refuse, completeEvery, waitsOf } = await createPickyScene(500);
    const id = await refuse('timeout');
    await completeEvery(200, 30 * SECOND);
    expect(await waitsOf(id, 'session.timeout')).toEqual([5 * SECOND, 10 * SECOND]);
  });
});
