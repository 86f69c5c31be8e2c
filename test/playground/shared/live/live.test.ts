import { describe, expect, it, vi } from 'vitest';
import type { ListSource } from '../../../../playground/shared/live.ts';
import * as sources from '../../../../playground/shared/live/sources.ts';
import {
  closes,
  create,
  idsOf,
  network,
  open,
  provider,
  service,
  tenantId,
  useMirror,
} from './a-mirror.ts';

useMirror();

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
