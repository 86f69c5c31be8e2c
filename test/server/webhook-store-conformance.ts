import type { WebhookStore } from 'ofage/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What every store must do. `open` gives as many views of one fresh store as are asked for: servers
 * that share it, or the same object again where a store lives in one process.
 */
export function webhookStoreConformance(
  name: string,
  open: (views: number) => readonly WebhookStore[],
): void {
  describe(`${name} as a webhook store`, () => {
    let a: WebhookStore;
    let b: WebhookStore;
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 2) });
      [a, b] = open(2) as [WebhookStore, WebhookStore];
    });
    afterEach(() => void vi.useRealTimers());
    const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

    it('gives an event to the first who asks, and to nobody else meanwhile', async () => {
      expect(await a.claim('e', 't1', 1000)).toBe('new');
      expect(await b.claim('e', 't2', 1000)).toBe('in_progress');
      expect(await a.claim('e', 't3', 1000)).toBe('in_progress');
    });

    it('gives it to one of many who ask at the same moment', async () => {
      const stores = open(8);
      const asking = stores.map((store, index) => store.claim('e', `t${index}`, 1000));
      const claims = (await Promise.all(asking)).sort();
      expect(claims).toEqual([...Array.from({ length: 7 }, () => 'in_progress'), 'new']);
    });

    it('keeps events apart', async () => {
      expect(await a.claim('e', 't1', 1000)).toBe('new');
      expect(await a.claim('f', 't2', 1000)).toBe('new');
      await a.complete('e');
      expect(await b.claim('f', 't3', 1000)).toBe('in_progress');
    });

    it.each(['__proto__', 'constructor', '', "' OR 1=1 --", 'a b', 'é'])(
      'takes "%s" for a key like any other',
      async (key) => {
        expect(await a.claim(key, 't1', 1000)).toBe('new');
        await a.complete(key);
        expect(await b.claim(key, 't2', 1000)).toBe('done');
      },
    );

    it('says done once it is complete, also when the lease is long over', async () => {
      await a.claim('e', 't1', 1000);
      await a.complete('e');
      expect(await b.claim('e', 't2', 1000)).toBe('done');
      later(8 * DAY_MS - 1);
      expect(await b.claim('e', 't3', 1000)).toBe('done');
    });

    it('gives it again after a release', async () => {
      await a.claim('e', 't1', 1000);
      await a.release('e', 't1');
      expect(await b.claim('e', 't2', 1000)).toBe('new');
    });

    it('gives it again when the lease is over, and not a millisecond before', async () => {
      await a.claim('e', 't1', 1000);
      later(999);
      expect(await b.claim('e', 't2', 1000)).toBe('in_progress');
      later(1);
      expect(await b.claim('e', 't3', 1000)).toBe('new');
      expect(await a.claim('e', 't4', 1000)).toBe('in_progress');
    });

    it('ends a short lease in time, also behind a long one', async () => {
      await a.claim('long', 't1', 60_000);
      await a.claim('short', 't2', 1000);
      later(1000);
      expect(await b.claim('short', 't3', 1000)).toBe('new');
      expect(await b.claim('long', 't4', 1000)).toBe('in_progress');
    });

    it('lets nobody release what another has claimed since', async () => {
      await a.claim('e', 't1', 1000);
      later(1000);
      await b.claim('e', 't2', 1000);
      await a.release('e', 't1');
      expect(await a.claim('e', 't3', 1000)).toBe('in_progress');
    });

    it('never undoes a success: not by a release, not by a lease that is over', async () => {
      await a.claim('e', 't1', 1000);
      later(1000);
      await b.claim('e', 't2', 1000);
      await a.complete('e'); // late, and still true
      await b.release('e', 't2');
      expect(await a.claim('e', 't3', 1000)).toBe('done');
    });

    it('takes a completion of what it has forgotten', async () => {
      await a.complete('e');
      await a.complete('e');
      expect(await b.claim('e', 't1', 1000)).toBe('done');
    });

    it('has nothing to release where nothing is claimed', async () => {
      await a.release('e', 't1');
      expect(await a.claim('e', 't2', 1000)).toBe('new');
    });

    it('forgets in the end', async () => {
      await a.claim('e', 't1', 1000);
      await a.complete('e');
      later(400 * DAY_MS);
      expect(await b.claim('e', 't2', 1000)).toBe('new');
    });
  });
}
