// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { type Order, type OrderAnswer } from '../../../playground/shop/api.ts';
import { showPage } from '../shared/kit/a-page.tsx';
import { ACCESS } from './an-access.ts';
import { integrate } from './integrate.ts';
import { waitFor } from '../../support/wait-for.ts';

vi.stubGlobal('fetch', () => Promise.reject(new Error('The page sends no requests')));
const { addToBasket, checkOut, createShop } = await import('../../../playground/shop/state.ts');
const { BasketSection } = await import('../../../playground/shop/basket-section.tsx');
const { AgeGate } = await import('../../../playground/shop/age-gate.tsx');
type ShopApi = Parameters<typeof createShop>[0];

beforeEach(() => sessionStorage.clear());

it.each([
  [true, 'basket_invalid', 'We cannot take this order.', 'Order too much', false],
  [false, 'basket_invalid', 'We cannot take this order.', 'Order too much', false],
  [false, 'age_not_confirmed', 'We sell to adults only.', 'Order too much', true],
  [true, 'age_not_confirmed', 'Your age is confirmed now.', null, false],
] as const)(
  'with access %s, an order refused with %s shows: %s',
  async (access, code, text, message, offersCheck) => {
    const answer: OrderAnswer = { order: null, refusal: { code, message: 'Order too much' } };
    const shop = createShop({ order: async () => answer } as unknown as ShopApi, integrate);
    shop.access.value = { ...ACCESS, access };
    addToBasket(shop, 'deichgraf', 1);
    const page = await showPage(<BasketSection shop={shop} />);
    await page.act(() => page.get('[data-testid=checkout]').click());
    await waitFor(() => expect(page.has('[data-testid=refused]')).toBe(true));
    const refused = page.get('[data-testid=refused]').textContent;
    expect(refused).toContain(text);
    expect(refused.includes('adults only')).toBe(offersCheck);
    expect(page.has('[data-testid=verify-from-basket]')).toBe(offersCheck);
    expect(
      page.has('[data-testid=refusal]') ? page.get('[data-testid=refusal]').textContent : null,
    ).toBe(message);
  },
);

it('the open age gate leads to the shelf while the basket is empty, and otherwise to the basket, which has the primary button', async () => {
  const order = { number: 'K-1' } as Order;
  const shop = createShop(
    {
      order: async () => ({ order, refusal: null }),
    } as unknown as ShopApi,
    integrate,
  );
  shop.access.value = ACCESS;
  const page = await showPage(<AgeGate shop={shop} policy={null} />);
  const link = () => {
    const { textContent, href, classList } = page.get<HTMLAnchorElement>('a.button');
    return [textContent, new URL(href).hash, classList.contains('button--primary')];
  };
  expect(link()).toEqual(['Choose a bottle', '#shelf-title', true]);
  await page.act(() => addToBasket(shop, 'deichgraf', 1));
  expect(link()).toEqual(['Go to basket', '#basket-title', false]);
  await page.act(() => checkOut(shop));
  expect(link()).toEqual(['Choose a bottle', '#shelf-title', true]);
});

it('the order has the primary button once the server gave access', async () => {
  const shop = createShop({} as ShopApi, integrate);
  shop.access.value = { ...ACCESS, access: false };
  addToBasket(shop, 'deichgraf', 1);
  const page = await showPage(<BasketSection shop={shop} />);
  expect(page.has('.button--primary')).toBe(false);
  await page.act(() => (shop.access.value = ACCESS));
  expect(page.get('.button--primary').textContent).toBe('Place the order');
});
