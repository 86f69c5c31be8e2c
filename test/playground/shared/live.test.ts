/** The queries of a page, at a real service behind a network that can record, delay and fail requests. */
import { createMockService, type MockService } from 'ofage-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../playground/shared/live-clock.ts';
import { type Slots, findSlots } from '../../../playground/shared/live-stream.ts';
import { type LiveParts, type Opened, createLive } from '../../../playground/shared/live.ts';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';
import { waitFor } from '../../support/wait-for.ts';

const NOW = '2026-11-21T08:00:00.000Z';

let service: MockService;
let provider: Provider;
let tenantId: string;
let isDown: boolean;
let asked: string[];
let open: Opened<unknown>[];

beforeEach(async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  service = createMockService({ clock: { now: Date.UTC(2026, 0, 1), frozen: true } });
  ({ tenantId } = await service.ready);
  isDown = false;
  asked = [];
  open = [];
  provider = createProvider({
    apiOrigin: service.apiOrigin,
    async fetch(request) {
      if (isDown) throw new TypeError('fetch failed');
      asked.push(`${request.method} ${new URL(request.url).pathname.replace('/control/v1', '')}`);
      return service.fetch(request);
    },
  });
});
afterEach(async () => {
  for (const { close } of open) close();
  await service.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Opens a query and resolves once it is loaded. */
async function load<T>(query: Parameters<typeof provider.live.open<T>>[0]): Promise<Opened<T>> {
  const opened = provider.live.open(query);
  open.push(opened as Opened<unknown>);
  await waitFor(() => expect(opened.data.value).not.toBeNull());
  return opened;
}

const loadNames = () =>
  load({
    key: 'names',
    topics: ['tenant'],
    read: async () => (await provider.client.tenants()).map(({ name }) => name),
  });
const readsOfTenants = () => asked.filter((one) => one === 'GET /tenants').length;

describe('a query', () => {
  it('is read again after a change of its topic by anyone, and not after another', async () => {
    const names = await loadNames();
    await service.control.updateTenant(tenantId, { name: 'Shop B' });
    await waitFor(() => expect(names.data.value).toEqual(['Shop B']));
    const before = readsOfTenants();
    await service.control.createKeyPair(tenantId);
    await service.control.updateTenant(tenantId, { name: 'Shop C' });
    await waitFor(() => expect(names.data.value).toEqual(['Shop C']));
    // One read for the second name, and none for the keys.
    expect(readsOfTenants()).toBe(before + 1);
  });

  it('is read few times during a burst of changes', async () => {
    const names = await loadNames();
    const before = readsOfTenants();
    for (let n = 1; n <= 50; n += 1) await service.control.updateTenant(tenantId, { name: `${n}` });
    await waitFor(() => expect(names.data.value).toEqual(['50']));
    expect(readsOfTenants() - before).toBeLessThan(15);
  });

  it('shares one read with the other queries of its key, until the last is closed', async () => {
    const read = vi.fn(async () => 'data');
    const query = { key: 'shared', topics: ['session' as const], read };
    const [one, other] = [await load(query), await load(query)];
    expect(read).toHaveBeenCalledTimes(1);
    one.close();
    await other.reload();
    expect(read).toHaveBeenCalledTimes(2);
    other.close();
    await other.reload();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('shows the effect of a change by the time the change resolves', async () => {
    const names = await loadNames();
    const count = await load({
      key: 'count',
      topics: ['key'],
      read: async () => (await provider.client.keyPairs(tenantId)).length,
    });
    await provider.client.updateTenant(tenantId, { name: 'Shop C' });
    expect(names.data.value).toEqual(['Shop C']);
    await provider.client.createKeyPair(tenantId);
    expect(count.data.value).toBe(2);
  });

  it('that counts much is read at most once in its time, and no change waits for it', async () => {
    let reads = 0;
    let letGo = (): void => {};
    const counted = await load({
      key: 'counted',
      topics: ['tenant'],
      gatherMs: 1_000,
      isAwaited: false,
      async read() {
        reads += 1;
        if (reads > 1) await new Promise<void>((resolve) => (letGo = resolve));
        return reads;
      },
    });
    const names = await loadNames();
    // A change that waited for the read would never resolve.
    for (const name of ['A', 'B', 'C']) await provider.client.updateTenant(tenantId, { name });
    expect(names.data.value).toEqual(['C']);
    expect(reads).toBe(1);
    await waitFor(() => expect(reads).toBe(2));
    letGo();
    await waitFor(() => expect(counted.data.value).toBe(2));
  });

  it('is read once more when a change arrives during a read, whose answer may be older', async () => {
    const answers = ['old', 'new'];
    const gates: (() => void)[] = [];
    const query = provider.live.open({
      key: 'slow',
      topics: ['session'],
      async read() {
        const answer = answers.shift();
        await new Promise<void>((letGo) => gates.push(letGo));
        return answer;
      },
    });
    open.push(query as Opened<unknown>);
    await waitFor(() => expect(gates).toHaveLength(1));
    const again = query.reload();
    gates[0]?.();
    await waitFor(() => expect(gates).toHaveLength(2));
    gates[1]?.();
    await again;
    expect(query.data.value).toBe('new');
  });

  it('without topics is read again only after a reset of the service', async () => {
    const read = vi.fn(async () => 'constant');
    await load({ key: 'constant', topics: [], read });
    await provider.client.createKeyPair(tenantId);
    expect(read).toHaveBeenCalledTimes(1);
    await provider.client.reset();
    await waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  });

  it('is repeated at its interval until it is closed, and ignores a late answer', async () => {
    const read = vi.fn(async () => 'data');
    const query = await load({ key: 'repeated', topics: [], everyMs: 20, read });
    await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(2));
    query.close();
    const calls = read.mock.calls.length;
    const later = vi.fn(async () => 'data');
    await load({ key: 'later', topics: [], everyMs: 20, read: later });
    await waitFor(() => expect(later.mock.calls.length).toBeGreaterThan(3));
    expect(read.mock.calls.length - calls).toBeLessThan(2);
  });

  it('keeps its data during an outage, says why, and recovers by itself', async () => {
    const names = await loadNames();
    const before = names.data.value;
    expect(before).toHaveLength(1);
    isDown = true;
    await names.reload();
    expect(names.error.value).toMatch(/^Cannot reach the mock at /);
    expect(names.data.value).toEqual(before);
    isDown = false;
    await waitFor(() => expect(names.error.value).toBe(''));
  });
});

/** Creates the queries of a page whose service writes what the test says. */
function aPage(parts: Partial<LiveParts> = {}) {
  const listeners = new Set<() => void>();
  let write = (_text: string): void => {};
  let streams = 0;
  const page = {
    visibilityState: 'visible' as DocumentVisibilityState,
    addEventListener: (_: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => void listeners.delete(listener),
  };
  const live = createLive({
    page: page as unknown as NonNullable<LiveParts['page']>,
    slots: null,
    readClock: async () => ({ now: NOW, frozen: true, offsetMs: 0, nextDue: null }),
    async openStream(signal) {
      streams += 1;
      signal.addEventListener('abort', () => (streams -= 1), { once: true });
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          write = (text) => controller.enqueue(new TextEncoder().encode(text));
        },
      });
      return new Response(body);
    },
    ...parts,
  });
  return {
    live,
    write: (text: string) => write(text),
    get streams() {
      return streams;
    },
    show(state: DocumentVisibilityState) {
      page.visibilityState = state;
      for (const listener of listeners) listener();
    },
  };
}

it('a read that throws at once counts as failed, and is repeated', async () => {
  let isBroken = true;
  const query = provider.live.open({
    key: 'broken',
    topics: ['session'],
    read: (): Promise<string> => {
      if (isBroken) throw new Error('no such query');
      return Promise.resolve('data');
    },
  });
  open.push(query);
  await query.reload();
  expect(query.error.value).toContain('no such query');
  isBroken = false;
  await query.reload();
  expect(query.data.value).toBe('data');
});

describe('the stream of a page', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('notifies of each message, however the service cuts its text', async () => {
    const page = aPage();
    const heard: unknown[] = [];
    const stop = page.live.onMessage((message) => heard.push(message));
    await vi.advanceTimersByTimeAsync(0);
    for (const part of [
      ': hello\n\nid: a-0\n\nid: a-1\nevent: ses',
      'sion\ndata: {"id":1}\n',
      '\n',
    ]) {
      page.write(part);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(heard).toEqual([
      { topic: 'reload', data: null },
      { topic: 'session', data: { id: 1 } },
    ]);
    stop();
  });

  it('counts as lost after five seconds of silence, and is opened again', async () => {
    const page = aPage();
    const stop = page.live.onMessage(() => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(page.live.connection.value).toBe('open');
    await vi.advanceTimersByTimeAsync(4_000);
    page.write(': still here\n\n');
    await vi.advanceTimersByTimeAsync(4_000);
    expect(page.live.connection.value).toBe('open');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.live.connection.value).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(page.live.connection.value).toBe('open');
    expect(page.streams).toBe(1);
    stop();
  });

  it('is closed while the page is hidden, unless the page stays awake', async () => {
    const page = aPage();
    const read = vi.fn(async () => 'data');
    const query = page.live.open({ key: 'data', topics: ['session'], everyMs: 1_000, read });
    await vi.advanceTimersByTimeAsync(1);
    page.show('hidden');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([page.streams, page.live.connection.value]).toEqual([0, 'paused']);
    const before = read.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read.mock.calls).toHaveLength(before);
    page.show('visible');
    await vi.advanceTimersByTimeAsync(1);
    expect(page.streams).toBe(1);
    expect(read.mock.calls.length).toBeGreaterThan(before);
    const sleep = page.live.stayAwake();
    page.show('hidden');
    await vi.advanceTimersByTimeAsync(1);
    expect(page.streams).toBe(1);
    sleep();
    expect(page.streams).toBe(0);
    query.close();
  });

  it.each([true, false])(
    'is not opened if the page is hidden while it waits for a slot, which is free: %s',
    async (isFree) => {
      let answer = (): void => {};
      const slots: Slots = {
        async run(work) {
          await new Promise<void>((resolve) => (answer = resolve));
          if (isFree) await work();
          return isFree;
        },
      };
      const page = aPage({ slots });
      const query = page.live.open({ key: 'data', topics: [], read: async () => 'data' });
      await vi.advanceTimersByTimeAsync(1);
      page.show('hidden');
      answer();
      await vi.advanceTimersByTimeAsync(1);
      expect([page.streams, page.live.connection.value]).toEqual([0, 'paused']);
      query.close();
    },
  );

  it('is awaited again by the reads of a page that nobody used for a while', async () => {
    (await load({ key: 'early', topics: [], read: async () => 'data' })).close();
    for (const { close } of open) close();
    expect(provider.live.connection.value).toBe('paused');
    const connections: string[] = [];
    await load({
      key: 'late',
      topics: [],
      async read() {
        connections.push(provider.live.connection.value);
        return 'data';
      },
    });
    expect(connections).toEqual(['open']);
  });

  it('is replaced by a read every two seconds if other pages hold all streams', async () => {
    const slots: Slots = { run: async () => false };
    const page = aPage({ slots });
    const read = vi.fn(async () => 'data');
    const query = page.live.open({ key: 'data', topics: ['session'], read });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(page.streams).toBe(0);
    expect(page.live.connection.value).toBe('open');
    expect(read.mock.calls.length).toBeGreaterThanOrEqual(5);
    query.close();
  });
});

