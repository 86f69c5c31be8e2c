/** What the shop says when its server is of no help, and for how long. */
import { expect, it, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'https://shop.example/' });
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {} });
const { addToBasket, askServer, checkOut, createShop, withServer } =
  await import('../../../playground/merchant/shop.ts');
type ShopApi = Parameters<typeof createShop>[0];

const OUT = { customerId: 'anna', access: false, since: null, by: null, webhooks: [] };
const LOST = new Error("The shop's server cannot be reached");

function aShop(api: Partial<ShopApi>) {
  const shop = createShop({ access: async () => OUT, ...api } as ShopApi);
  const look = (): Promise<void> =>
    withServer(shop.outage, async () => {
      shop.access.value = await shop.api.access();
    });
  return { shop, look };
}

it('an order that got no answer says so at the basket, until the basket is changed', async () => {
  const order = vi.fn(async () => Promise.reject(LOST));
  const { shop, look } = aShop({ order });
  await look();
  await checkOut(shop);
  await look();
  expect(shop.orderTrouble.value).toBe(LOST.message);
  expect(shop.trouble.value).toBeNull();
  addToBasket(shop, 'K-1871', 1);
  expect(shop.orderTrouble.value).toBeNull();
});

it('trouble is gone while the order is placed again, so that it is read out again', async () => {
  const said: (string | null)[] = [];
  const { shop } = aShop({ order: async () => Promise.reject(LOST) });
  shop.orderTrouble.subscribe((text) => void said.push(text));
  await checkOut(shop);
  await checkOut(shop);
  expect(said).toEqual([null, LOST.message, null, LOST.message]);
});

it('a look at how things are ends no trouble but its own', async () => {
  const access = vi.fn(async () => OUT);
  const { shop, look } = aShop({ access, verification: async () => Promise.reject(LOST) });
  await look();
  await askServer(shop, 'a session');
  access.mockRejectedValueOnce(new Error('Gone'));
  await look();
  expect(shop.outage.value).toBe('Gone');
  await look();
  expect(shop.outage.value).toBeNull();
  expect(shop.trouble.value).toBe(LOST.message);
});

it('trouble is over for whoever is let in after all', async () => {
  const access = vi.fn(async () => OUT);
  const { shop, look } = aShop({ access, verification: async () => Promise.reject(LOST) });
  await look();
  await askServer(shop, 'a session');
  access.mockResolvedValueOnce({ ...OUT, access: true });
  await look();
  expect(shop.trouble.value).toBeNull();
});
