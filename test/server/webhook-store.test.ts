import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMemoryWebhookStore } from 'ofage/server';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createSqliteWebhookStore } from './recipes/snippets/sqlite-store.ts';
import { webhookStoreConformance } from './webhook-store-conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'ofage-webhook-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

webhookStoreConformance('createMemoryWebhookStore()', (views) => {
  const store = createMemoryWebhookStore();
  return Array.from({ length: views }, () => store);
});

webhookStoreConformance("the guide's SQLite store with one connection per server", (views) => {
  files += 1;
  const file = join(folder, `${files}.sqlite`);
  return Array.from({ length: views }, () => createSqliteWebhookStore(file));
});

describe('createMemoryWebhookStore()', () => {
  afterEach(() => void vi.useRealTimers());

  async function isDone(store: ReturnType<typeof createMemoryWebhookStore>, key: string) {
    const claim = await store.claim(key, 'probe', 1000);
    if (claim === 'new') await store.release(key, 'probe');
    return claim === 'done';
  }

  it('keeps at most maxEntries events and evicts the one completed longest ago', async () => {
    const store = createMemoryWebhookStore({ maxEntries: 3 });
    for (const key of ['a', 'b', 'c', 'a', 'd']) await store.complete(key);
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((key) => isDone(store, key)))).toEqual([
      true, // completed again after b and c
      false,
      true,
      true,
    ]);
  });

  it('never evicts an event in progress', async () => {
    const store = createMemoryWebhookStore({ maxEntries: 1 });
    expect(await store.claim('busy', 't1', 60_000)).toBe('new');
    for (let index = 0; index < 50; index += 1) await store.complete(`e${index}`);
    expect(await store.claim('busy', 't2', 60_000)).toBe('in_progress');
  });

  it('keeps a completed event for retentionMs', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const store = createMemoryWebhookStore({ retentionMs: 1000 });
    await store.complete('e');
    vi.setSystemTime(999);
    expect(await isDone(store, 'e')).toBe(true);
    vi.setSystemTime(1000);
    expect(await isDone(store, 'e')).toBe(false);
  });

  it('needs less than 200 bytes per entry and frees evicted entries', async () => {
    const full = await retainedBytes(20_000);
    expect(full).toBeLessThan(20_000 * 200);
    expect(await retainedBytes(60_000)).toBeLessThan(20_000 * 200);
  });

  it('frees the claims of handlers that crashed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const store = createMemoryWebhookStore();
    const claimAll = async (first: number): Promise<void> => {
      for (let index = 0; index < 20_000; index += 1) {
        await store.claim(toKey(first + index), 'token', 1000);
      }
    };
    await claimAll(0);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let round = 1; round <= 4; round += 1) {
      vi.setSystemTime(round * 1000);
      await claimAll(round * 20_000);
    }
    collect();
    // Four times as many claims as at the start would need four megabytes more.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000 * 200);
    expect(await store.claim(toKey(80_000), 'token', 1000)).toBe('in_progress');
  });
});

const toKey = (index: number): string =>
  `b5b1b7a0-27c6-4a93-bd4a-${String(index).padStart(12, '0')}`;

/** Measures the heap growth in bytes after `events` events in a store that keeps at most 20,000 entries. */
async function retainedBytes(events: number): Promise<number> {
  const store = createMemoryWebhookStore({ maxEntries: 20_000 });
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < events; index += 1) {
    const key = toKey(index);
    await store.claim(key, 'token', 60_000);
    await store.complete(key);
  }
  collect();
  const after = process.memoryUsage().heapUsed;
  await store.complete('still in use');
  return after - before;
}
