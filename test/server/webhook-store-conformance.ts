import type { WebhookStore } from 'ofage/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Tests the contract of every store. `open` returns the requested number of views of one fresh store: the
 * stores of servers that share it, or the same object several times if the store lives in one process.
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

    it('grants the first claim on an event, and refuses others during its lease', async () => {
      expect(await a.claim('e', 't1', 1000)).toBe('new');
      expect(await b.claim('e', 't2', 1000)).toBe('in_progress');
      expect(await a.claim('e', 't3', 1000)).toBe('in_progress');
    });

    it('grants exactly one of many concurrent claims', async () => {
      const stores = open(8);
      const asking = stores.map((store, index) => store.claim('e', `t${index}`, 1000));
      const claims = (await Promise.all(asking)).sort();
      expect(claims).toEqual([...Array.from({ length: 7 }, () => 'in_progress'), 'new']);
    });

    it('handles the claims of different events independently', async () => {
      expect(await a.claim('e', 't1', 1000)).toBe('new');
      expect(await a.claim('f', 't2', 1000)).toBe('new');
      await a.complete('e');
      expect(await b.claim('f', 't3', 1000)).toBe('in_progress');
    });

    it.each(['__proto__', 'constructor', '', "' OR 1=1 --", 'a b', 'é'])(
      'accepts "%s" as a key',
      async (key) => {
        expect(await a.claim(key, 't1', 1000)).toBe('new');
        await a.complete(key);
        expect(await b.claim(key, 't2', 1000)).toBe('done');
      },
    );

    it('reports a completed event as done, even long after its lease', async () => {
      await a.claim('e', 't1', 1000);
      await a.complete('e');
      expect(await b.claim('e', 't2', 1000)).toBe('done');
      later(8 * DAY_MS - 1);
      expect(await b.claim('e', 't3', 1000)).toBe('done');
    });

    it('grants a new claim after a release', async () => {
      await a.claim('e', 't1', 1000);
      await a.release('e', 't1');
      expect(await b.claim('e', 't2', 1000)).toBe('new');
    });

    it('grants a new claim exactly when the lease expires', async () => {
      await a.claim('e', 't1', 1000);
      later(999);
      expect(await b.claim('e', 't2', 1000)).toBe('in_progress');
      later(1);
      expect(await b.claim('e', 't3', 1000)).toBe('new');
      expect(await a.claim('e', 't4', 1000)).toBe('in_progress');
    });

    it('expires a short lease on time, even after an earlier long one', async () => {
      await a.claim('long', 't1', 60_000);
      await a.claim('short', 't2', 1000);
      later(1000);
      expect(await b.claim('short', 't3', 1000)).toBe('new');
      expect(await b.claim('long', 't4', 1000)).toBe('in_progress');
    });

    it('ignores a release with the token of an expired claim', async () => {
      await a.claim('e', 't1', 1000);
      later(1000);
      await b.claim('e', 't2', 1000);
      await a.release('e', 't1');
      expect(await a.claim('e', 't3', 1000)).toBe('in_progress');
    });

    it('reports an event as done if it is completed after its lease expired and then released', async () => {
      await a.claim('e', 't1', 1000);
      later(1000);
      await b.claim('e', 't2', 1000);
      await a.complete('e'); // The lease has expired, but the event was handled.
      await b.release('e', 't2');
      expect(await a.claim('e', 't3', 1000)).toBe('done');
    });

    it('accepts a completion of an event that it does not know', async () => {
      await a.complete('e');
      await a.complete('e');
      expect(await b.claim('e', 't1', 1000)).toBe('done');
    });

    it('ignores the release of an event that is not claimed', async () => {
      await a.release('e', 't1');
      expect(await a.claim('e', 't2', 1000)).toBe('new');
    });

    it('forgets a completed event within 400 days', async () => {
      await a.claim('e', 't1', 1000);
      await a.complete('e');
      later(400 * DAY_MS);
      expect(await b.claim('e', 't2', 1000)).toBe('new');
    });
  });
}
