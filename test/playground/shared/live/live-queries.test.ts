import { describe, expect, it, vi } from 'vitest';
import { onReconnect } from '../../../../playground/shared/live/reconnect.ts';
import * as sources from '../../../../playground/shared/live/sources.ts';
import {
  UNREACHABLE,
  closes,
  create,
  network,
  open,
  provider,
  service,
  useMirror,
} from './a-mirror.ts';

useMirror();

describe('a query', () => {
  it('reads again after relevant changes, never concurrently, and only a few times per burst', async () => {
    let pending = 0;
    let most = 0;
    let reads = 0;
    const { query, close } = provider.live.openQuery({
      topics: ['session'],
      async read() {
        reads += 1;
        most = Math.max(most, (pending += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        pending -= 1;
        return (await service.control.sessions()).length;
      },
    });
    closes.push(close);
    await vi.waitFor(() => expect(query.data.value).toBe(0));
    const before = reads;
    // The changes are concurrent, because on a busy machine sequential changes could each form a separate
    // burst.
    await Promise.all(Array.from({ length: 10 }, () => create()));
    await vi.waitFor(() => expect(query.data.value).toBe(10));
    expect(most).toBe(1);
    expect(reads - before).toBeLessThan(5);
    const known = reads;
    await service.control.addFault({ operation: 'validate', fault: '500' });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(reads).toBe(known);
  });

  it('collects changes for gatherMs before it reads again', async () => {
    let reads = 0;
    const { query, close } = provider.live.openQuery({
      topics: ['session'],
      gatherMs: 3_000,
      async read() {
        reads += 1;
        return (await service.control.sessions()).length;
      },
    });
    closes.push(close);
    await vi.waitFor(() => expect(query.data.value).toBe(0));
    const before = reads;
    await create();
    // Waits longer than the default time for collecting changes.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reads).toBe(before);
    await create();
    await vi.waitFor(() => expect(query.data.value).toBe(2), 20_000);
  });

  it('repeats its read at the interval everyMs until it is closed', async () => {
    let reads = 0;
    closes.push(
      provider.live.openQuery({ topics: [], everyMs: 20, read: async () => (reads += 1) }).close,
    );
    await vi.waitFor(() => expect(reads).toBeGreaterThan(3));
    closes.pop()?.();
    const known = reads;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reads).toBe(known);
  });

  it('ignores a response that arrives after it was closed', async () => {
    let answer: (value: string) => void = () => {};
    const { query, close } = provider.live.openQuery({
      topics: [],
      read: () => new Promise<string>((resolve) => (answer = resolve)),
    });
    const asking = query.reload();
    close();
    answer('late');
    await asking;
    expect(query.data.value).toBeNull();
  });
});

describe('an outage', () => {
  it('is reported by a query that is opened during it, and the query recovers automatically', async () => {
    const { live } = provider;
    const list = await open(sources.accounts);
    let isBack = false;
    closes.push(onReconnect(() => (isBack = true)));
    network.isDown = true;
    // A query that is opened now cannot read its data.
    const opened = live.openQuery({
      topics: [],
      read: () => provider.client.faults(),
    });
    closes.push(opened.close);
    await vi.waitFor(() => expect(opened.query.error.value).toBe(UNREACHABLE));
    network.isDown = false;
    await vi.waitFor(() => expect(opened.query.error.value).toBe(''), 5_000);
    expect(opened.query.data.value).toEqual([]);
    expect(list.error.value).toBe('');
    expect(isBack).toBe(false);
  });

  it('is reported within 6 seconds if the stream cannot be opened, and cleared afterwards', async () => {
    const { live } = provider;
    network.isDown = true;
    const { list, close } = live.openList(sources.accounts);
    closes.push(close);
    let backs = 0;
    closes.push(onReconnect(() => (backs += 1)));
    await vi.waitFor(() => {
      expect(live.connection.value).toBe('lost');
      expect(list.error.value).toBe(UNREACHABLE);
    }, 6_000);
    network.isDown = false;
    await vi.waitFor(() => {
      expect(live.connection.value).toBe('open');
      expect(list.error.value).toBe('');
      expect(list.data.value).toHaveLength(1);
    }, 6_000);
    expect(backs).toBe(1);
  });
});