it('findSlots() gives three of the pages of a browser a stream, and the next one when one ends', async () => {
  const held = new Set<string>();
  const locks = {
    async request(name: string, _: unknown, work: (lock: object | null) => Promise<unknown>) {
      if (held.has(name)) return work(null);
      held.add(name);
      return work({}).finally(() => held.delete(name));
    },
  } as unknown as LockManager;
  const slots = findSlots(locks);
  const ends: (() => void)[] = [];
  const hold = () => new Promise<void>((end) => ends.push(end));
  const first = [1, 2, 3].map(() => slots?.run(hold));
  await waitFor(() => expect(ends).toHaveLength(3));
  expect(await slots?.run(hold)).toBe(false);
  ends[1]?.();
  expect(await first[1]).toBe(true);
  expect(await slots?.run(async () => {})).toBe(true);
});

describe("the page's clock", () => {
  beforeEach(() => void vi.useFakeTimers());

  it('ticks every second from the last reading, and stands still while it is frozen', () => {
    const clock = createClock();
    const stop = clock.start();
    clock.update({ now: NOW, frozen: false, offsetMs: 0, nextDue: null });
    vi.advanceTimersByTime(2_000);
    expect(clock.nowMs.value).toBe(Date.parse(NOW) + 2_000);
    clock.update({ now: NOW, frozen: true, offsetMs: 0, nextDue: null });
    vi.advanceTimersByTime(2_000);
    expect(clock.nowMs.value).toBe(Date.parse(NOW));
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("shows the computer's time before the first reading", () => {
    vi.setSystemTime(1_000);
    const clock = createClock();
    expect([clock.reading.value, clock.nowMs.value, clock.now()]).toEqual([null, 1_000, 1_000]);
  });
});
