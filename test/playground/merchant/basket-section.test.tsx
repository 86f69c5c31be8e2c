// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Guide } from '../../../playground/merchant/guide.ts';
import { TASK_IDS } from '../../../playground/merchant/tasks.ts';
import type { Order, OrderAnswer } from '../../../playground/shared/shop-api.ts';
import { showPage } from '../shared/kit/a-page.tsx';
import { ACCESS } from './an-access.ts';

vi.stubGlobal('fetch', () => Promise.reject(new Error('The page sends no requests')));
const { addToBasket, createShop } = await import('../../../playground/merchant/shop.ts');
const { BasketSection } = await import('../../../playground/merchant/views/basket-section.tsx');
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
    const shop = createShop({ order: async () => answer } as unknown as ShopApi);
    shop.access.value = { ...ACCESS, access };
    addToBasket(shop, 'deichgraf', 1);
    const page = await showPage(<BasketSection shop={shop} guide={null} />);
    await page.act(() => page.get('[data-testid=checkout]').click());
    await vi.waitFor(() => expect(page.has('[data-testid=refused]')).toBe(true));
    const refused = page.get('[data-testid=refused]').textContent;
    expect(refused).toContain(text);
    expect(refused.includes('adults only')).toBe(offersCheck);
    expect(page.has('[data-testid=verify-from-basket]')).toBe(offersCheck);
    expect(
      page.has('[data-testid=refusal]') ? page.get('[data-testid=refusal]').textContent : null,
    ).toBe(message);
  },
);

describe('the confirmation', () => {
  const anOrder: Order = {
    number: 'K-1',
    placedAt: '2026-11-21T08:00:00.000Z',
    lines: [],
    totalCents: 0,
    sessionId: 's1',
  };
  it.each([
    [['purchase'], '1 of 6 tasks done. Next: Be too young', '#task-failed'],
    [['failed', 'purchase'], '2 of 6 tasks done. Next: Change your mind', '#task-cancelled'],
    [TASK_IDS, '6 of 6 tasks done. ', null],
    [['failed'], '', null],
    [null, '', null],
  ] as const)('after the tasks %o shows: %s', async (done, text, link) => {
    const shop = createShop({} as ShopApi);
    shop.confirmation.value = anOrder;
    const guide = done && ({ done: { value: done } } as unknown as Guide);
    const page = await showPage(<BasketSection shop={shop} guide={guide} />);
    const line = page.get('[data-testid=tasks-done]');
    expect(line.textContent).toBe(text);
    expect(line.querySelector('a')?.getAttribute('href') ?? null).toBe(link);
  });
});
