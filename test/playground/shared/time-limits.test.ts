/** Every request of a page has a time limit and a message for it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exchange } from '../../../playground/labs/attack/world.ts';
import { inTime } from '../../../playground/shared/in-time.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { createHostedApi } from '../../../playground/verify/hosted-api.ts';
import { aStorage } from './a-storage.ts';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'https://shop.example/' });
const { createShopApi } = await import('../../../playground/shop/api.ts');
const { createShopLab } = await import('../../../playground/labs/shop-lab.ts');

const timeouts: number[] = [];

beforeEach(() => {
  timeouts.length = 0;
  // Fake timers do not affect `AbortSignal.timeout`, so every time limit ends after 20 ms here.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    timeouts.push(ms);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('Time is over', 'TimeoutError')), 20);
    return controller.signal;
  });
  aStorage().items.set('kontor:token', 'the token of a customer');
});
afterEach(() => vi.restoreAllMocks());

const SHOP = "The shop's server";
const SERVICE = 'The service';
const apiOrigin = 'https://api.ofage.example';
const hosted = createHostedApi(apiOrigin, 'v1.x.y');
const provider = createProvider({ apiOrigin, fetch: (request) => fetch(request) });
const { client } = provider;

const REQUESTS: readonly (readonly [string, () => Promise<unknown>, string, number])[] = [
  ['a read of the access', () => createShopApi().access(), SHOP, 10],
  ['a read of the configuration', () => createShopApi().config(), SHOP, 10],
  ['an order', () => createShopApi().order([]), SHOP, 30],
  ['a sign-in', () => createShopApi().signInAnew(), SHOP, 30],
  ['a verification', () => createShopApi().verification('a session'), SHOP, 30],
  ["a read of the lab's receiver", () => createShopLab().receiver(), SHOP, 10],
  ["the deletion of the lab's requests", () => createShopLab().forgetRequests(), SHOP, 30],
  ['a read of the hosted session', () => hosted.session(), SERVICE, 10],
  ['a heartbeat', () => hosted.heartbeat(), SERVICE, 10],
  ['a picture', () => hosted.submit('good'), SERVICE, 30],
  ['a cancellation', () => hosted.cancel(), SERVICE, 30],
  ['an attack', () => exchange({ name: SERVICE, send: fetch }, 'Try', '/x', {}), SERVICE, 30],
  ['a call of the API', () => provider.fetch('/api/v1/sessions/create'), SERVICE, 30],
  ['a read of the control API', () => client.tenants(), SERVICE, 10],
  ['a read of the clock', () => client.clock.read(), SERVICE, 10],
  ['a change through the control API', () => client.createTenant(), SERVICE, 30],
  ['a clock move', () => client.clock.advance(1), SERVICE, 300],
  ['a snapshot', () => client.snapshot(), SERVICE, 300],
];

describe.each([
  { what: 'no response', answer: () => new Promise<never>(() => {}) },
  {
    what: 'a response body that does not end',
    answer: async () => new Response(new ReadableStream(), { status: 200 }),
  },
])('with $what', ({ answer }) => {
  beforeEach(() => vi.stubGlobal('fetch', vi.fn(answer)));

  it.each(REQUESTS)('%s times out', async (_request, ask, who, seconds) => {
    await expect(ask()).rejects.toThrow(
      `${who} did not answer within ${seconds} seconds. Try again.`,
    );
    expect(timeouts).toEqual([seconds * 1_000]);
    const [input, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    const signal = input instanceof Request ? input.signal : init?.signal;
    // The browser aborts the request too, which frees the connection.
    expect(signal?.aborted).toBe(true);
  });

  it('the hosted page treats a timeout like an unreachable service', async () => {
    await expect(hosted.session()).rejects.toMatchObject({
      name: 'HostedApiError',
      kind: 'unavailable',
    });
  });
});

it('a request of a service in the page, which ignores the signal, times out too', async () => {
  const endless = inTime(SERVICE, 20, () => new Promise<never>(() => {}));
  await expect(endless).rejects.toMatchObject({ name: 'NoAnswerError' });
});

it('a request that fails before its time limit rejects with its own error', async () => {
  const failed = inTime(SERVICE, 10_000, () => Promise.reject(new TypeError('refused')));
  await expect(failed).rejects.toThrow(new TypeError('refused'));
});

it("the shop page signs a customer in again after a 401 from the shop's server", async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get('authorization'));
    if (url.endsWith('sign-in')) return Response.json({ token: 'new' });
    return asked.length === 1
      ? Response.json({ message: 'Sign in first' }, { status: 401 })
      : Response.json([]);
  });
  expect(await createShopApi().orders()).toEqual([]);
  expect(asked).toEqual(['Bearer the token of a customer', null, 'Bearer new']);
});

it.each([
  { why: 'with a message', body: '{"message":"Too many"}', shown: ': Too many' },
  { why: 'without a message', body: '<h1>Bad gateway</h1>', shown: '' },
])("an error response of the shop's server $why becomes a ShopError", async ({ body, shown }) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 502 }));
  await expect(createShopLab().receiver()).rejects.toMatchObject({
    name: 'ShopError',
    status: 502,
    message: `The shop's server answered 502${shown}`,
  });
});
