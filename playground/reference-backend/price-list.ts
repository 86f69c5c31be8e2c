/**
 * An item that the shop sells. The prices are on the server, because shoppers can change what a page sends.
 */
export interface PricedItem {
  readonly sku: string;
  readonly name: string;
  /** Euro cents. */
  readonly priceCents: number;
}

/** The highest quantity of one item in an order. */
export const MAX_QUANTITY = 12;

export const PRICE_LIST: readonly PricedItem[] = [
  { sku: 'deichgraf', name: 'Deichgraf', priceCents: 14_90 },
  { sku: 'speicher-neun', name: 'Speicher Neun', priceCents: 62_00 },
  { sku: 'sturmwarnung', name: 'Sturmwarnung', priceCents: 38_50 },
  { sku: 'alte-werft', name: 'Alte Werft', priceCents: 44_00 },
  { sku: 'kaikante', name: 'Kaikante', priceCents: 27_90 },
  { sku: 'nordlicht', name: 'Nordlicht', priceCents: 31_00 },
  { sku: 'moewe', name: 'Möwe', priceCents: 19_50 },
  { sku: 'lotsenfeuer', name: 'Lotsenfeuer', priceCents: 71_00 },
];

export const findItem = (sku: unknown): PricedItem | undefined =>
  PRICE_LIST.find((item) => item.sku === sku);
