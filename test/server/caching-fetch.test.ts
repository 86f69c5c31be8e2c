/** Frameworks may replace `fetch` by one that caches. Each call of the kit must reach the service anyway. */
import { type ClientOptions, createClient } from 'ofage/server';
import { afterEach, expect, it, vi } from 'vitest';
import { aMock } from '../support/a-mock.ts';
import { RETURN_URL as returnUrl } from '../support/api.ts';
import { SESSION_ID } from './builders.ts';

afterEach(() => void vi.unstubAllGlobals());

type NextInit = RequestInit & { next?: { revalidate?: number | false } };

/**
 * Replaces `fetch` as Next.js 13 and 14 do for Server Components: a response is kept for ever, also that of a
 * POST with an Authorization header, unless the request asks for none.
 */
function installCache(origin: typeof fetch): void {
  const cache = new Map<string, Response>();
  const caching = async (input: RequestInfo | URL, init: NextInit = {}): Promise<Response> => {
    const { cache: mode, next, method, body } = init;
    if (mode === 'no-store' || next?.revalidate === 0) return origin(input, init);
    const key = JSON.stringify([String(input), method, [...new Headers(init.headers)], body]);
    const response = cache.get(key) ?? (await origin(input, init));
    if (response.ok) cache.set(key, response.clone());
    return response.clone();
  };
  vi.stubGlobal('fetch', caching);
}

/** A client that uses the global `fetch`, before a mock whose requests are counted. */
async function aShop(options: Partial<ClientOptions> = {}) {
  const { service, control, tenantId, secretKey } = await aMock();
  const origin = vi.fn<typeof fetch>((input, init) => service.fetch(new Request(input, init)));
  installCache(origin);
  const trigger = async () =>
    (await control.trigger({ tenantId, name: 'verified', externalUserId: 'user-42' })).id;
  return { origin, control, trigger, client: createClient({ secretKey, ...options }) };
}

it('the cache of these tests replays a response to a request like those of the kit', async () => {
  const { origin } = await aShop();
  const init = { method: 'POST', headers: { authorization: 'Bearer x' }, body: '{}' };
  origin.mockImplementation(async () => new Response('1'));
  for (let call = 0; call < 2; call += 1) {
    expect(await (await fetch('https://shop.example/', init)).text()).toBe('1');
  }
  expect(origin).toHaveBeenCalledTimes(1);
});

it('createSession() creates a session at each call', async () => {
  const { client, origin } = await aShop();
  const ids = new Set<string>();
  for (let call = 0; call < 3; call += 1) {
    ids.add((await client.createSession({ returnUrl })).sessionId);
  }
  expect(ids.size).toBe(3);
  expect(origin).toHaveBeenCalledTimes(3);
});

it.each(['validateSession', 'validateOnce'] as const)(
  '%s() notices that a pending session was settled',
  async (method) => {
    const { client, control } = await aShop();
    const { sessionId } = await client.createSession({ returnUrl });
    expect((await client[method](sessionId)).status).toBe('pending');
    await control.settle(sessionId, 'verified');
    expect((await client[method](sessionId)).status).toBe('verified');
  },
);

it('validateSession() asks again after a final result', async () => {
  const { client, trigger } = await aShop();
  const id = await trigger();
  expect((await client.validateSession(id)).status).toBe('verified');
  await expect(client.validateSession(id)).rejects.toMatchObject({ code: 'session_already_used' });
});

it('an error with which Next.js stops a prerendering reaches Next.js unchanged', async () => {
  const stop = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
  const { client } = await aShop({ fetch: () => Promise.reject(stop) });
  await expect(client.createSession({ returnUrl })).rejects.toBe(stop);
  await expect(client.validateSession(SESSION_ID)).rejects.toBe(stop);
  await expect(client.validateOnce(SESSION_ID)).rejects.toBe(stop);
});

it('a fetch that was passed gets the same options', async () => {
  const fetch = vi.fn<NonNullable<ClientOptions['fetch']>>(() => Promise.reject(new Error('no')));
  const { client } = await aShop({ fetch });
  await client.createSession({ returnUrl }).catch(() => {});
  await client.validateSession(SESSION_ID).catch(() => {});
  expect(fetch.mock.calls.map(([, { next }]) => next)).toEqual([
    { revalidate: 0 },
    { revalidate: 0 },
  ]);
});
