import type { WebhookResult } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/store/logs/memory.ts';
import { answered, createScene, kindsOf } from './scene.ts';

describe('a delivery on a shared log whose first request gets no response within the lease', () => {
  it('is sent again by a different process when the lease expires', async () => {
    const shared = createSharedMemory();
    let hasDied = (): void => {};
    const died = new Promise<void>((resolve) => (hasDied = resolve));
    const dying = await createScene(
      () => {
        hasDied();
        return new Promise(() => {});
      },
      { log: createMemoryLog(shared), pollMs: 1_000 },
    );
    const sessionId = await dying.complete();
    void dying.advance(0);
    await died;

    const heir = await createScene(() => answered(200), {
      log: createMemoryLog(shared),
      pollMs: 1_000,
    });
    await heir.advance(29_999);
    expect(heir.sent).toEqual([]);
    await heir.advance(1);
    expect(kindsOf(heir.sent)).toEqual(['verification.completed']);
    expect(heir.sent[0]?.body).toBe(dying.sent[0]?.body);
    expect(await heir.control.deliveries({ sessionId })).toMatchObject([
      {
        status: 'delivered',
        attempts: [
          { n: 1, outcome: 'lost', httpStatus: null },
          { n: 2, outcome: 'ok', httpStatus: 200 },
        ],
      },
    ]);
  });

  it.each<[number, string, string | null, string]>([
    [200, 'delivered', null, 'a late success counts'],
    [500, 'pending', null, 'a late failure does not count'],
  ])(
    'after a failed second attempt and a late %i is %s with the reason %s: %s',
    async (late, status, reason) => {
      const shared = createSharedMemory();
      let begun = (): void => {};
      let release = (_result: WebhookResult): void => {};
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const slow = await createScene(
        () => {
          begun();
          return new Promise((resolve) => (release = resolve));
        },
        { log: createMemoryLog(shared), pollMs: 1_000 },
      );
      const sessionId = await slow.complete();
      void slow.advance(0);
      await hasBegun;
      const heir = await createScene(() => answered(404), {
        log: createMemoryLog(shared),
        pollMs: 1_000,
      });
      await heir.advance(30_000);
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        {
          status: 'pending',
          attempts: [
            { n: 1, outcome: 'lost' },
            { n: 2, outcome: 'reject' },
          ],
        },
      ]);

      release(answered(late));
      await slow.service.close();
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        { status, reason, attempts: [{ n: 1 }, { n: 2, outcome: 'reject' }] },
      ]);
    },
  );

  it.each<[number, string, number, string, string]>([
    [200, 'delivered', 500, 'delivered', 'the failure of the second sender does not count'],
    [500, 'pending', 200, 'delivered', 'the late failure of the first sender does not count'],
  ])(
    'after a late %i during the second attempt is %s, and after a %i of the second attempt is %s: %s',
    async (late, statusBetween, heirs, status) => {
      const shared = createSharedMemory();
      const requests: ((result: WebhookResult) => void)[] = [];
      let begun = (): void => {};
      const hold = (): Promise<WebhookResult> => {
        begun();
        return new Promise((resolve) => requests.push(resolve));
      };
      const nextBegins = () => new Promise<void>((resolve) => (begun = resolve));
      const options = () => ({ log: createMemoryLog(shared), pollMs: 1_000 });
      let beginning = nextBegins();
      const slow = await createScene(hold, options());
      const sessionId = await slow.complete();
      void slow.advance(0);
      await beginning;
      beginning = nextBegins();
      const heir = await createScene(hold, options());
      const moved = heir.advance(30_000);
      await beginning;

      requests[0]?.(answered(late));
      await slow.service.close();
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        { status: statusBetween },
      ]);
      requests[1]?.(answered(heirs));
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
    },
  );
});
