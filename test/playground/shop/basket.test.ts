import { describe, expect, it } from 'vitest';
import {
  changeQuantity,
  countOf,
  linesOf,
  parseBasket,
  totalCentsOf,
} from '../../../playground/shop/goods.ts';

describe('the basket', () => {
  it('keeps each quantity between 0 and 12', () => {
    const two = changeQuantity(changeQuantity({}, 'deichgraf', 1), 'deichgraf', 1);
    expect(two).toEqual({ deichgraf: 2 });
    expect(changeQuantity(two, 'deichgraf', -2)).toEqual({});
    expect(changeQuantity(two, 'deichgraf', -5)).toEqual({});
    expect(changeQuantity(two, 'deichgraf', 50)).toEqual({ deichgraf: 12 });
  });

  it('lists products in the order of the shop and sums count and price', () => {
    const basket = { nordlicht: 1, deichgraf: 2 };
    expect(linesOf(basket).map(({ product }) => product.sku)).toEqual(['deichgraf', 'nordlicht']);
    expect(countOf(basket)).toBe(3);
    expect(totalCentsOf(basket)).toBe(2 * 1490 + 3100);
  });

  it.each([
    [null, {}],
    ['{', {}],
    ['null', {}],
    ['[]', {}],
    ['{"deichgraf":3}', { deichgraf: 3 }],
    ['{"deichgraf":99}', { deichgraf: 12 }],
    ['{"deichgraf":-1,"nordlicht":1.5,"moewe":"2","petrol":1}', {}],
  ] as const)('is parsed from %s as %o', (text, basket) => {
    expect(parseBasket(text)).toEqual(basket);
  });
});
