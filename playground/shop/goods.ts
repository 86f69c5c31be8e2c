import { MAX_QUANTITY, type PricedItem, findItem } from '../reference-backend/price-list.ts';

export type BottleShape = 'wine' | 'tall' | 'square' | 'round';

/** The appearance of a product. Its name and price come from the server's price list. */
interface Appearance {
  readonly sku: string;
  readonly kind: string;
  readonly size: string;
  readonly shape: BottleShape;
  /** The CSS colour of the glass. */
  readonly glass: string;
  readonly label: string;
}

export type Product = Appearance & PricedItem;

const APPEARANCES: readonly Appearance[] = [
  {
    sku: 'deichgraf',
    kind: 'Dry Riesling, 2023',
    size: '0.75 l, 12 % vol.',
    shape: 'wine',
    glass: '#5d7a45',
    label: '#f4ead2',
  },
  {
    sku: 'speicher-neun',
    kind: 'Single malt, 8 years',
    size: '0.7 l, 46 % vol.',
    shape: 'square',
    glass: '#b9692b',
    label: '#1f2a38',
  },
  {
    sku: 'sturmwarnung',
    kind: 'Navy-strength gin',
    size: '0.5 l, 57 % vol.',
    shape: 'round',
    glass: '#3f7f8c',
    label: '#f6f1e4',
  },
  {
    sku: 'alte-werft',
    kind: 'Dark rum, cask 14',
    size: '0.7 l, 43 % vol.',
    shape: 'tall',
    glass: '#4a2417',
    label: '#e2b65a',
  },
  {
    sku: 'kaikante',
    kind: 'Tawny port',
    size: '0.75 l, 20 % vol.',
    shape: 'wine',
    glass: '#5b1626',
    label: '#ecdcc5',
  },
  {
    sku: 'nordlicht',
    kind: 'Aquavit with dill',
    size: '0.5 l, 41 % vol.',
    shape: 'tall',
    glass: '#9fae72',
    label: '#20361f',
  },
  {
    sku: 'moewe',
    kind: 'Rosé vermouth',
    size: '0.75 l, 16 % vol.',
    shape: 'round',
    glass: '#c8657a',
    label: '#fff4f0',
  },
  {
    sku: 'lotsenfeuer',
    kind: 'Peated whisky',
    size: '0.7 l, 48 % vol.',
    shape: 'square',
    glass: '#8a4f1d',
    label: '#f0e3c8',
  },
];

export const PRODUCTS: readonly Product[] = APPEARANCES.flatMap((appearance) => {
  const item = findItem(appearance.sku);
  return item ? [{ ...appearance, ...item }] : [];
});

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

const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

export const formatBottles = (count: number): string =>
  count === 1 ? '1 bottle' : `${count} bottles`;

export const formatPrice = (cents: number): string => PRICE.format(cents / 100);
