/** The client of the shop's page at the real server of the shop. */
import { expect, it, vi } from 'vitest';
import { openShop } from '../reference-backend/a-shop.ts';
import { aStorage } from '../shared/a-storage.ts';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'http://localhost/' });
const { createShopApi } = await import('../../../playground/shop/api.ts');

it.each([
  ['on the first visit', null, false],
  ['when the server does not know their token', 'unknown', false],
  ['when the server refuses their token late, after another call has signed in', 'unknown', true],
])('calls in parallel sign one customer in %s', async (_when, token, isLate) => {
  const { items } = aStorage();
  if (token !== null) items.set('kontor:token', token);
  const { createBackend } = await openShop();
  const backend = createBackend();
  let signIns = 0;
  let letGo = (): void => {};
  const accessIsAnswered = new Promise<void>((resolve) => (letGo = resolve));
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/sign-in')) signIns += 1;
    if (isLate && url.endsWith('/orders') && signIns === 0) await accessIsAnswered;
    return backend.fetch(new Request(url, init));
  });

  const api = createShopApi();
  const orders = api.orders();
  const access = api.access();
  void access.then(letGo);
  expect(await orders).toEqual([]);
  expect(await access).toEqual(await api.access());
  expect(signIns).toBe(1);
});

it('a failed sign-in is tried again by the next call', async () => {
  aStorage();
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }));
  const api = createShopApi();
  await expect(api.access()).rejects.toMatchObject({ status: 503 });
  const backend = (await openShop()).createBackend();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    backend.fetch(new Request(url, init)),
  );
  expect(await api.access()).toMatchObject({ access: false });
});
