/** Error messages of the shop page and how long they stay visible. */
import { expect, it, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'https://shop.example/' });
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {} });
const { addToBasket, askServer, checkOut, createShop, withServer } =
  await import('../../../playground/merchant/shop.ts');
type ShopApi = Parameters<typeof createShop>[0];

const OUT = {
  customerId: 'anna',
  access: false,
  since: null,
  by: null,
  latestSessionId: null,
  webhooks: [],
};
const LOST = new Error("The shop's server cannot be reached");

function aShop(api: Partial<ShopApi>) {
  const shop = createShop({ access: async () => OUT, ...api } as ShopApi);
  const refresh = (): Promise<void> =>
    withServer(shop.outage, async () => {
      shop.access.value = await shop.api.access();
    });
  return { shop, refresh };
}

it('the shop shows the error of a failed order at the basket until the basket changes', async () => {
  const order = vi.fn(async () => Promise.reject(LOST));
  const { shop, refresh } = aShop({ order });
  await refresh();
  await checkOut(shop);
  await refresh();
  expect(shop.orderError.value).toBe(LOST.message);
  expect(shop.serverError.value).toBeNull();
  addToBasket(shop, 'K-1871', 1);
  expect(shop.orderError.value).toBeNull();
});

it('the shop clears the error while the order is sent again, so that screen readers announce it again', async () => {
  const shown: (string | null)[] = [];
  const { shop } = aShop({ order: async () => Promise.reject(LOST) });
  shop.orderError.subscribe((text) => void shown.push(text));
  await checkOut(shop);
  await checkOut(shop);
  expect(shown).toEqual([null, LOST.message, null, LOST.message]);
});

it('a successful refresh clears only the error of an earlier refresh', async () => {
  const access = vi.fn(async () => OUT);
  const { shop, refresh } = aShop({ access, verification: async () => Promise.reject(LOST) });
  await refresh();
  await askServer(shop, 'a session');
  access.mockRejectedValueOnce(new Error('Gone'));
  await refresh();
  expect(shop.outage.value).toBe('Gone');
  await refresh();
  expect(shop.outage.value).toBeNull();
  expect(shop.serverError.value).toBe(LOST.message);
});
