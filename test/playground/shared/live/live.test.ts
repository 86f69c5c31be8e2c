import { createMockService, type MockService } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestSession } from '../../../../playground/dashboard/test-session.ts';
import type { LiveList, ListSource } from '../../../../playground/shared/live.ts';
import type { ListItem } from '../../../../playground/shared/live/list-source.ts';
import { type Provider, createProvider } from '../../../../playground/shared/provider.ts';
import { RETURN_URL } from '../../../support/api.ts';
import { onReconnect } from '../../../../playground/shared/live/reconnect.ts';
import * as sources from '../../../../playground/shared/live/sources.ts';

const UNREACHABLE = 'Cannot reach the mock at https://api.ofage.example: is it running?';

/** The network between a page and the service, which can record, delay and fail requests. */
interface Network {
  /** Method and path of each request except that of the stream, in order. */
  readonly asked: string[];
  isDown: boolean;
  /** Holds back the responses to these requests until `letGo()` is called. */
  hold(path: string): { letGo(): void; readonly isWaiting: boolean };
}

let service: MockService;
let provider: Provider;
let network: Network;
let tenantId: string;
let closes: (() => void)[];

/** Opens a list and resolves once it is loaded. */
async function open<Item extends ListItem>(source: ListSource<Item>): Promise<LiveList<Item>> {
  const { list, close } = provider.live.openList(source);
  closes.push(close);
  await vi.waitFor(() => expect(list.data.value).not.toBeNull());
  return list;
}

async function create(externalUserId = 'member-1'): Promise<string> {
  const { secretKey } = await service.ready;
  const body = { returnUrl: RETURN_URL, externalUserId };
  return (await createTestSession(createProvider(service), secretKey, body)).sessionId;
}

const idsOf = (list: LiveList<ListItem>) => list.data.value?.map(({ id }) => id);

beforeEach(async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  closes = [];
  service = createMockService({ clock: { now: Date.UTC(2026, 0, 1), frozen: true } });
  ({ tenantId } = await service.ready);
  const held = new Map<string, { count: number; gate: Promise<void> }>();
  network = {
    asked: [],
    isDown: false,
    hold(path) {
      let letGo = (): void => {};
      const entry = { count: 0, gate: new Promise<void>((resolve) => (letGo = resolve)) };
      held.set(path, entry);
      return {
        letGo() {
          held.delete(path);
          letGo();
        },
        get isWaiting() {
          return entry.count > 0;
        },
      };
    },
  };
  provider = createProvider({
    apiOrigin: service.apiOrigin,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const path = pathname.replace('/control/v1', '');
      if (network.isDown) throw new TypeError('fetch failed');
      if (path !== '/stream') network.asked.push(`${request.method} ${path}`);
      const response = await service.fetch(request);
      const entry = held.get(path);
      if (entry) {
        entry.count += 1;
        await entry.gate;
      }
      return response;
    },
  });
});
afterEach(async () => {
  for (const close of closes) close();
  await service.close();
  vi.restoreAllMocks();
});

