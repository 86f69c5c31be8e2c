/** The guide of the demo shop, with a real mock service and the real shop server. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProvider } from '../../../playground/shared/provider.ts';
import { openLab } from '../labs/a-lab.ts';
import { aStorage } from '../shared/a-storage.ts';

const SHOP = 'http://localhost/';
const page = { documentElement: { dataset: {} }, baseURI: SHOP, visibilityState: 'visible' };
vi.stubGlobal('document', Object.assign(new EventTarget(), page));
vi.stubGlobal('location', { search: '' });
const { createShopApi } = await import('../../../playground/shared/shop-api.ts');
const { askServer, checkOut, createShop } = await import('../../../playground/merchant/shop.ts');
const { createGuide } = await import('../../../playground/merchant/guide.ts');
const { followServer } = await import('../../../playground/merchant/follow-server.ts');

type Opened = Awaited<ReturnType<typeof open>>;
let my: Opened;

async function open() {
  aStorage();
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  const lab = await openLab();
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
    lab.backend.fetch(new Request(url, init)),
  );
  const provider = createProvider(lab.service);
  const shop = createShop(createShopApi());
  const stop = followServer(shop, provider.live);
  const guide = createGuide(shop, provider);
  await vi.waitFor(() => expect(shop.access.value).not.toBeNull());
  return {
    ...lab,
    shop,
    guide,
    /** Starts a verification through the shop's server. @returns the session's id and token */
    async check() {
      const { sessionId, verifyUrl } = await shop.api.checkout({ returnUrl: `${SHOP}return/` });
      return { sessionId, token: new URL(verifyUrl).searchParams.get('sessionToken') ?? '' };
    },
    async close() {
      guide.close();
      stop();
      await lab.service.close();
    },
  };
}

beforeEach(async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  my = await open();
});
afterEach(async () => {
  await my.close();
  vi.restoreAllMocks();
});

const isDone = (id: string) => vi.waitFor(() => expect(my.guide.done.value).toContain(id));

describe('a task of the guide', () => {
  it('is done once the service has recorded it', async () => {
    const { guide, check, client } = my;
    await guide.begin('failed');
    expect(guide.current.value).toBe('failed');
    const { sessionId } = await check();
    await client.settle(sessionId, 'failed_age_not_met');
    await isDone('failed');
    expect(guide.current.value).toBeNull();
    expect(guide.result.value).toEqual({ task: 'failed', text: 'Done.' });
    expect(guide.done.value).toEqual(['failed']);
  });

  it('is done after an order, which the live stream does not report', async () => {
    const { guide, check, client, shop } = my;
    await guide.begin('purchase');
    const { sessionId } = await check();
    await client.settle(sessionId, 'verified');
    await askServer(shop, sessionId);
    expect(shop.access.value?.access).toBe(true);
    expect(guide.done.value).not.toContain('purchase');
    await checkOut(shop);
    await isDone('purchase');
  });

  it('is not completed by an earlier session', async () => {
    const { guide, check, client } = my;
    await client.settle((await check()).sessionId, 'cancelled');
    await isDone('cancelled');
    await guide.begin('cancelled');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(guide.current.value).toBe('cancelled');
    await client.settle((await check()).sessionId, 'cancelled');
    await vi.waitFor(() => expect(guide.current.value).toBeNull());
  });

  it('moves the clock once the hosted page is open', async () => {
    const { guide, check, service } = my;
    const began = await service.clock.now();
    await guide.begin('expired');
    const { token } = await check();
    expect(guide.done.value).not.toContain('expired');
    await my.ask('/hosted/v1/heartbeat', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    await isDone('expired');
    expect((await service.clock.now()).getTime() - began.getTime()).toBe(10 * 60_000);
  });

  it('reports why it cannot start', async () => {
    const { guide, client, demo } = my;
    for (const { id } of await client.endpoints(demo.tenantId)) await client.deleteEndpoint(id);
    await guide.begin('paused');
    expect(guide.result.value).toEqual({
      task: 'paused',
      text: "The shop's webhook endpoint is gone: add it again on the dashboard.",
    });
    expect(guide.isBusy.value).toBe(false);
  });
});

it('pauses the webhooks, redelivers the missed events and resets all tasks', async () => {
  const { guide, client, demo } = my;
  await guide.begin('paused');
  expect(guide.result.value?.text).toContain('paused');
  expect(guide.isRefusing.value).toBe(true);
  await isDone('paused');
  await guide.begin('redelivered');
  expect(guide.result.value?.text).toContain('again.');
  expect(guide.isRefusing.value).toBe(false);
  await isDone('redelivered');
  // The task cancelled its own session. This must not complete the task `cancelled`, which waits for the
  // shopper.
  expect(guide.done.value).toEqual(['paused', 'redelivered']);
  const [endpoint] = await client.endpoints(demo.tenantId);
  expect(endpoint?.health).toMatchObject({ state: 'healthy', undelivered: 0 });

  await guide.startOver();
  expect(guide.done.value).toEqual([]);
  // The deliveries remain in the service but do not complete their tasks again.
  await client.trigger({ name: 'cancelled' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(guide.done.value).toEqual([]);
});

it("the page shows the state of the shop's server after a webhook or a validation", async () => {
  const { shop, check, client } = my;
  const { sessionId } = await check();
  await client.settle(sessionId, 'verified');
  const received = { event: 'verification.completed', sessionId };
  await vi.waitFor(() =>
    expect(shop.access.value?.webhooks).toContainEqual(expect.objectContaining(received)),
  );
  // Simulates another tab.
  await shop.api.verification(sessionId);
  await vi.waitFor(() => expect(shop.access.value).toMatchObject({ access: true, by: 'validate' }));
  expect(shop.publishableKey.value).toBe(my.demo.publishableKey);
  expect(shop.outage.value).toBeNull();
});
