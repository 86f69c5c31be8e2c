/** The demo shop's page with its guide, a real mock service and the real shop server. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Guide } from '../../../playground/demo/guide.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { openLab } from '../labs/a-lab.ts';
import { aStorage } from '../shared/a-storage.ts';
import { waitFor } from '../../support/wait-for.ts';

const SHOP = 'http://localhost/';
const page = { documentElement: { dataset: {} }, baseURI: SHOP, visibilityState: 'visible' };
vi.stubGlobal('document', Object.assign(new EventTarget(), page));
vi.stubGlobal('location', { search: '' });
const events = new EventTarget();
vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
const { createShopApi } = await import('../../../playground/shop/api.ts');
const { createDemoShop } = await import('../../../playground/demo/demo-shop.ts');
const { createGuide } = await import('../../../playground/demo/guide.ts');
const { toNextStep } = await import('../../../playground/shop/next-step.ts');
const { followServer } = await import('../../../playground/demo/follow-server.ts');
const { setRefusal } = await import('../../../playground/demo/webhook-refusal.ts');
const { findTenantId } = await import('../../../playground/demo/account.ts');

/** Opens the shop's page with its guide, on a real mock service and the real shop server. */
async function openShopPage() {
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
  const load = async () => {
    const shop = createDemoShop(createShopApi());
    const following = followServer(shop, provider.live);
    const guide = createGuide(shop, provider);
    await waitFor(() => {
      if (shop.access.value === null) throw new Error('The page has not read the access yet');
    });
    return {
      shop,
      guide,
      close() {
        guide.close();
        following.close();
      },
    };
  };
  let current = await load();
  return {
    ...lab,
    get shop() {
      return current.shop;
    },
    get guide() {
      return current.guide;
    },
    /** Starts a verification through the shop's server. @returns the session's id and token */
    async check() {
      const { sessionId, verifyUrl } = await current.shop.api.checkout({
        returnUrl: `${SHOP}return/`,
      });
      return { sessionId, token: new URL(verifyUrl).searchParams.get('sessionToken') ?? '' };
    },
    /** Reloads the page with its stored data. */
    async reload() {
      current.close();
      current = await load();
    },
    /** Restores the page from the back/forward cache. */
    showAgain() {
      events.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    },
    async close() {
      current.close();
      await lab.service.close();
    },
  };
}

let my: Awaited<ReturnType<typeof openShopPage>>;
beforeEach(async () => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  my = await openShopPage();
});
afterEach(async () => {
  await my.close();
  vi.restoreAllMocks();
});

const isDone = (id: string) => waitFor(() => expect(my.guide.done.value).toContain(id));