describe('a live list', () => {
  it('is read once and then updated only by the stream', async () => {
    const before = await create();
    const list = await open(sources.sessions({ tenantId }, 100));
    const after = await create();
    await vi.waitFor(() => expect(idsOf(list)).toEqual([before, after]));
    await service.control.settle(after, 'verified');
    await vi.waitFor(async () => {
      expect(list.data.value).toEqual((await service.control.sessions()).toReversed());
    });
    expect(network.asked.filter((one) => one === 'GET /sessions')).toHaveLength(1);
  });

  it.each<{ name: string; source: () => ListSource<any>; read: () => Promise<unknown> }>([
    { name: 'accounts', source: () => sources.accounts, read: () => service.control.tenants() },
    { name: 'faults', source: () => sources.faults, read: () => service.control.faults() },
    {
      name: 'endpoints',
      source: () => sources.endpoints(tenantId),
      read: () => service.control.endpoints(tenantId),
    },
    {
      name: 'keys',
      source: () => sources.keys(tenantId),
      read: async () =>
        (await service.control.keyPairs(tenantId)).flatMap(({ publishable, secret }) => [
          publishable,
          secret,
        ]),
    },
    {
      name: 'events',
      source: () => sources.events({}, 100),
      read: () => service.control.events(),
    },
    {
      name: 'deliveries',
      source: () => sources.deliveries({}, 100),
      read: () => service.control.deliveries(),
    },
    {
      name: 'requests',
      source: () => sources.requests({}, 100),
      read: async () => (await service.control.requests()).toReversed(),
    },
  ])('has the same $name as the service after many changes', async ({ name, source, read }) => {
    const list = await open(source());
    const { control } = service;
    const added = await control.createEndpoint(tenantId, {
      url: 'https://shop.example/webhooks',
    });
    const gone = await control.createEndpoint(tenantId, { url: 'https://shop.example/other' });
    const fault = await control.addFault({ operation: 'validate', fault: '500' });
    await control.addFault({ operation: 'webhook', fault: '503', count: 99 });
    const pair = await control.createKeyPair(tenantId);
    await control.setKeyStatus(pair.secret.id, 'revoked');
    await control.settle(await create(), 'verified');
    await create();
    await control.updateEndpoint(added.id, { enabled: false });
    await control.deleteEndpoint(gone.id);
    await control.deleteFault(fault.id);
    await control.updateTenant(tenantId, { name: 'Wine' });
    await service.clock.advance(3_600_000);
    await vi.waitFor(async () => {
      expect(list.data.value, name).toEqual(await read());
      expect(provider.live.clock.reading.value).toEqual(await service.clock.read());
    });
    expect(list.data.value?.length).toBeGreaterThan(0);
  });

  it('contains only the items of its source', async () => {
    const other = await service.control.createTenant({ name: 'Other' });
    const list = await open(sources.endpoints(tenantId));
    await service.control.createEndpoint(other.id, { url: 'https://other.example/hook' });
    const own = await service.control.createEndpoint(tenantId, {
      url: 'https://shop.example/hook',
    });
    await vi.waitFor(() => expect(idsOf(list)).toEqual([own.id]));
  });

  it('is shared by two views until both are closed', async () => {
    const first = provider.live.openList(sources.accounts);
    const second = provider.live.openList(sources.accounts);
    expect(second.list).toBe(first.list);
    await vi.waitFor(() => expect(first.list.data.value).toHaveLength(1));
    first.close();
    await service.control.createTenant();
    await vi.waitFor(() => expect(second.list.data.value).toHaveLength(2));
    second.close();
    await service.control.createTenant();
    const third = await open(sources.accounts);
    expect(third.data.value).toHaveLength(3);
  });

  it('is read again after a reset', async () => {
    await create();
    const list = await open(sources.sessions({}, 100));
    expect(list.data.value).toHaveLength(1);
    await service.control.reset();
    await vi.waitFor(() => expect(list.data.value).toEqual([]));
  });
});

describe('a list with a limit', () => {
  const LIMIT = 3;

  it('keeps the newest items and loads older ones on request', async () => {
    const ids = [await create(), await create()];
    const list = await open(sources.sessions({}, LIMIT));
    expect(list.hasOlder.value).toBe(false);
    for (let n = 0; n < 4; n += 1) {
      await service.clock.advance(1_000);
      ids.push(await create());
    }
    await vi.waitFor(() => expect(idsOf(list)).toEqual(ids.slice(-LIMIT)));
    expect(list.hasOlder.value).toBe(true);
    await list.loadOlder();
    expect(idsOf(list)).toEqual(ids);
    expect(list.hasOlder.value).toBe(false);
  });

  it('reads more items than fit on one page of the service', async () => {
    await service.control.updateTenant(tenantId, { rateLimits: { create: 2_000, validate: 1 } });
    const ids: string[] = [];
    for (let n = 0; n < 1_003; n += 1) ids.push(await create());
    const list = await open(sources.sessions({ tenantId }, 2_000));
    expect(idsOf(list)).toEqual(ids);
    expect(list.hasOlder.value).toBe(false);
    const newest = await open(sources.sessions({ tenantId }, 1_001));
    expect(idsOf(newest)).toEqual(ids.slice(-1_001));
    expect(newest.hasOlder.value).toBe(true);
  });

  it('ignores an item that is older than all items it keeps', async () => {
    const old = await create();
    for (let n = 0; n < LIMIT; n += 1) {
      await service.clock.advance(1_000);
      await create();
    }
    const list = await open(sources.sessions({}, LIMIT));
    const shown = idsOf(list);
    await service.control.settle(old, 'verified');
    const last = await create();
    await vi.waitFor(() => expect(idsOf(list)?.at(-1)).toBe(last));
    expect(idsOf(list)).toEqual([...(shown ?? []).slice(1), last]);
    expect(network.asked.filter((one) => one === 'GET /sessions')).toHaveLength(1);
  });

  it('has the newest items even if all have the same creation time, as with a frozen clock', async () => {
    const ids: string[] = [];
    for (let n = 0; n < LIMIT + 2; n += 1) ids.push(await create());
    const list = await open(sources.sessions({}, LIMIT));
    await service.control.settle(ids[0] ?? '', 'verified');
    ids.push(await create());
    await vi.waitFor(() => expect(idsOf(list)).toEqual(ids.slice(-LIMIT)));
  });
});

