// @vitest-environment jsdom
import { expect, it } from 'vitest';
import type { Order } from '../../../playground/shared/shop-api.ts';
import { showPage } from '../shared/kit/a-page.tsx';
import { ACCESS } from './an-access.ts';

const { addToBasket, checkOut, createShop } = await import('../../../playground/merchant/shop.ts');
const { Gate } = await import('../../../playground/merchant/views/gate.tsx');
type ShopApi = Parameters<typeof createShop>[0];

it('the open gate leads to the shelf while the basket is empty, and otherwise to the basket', async () => {
  const order = { number: 'K-1' } as Order;
  const shop = createShop({
    order: async () => ({ order, refusal: null }),
  } as unknown as ShopApi);
  shop.access.value = ACCESS;
  const page = await showPage(<Gate shop={shop} guide={null} policy={null} />);
  const primary = () => {
    const { textContent, href } = page.get<HTMLAnchorElement>('a.button--primary');
    return [textContent, new URL(href).hash];
  };
  expect(primary()).toEqual(['Choose a bottle', '#shelf-title']);
  await page.act(() => addToBasket(shop, 'deichgraf', 1));
  expect(primary()).toEqual(['Go to basket', '#basket-title']);
  await page.act(() => checkOut(shop));
  expect(primary()).toEqual(['Choose a bottle', '#shelf-title']);
});