describe('a task of the guide', () => {
  it('is done once the service has recorded the outcome of the task', async () => {
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

  it('is not completed by an earlier session', async () => {
    const { guide, check, client } = my;
    await client.settle((await check()).sessionId, 'cancelled');
    await isDone('cancelled');
    await guide.begin('cancelled');
    // The guide has read the earlier session again by the time it knows of a later one.
    await client.settle((await check()).sessionId, 'failed_age_not_met');
    await isDone('failed');
    expect(guide.current.value).toBe('cancelled');
    await client.settle((await check()).sessionId, 'cancelled');
    await waitFor(() => expect(guide.current.value).toBeNull());
  });
});

it.each([
  ['beginning a task', 'failed', (guide: Guide) => guide.begin('failed')],
  ['starting over', 'purchase', (guide: Guide) => guide.startOver()],
] as const)(
  'the guide reports that %s failed, and keeps the progress and the customer',
  async (_what, task, act) => {
    const { guide, shop, check, client } = my;
    await client.settle((await check()).sessionId, 'cancelled');
    await isDone('cancelled');
    const customer = shop.access.value?.customerId;
    const ask = fetch;
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
      url.endsWith('/sign-in') ? new Response(null, { status: 500 }) : ask(url, init),
    );
    await act(guide);
    expect(guide.result.value).toEqual({ task, text: "The shop's server answered 500" });
    expect(guide.current.value).toBeNull();
    expect(guide.done.value).toEqual(['cancelled']);
    expect((await shop.api.access()).customerId).toBe(customer);
  },
);

it('the guide keeps the progress after a reload, but not that of an earlier service', async () => {
  await my.client.settle((await my.check()).sessionId, 'failed_age_not_met');
  await isDone('failed');
  await my.reload();
  expect(my.guide.done.value).toEqual(['failed']);
  localStorage.setItem('kontor:service', 'pk_of_an_earlier_service');
  localStorage.setItem('kontor:done', 'purchase failed cancelled');
  await my.reload();
  // At this service, this customer has only failed a check.
  await isDone('failed');
  expect(my.guide.done.value).toEqual(['failed']);
});

it('the guide does not mark the tasks that another visitor completed', async () => {
  const { client, demo } = my;
  const [endpoint] = await client.endpoints(demo.tenantId);
  await setRefusal(true);
  await client.trigger({ name: 'cancelled', tenantId: demo.tenantId });
  await client.clock.advance(75 * 60_000);
  expect((await client.endpoint(endpoint!.id)).health.state).toBe('paused');
  await setRefusal(false);
  await client.resumeEndpoint(endpoint!.id);
  expect(await client.redeliver(endpoint!.id)).not.toMatchObject({ queued: 0 });
  await client.clock.advance(60_000);
  // Once this later task is marked as done, the guide has read the records of the earlier ones.
  await client.settle((await my.check()).sessionId, 'failed_age_not_met');
  await isDone('failed');
  expect(my.guide.done.value).toEqual(['failed']);
});

const isShown = (kind: string) =>
  waitFor(() => {
    const { hint, access, decision } = my.shop;
    expect(toNextStep(hint.value, access.value, decision.value).kind).toBe(kind);
  });

it.each([
  ['failed_age_not_met', 'failed'],
  ['cancelled', 'cancelled'],
  ['timeout', 'expired'],
] as const)(
  'the shop shows after a reload that an open check ended with %s',
  async (scenario, kind) => {
    const { sessionId } = await my.check();
    await my.reload();
    await isShown('unfinished');
    await my.client.settle(sessionId, scenario);
    await isShown(kind);
  },
);

it('the shop does not ask about a check whose session.started event arrives after its lifetime', async () => {
  const asked = vi.spyOn(my.shop.api, 'verification');
  await my.guide.begin('paused');
  await my.guide.begin('redelivered');
  await waitFor(() => expect(my.shop.access.value?.webhooks).toHaveLength(2));
  expect(my.shop.access.value?.latestSessionId).toEqual(expect.any(String));
  expect(asked).not.toHaveBeenCalled();
  await isShown('closed');
});

it("the shop requests the server's decision once for each webhook, and not while the SDK is waiting", async () => {
  const { sessionId } = await my.check();
  my.shop.hint.value = { status: 'waiting', detail: null, from: 'verify()' };
  const asked = vi.spyOn(my.shop.api, 'verification');
  await my.service.clock.advance(0);
  await waitFor(() => expect(my.shop.access.value?.webhooks).toHaveLength(1));
  expect(asked).not.toHaveBeenCalled();
  my.shop.hint.value = null;
  expect(asked).toHaveBeenCalledTimes(1);
  await isShown('unfinished');
  my.shop.access.value = await my.shop.api.access();
  expect(asked).toHaveBeenCalledTimes(1);
  await my.client.settle(sessionId, 'failed_age_not_met');
  await isShown('failed');
  expect(asked).toHaveBeenCalledTimes(2);
});

it('the shop clears the leaving state when the back/forward cache restores the page', async () => {
  await my.check();
  my.shop.hint.value = { status: 'leaving', detail: null, from: "the shop's server" };
  my.showAgain();
  await isShown('unfinished');
});

it('the shop finds its account again after a snapshot without keys has replaced it', async () => {
  const api = my.shop.api;
  const before = await findTenantId(api, my.client);
  const other = await openLab();
  await my.client.loadSnapshot(await other.client.snapshot({ secrets: 'omit' }));
  const [first] = await my.client.tenants();
  expect(first?.id).not.toBe(before);
  expect(await findTenantId(api, my.client)).toBe(first?.id);
});
