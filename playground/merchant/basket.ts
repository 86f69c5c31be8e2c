import { MAX_QUANTITY } from '../merchant-backend/price-list.ts';
import { PRODUCTS, type Product } from './products.ts';

/** The contents of the basket: quantities by sku. */
export type Basket = Readonly<Record<string, number>>;

export interface BasketLine {
  readonly product: Product;
  readonly quantity: number;
}

export function changeQuantity(basket: Basket, sku: string, by: number): Basket {
  const quantity = Math.min(MAX_QUANTITY, Math.max(0, (basket[sku] ?? 0) + by));
  const { [sku]: _gone, ...rest } = basket;
  return quantity === 0 ? rest : { ...basket, [sku]: quantity };
}

/** Returns the lines of the basket, in the order of the shelf. */
export const linesOf = (basket: Basket): BasketLine[] =>
  PRODUCTS.flatMap((product) => {
    const quantity = basket[product.sku] ?? 0;
    return quantity > 0 ? [{ product, quantity }] : [];
  });

export const countOf = (basket: Basket): number =>
  linesOf(basket).reduce((sum, { quantity }) => sum + quantity, 0);

export const totalCentsOf = (basket: Basket): number =>
  linesOf(basket).reduce((sum, { product, quantity }) => sum + product.priceCents * quantity, 0);

/** Parses a stored basket. Skips unknown products and invalid quantities. */
export function parseBasket(text: string | null): Basket {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
  const fields: Record<string, unknown> = Object(kept);
  const good = PRODUCTS.flatMap(({ sku }): [string, number][] => {
    const quantity = Object.hasOwn(fields, sku) ? fields[sku] : 0;
    const isGood = Number.isInteger(quantity) && Number(quantity) >= 1;
    return isGood ? [[sku, Math.min(MAX_QUANTITY, Number(quantity))]] : [];
  });
  return Object.fromEntries(good);
}