describe('the response to a change', () => {
  const body = { url: 'https://shop.example/hook' };

  it('is shown before the stream reports the change', async () => {
    const list = await open(sources.endpoints(tenantId));
    const { id } = await provider.client.createEndpoint(tenantId, body);
    expect(idsOf(list)).toEqual([id]);
    await provider.client.updateEndpoint(id, { enabled: false });
    expect(list.data.value?.[0]?.enabled).toBe(false);
    await provider.client.deleteEndpoint(id);
    expect(idsOf(list)).toEqual([]);
  });

  it('does not overwrite a newer state from the stream', async () => {
    const { id } = await service.control.createEndpoint(tenantId, body);
    const list = await open(sources.endpoints(tenantId));
    const gate = network.hold(`/webhook-endpoints/${id}`);
    const late = provider.client.updateEndpoint(id, { enabled: false });
    await vi.waitFor(() => expect(gate.isWaiting).toBe(true));
    await service.control.updateEndpoint(id, { enabled: true, events: ['session.timeout'] });
    await vi.waitFor(() => expect(list.data.value?.[0]?.events).toEqual(['session.timeout']));
    gate.letGo();
    await late;
    expect(list.data.value).toEqual(await service.control.endpoints(tenantId));
  });

  it('does not restore a resource that a deletion or a reset removed meanwhile', async () => {
    const { id } = await service.control.createEndpoint(tenantId, body);
    const list = await open(sources.endpoints(tenantId));
    for (const end of [
      () => service.control.deleteEndpoint(id),
      () => service.control.reset().then(() => undefined),
    ]) {
      const path = `/tenants/${tenantId}/webhook-endpoints`;
      const gate = network.hold(path);
      const late = provider.client.createEndpoint(tenantId, body);
      await vi.waitFor(() => expect(gate.isWaiting).toBe(true));
      const made = (await service.control.endpoints(tenantId)).at(-1);
      await end();
      if (made) await service.control.deleteEndpoint(made.id).catch(() => undefined);
      await vi.waitFor(() => expect(idsOf(list)).toEqual([]));
      gate.letGo();
      await late;
      expect(idsOf(list)).toEqual([]);
    }
  });
});

describe('a stale read', () => {
  it('does not overwrite changes that arrived while it was in flight', async () => {
    const created = [await create()];
    const gate = network.hold('/sessions');
    const { list, close } = provider.live.openList(sources.sessions({}, 100));
    closes.push(close);
    await vi.waitFor(() => expect(gate.isWaiting).toBe(true));
    created.push(await create());
    await service.control.settle(created[0] ?? '', 'cancelled');
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.letGo();
    await vi.waitFor(() => expect(idsOf(list)).toEqual(created));
    expect(list.data.value?.map(({ status }) => status)).toEqual(['cancelled', 'pending']);
  });

  it('is discarded after a reset', async () => {
    await create();
    const gate = network.hold('/sessions');
    const { list, close } = provider.live.openList(sources.sessions({}, 100));
    closes.push(close);
    const seen: unknown[] = [];
    closes.push(list.data.subscribe((data) => void (data && seen.push(data.length))));
    await vi.waitFor(() => expect(gate.isWaiting).toBe(true));
    await service.control.reset();
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.letGo();
    await vi.waitFor(() => expect(seen).toEqual([0]));
  });
});

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
