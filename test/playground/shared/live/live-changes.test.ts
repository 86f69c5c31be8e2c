import { describe, expect, it, vi } from 'vitest';
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

  it('updates the clock', async () => {
    await open(sources.accounts);
    const reading = await provider.client.clock.advance(60_000);
    expect(provider.live.clock.reading.value).toEqual(reading);
    expect(provider.live.clock.now()).toBe(Date.UTC(2026, 0, 1, 0, 1));
  });

  it('shows both keys of a new pair', async () => {
    const list = await open(sources.keys(tenantId));
    await provider.client.createKeyPair(tenantId);
    expect(list.data.value).toHaveLength(4);
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

  it('does not restore a resource that was deleted or reset meanwhile', async () => {
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
