/** Every request of a page has a time limit and a message for it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exchange } from '../../../playground/labs/attack/exchange.ts';
import { createHostedApi } from '../../../playground/verify/hosted-api.ts';
import { loadScenarios } from '../../../playground/verify/scenarios.ts';
import { aStorage } from './a-storage.ts';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'https://shop.example/' });
const { createShopApi } = await import('../../../playground/shared/shop-api.ts');
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
const hosted = createHostedApi('https://api.ofage.example', 'v1.x.y');

const REQUESTS: {
  request: string;
  ask: () => Promise<unknown>;
  who: string;
  seconds: number;
}[] = [
  { request: 'a read of the access', ask: () => createShopApi().access(), who: SHOP, seconds: 10 },
  {
    request: 'a read of the configuration',
    ask: () => createShopApi().config(),
    who: SHOP,
    seconds: 10,
  },
  { request: 'an order', ask: () => createShopApi().order([]), who: SHOP, seconds: 30 },
  { request: 'a sign-in', ask: () => createShopApi().signInAnew(), who: SHOP, seconds: 30 },
  {
    request: 'a verification',
    ask: () => createShopApi().verification('a session'),
    who: SHOP,
    seconds: 30,
  },
  {
    request: "a read of the lab's receiver",
    ask: () => createShopLab().receiver(),
    who: SHOP,
    seconds: 10,
  },
  {
    request: "the deletion of the lab's requests",
    ask: () => createShopLab().forgetRequests(),
    who: SHOP,
    seconds: 30,
  },
  {
    request: 'a read of the hosted session',
    ask: () => hosted.session(),
    who: SERVICE,
    seconds: 10,
  },
  { request: 'a heartbeat', ask: () => hosted.heartbeat(), who: SERVICE, seconds: 10 },
  { request: 'a picture', ask: () => hosted.submit('good'), who: SERVICE, seconds: 30 },
  { request: 'a cancellation', ask: () => hosted.cancel(), who: SERVICE, seconds: 30 },
  {
    request: 'an attack',
    ask: () => exchange({ name: SERVICE, send: (url, init) => fetch(url, init) }, 'Try', '/x', {}),
    who: SERVICE,
    seconds: 30,
  },
];

describe.each([
  { what: 'no response', answer: () => new Promise<never>(() => {}) },
  {
    what: 'a response body that does not end',
    answer: async () => new Response(new ReadableStream(), { status: 200 }),
  },
])('with $what', ({ answer }) => {
  beforeEach(() => vi.stubGlobal('fetch', vi.fn(answer)));

  it.each(REQUESTS)('$request times out after $seconds s', async ({ ask, who, seconds }) => {
    await expect(ask()).rejects.toThrow(
      `${who} did not answer within ${seconds} seconds. Try again.`,
    );
    expect(timeouts).toEqual([seconds * 1_000]);
    const [, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    // The browser aborts the request too, which frees the connection.
    expect(init?.signal?.aborted).toBe(true);
  });

  it('the hosted page treats a timeout like an unreachable service', async () => {
    await expect(hosted.session()).rejects.toMatchObject({
      name: 'HostedApiError',
      kind: 'unavailable',
    });
  });

  it('the hosted page shows no scenarios', async () => {
    expect(await loadScenarios('https://api.ofage.example')).toEqual([]);
    expect(timeouts).toEqual([10_000]);
  });
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
