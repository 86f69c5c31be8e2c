import { MAX_QUANTITY, findItem } from './price-list.ts';
import type { Order, OrderLine, Refusal } from './responses.ts';
import { NEW_CUSTOMER, type ShopStore } from './store.ts';

/**
 * Places an order. The age gate is enforced here: only a customer to whom this server gave access can buy,
 * regardless of what the page showed.
 */
export async function placeOrder(
  store: ShopStore,
  customerId: string,
  items: unknown,
): Promise<Order | Refusal> {
  const { access } = (await store.customers.get(customerId)) ?? NEW_CUSTOMER;
  if (!access) return AGE_NOT_CONFIRMED;
  const lines = parseLines(items);
  if (!lines) return BASKET_INVALID;
  const order: Order = {
    number: `K-${crypto.randomUUID().slice(0, 6).toUpperCase()}`,
    placedAt: new Date().toISOString(),
    lines,
    totalCents: lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0),
    sessionId: access.sessionId,
  };
  await store.orders.update(customerId, (orders = []) => [order, ...orders]);
  return order;
}

/**
 * Parses the order lines. Returns null if there are none, if one is invalid, or if two have the same SKU.
 * The page sends only SKUs and quantities. Names and prices come from the server's own list.
 */
function parseLines(items: unknown): OrderLine[] | null {
  if (!Array.isArray(items) || items.length === 0) return null;
  const lines = items.map((line: unknown): OrderLine | null => {
    const { sku, quantity }: Record<string, unknown> = Object(line);
    const item = findItem(sku);
    const isGood = Number.isInteger(quantity) && Number(quantity) > 0;
    if (!item || !isGood || Number(quantity) > MAX_QUANTITY) return null;
    return { ...item, quantity: Number(quantity) };
  });
  const good = lines.filter((line) => line !== null);
  const isEachOnce = new Set(good.map(({ sku }) => sku)).size === lines.length;
  return isEachOnce ? good : null;
}

const AGE_NOT_CONFIRMED: Refusal = {
  code: 'age_not_confirmed',
  message: 'Cannot accept the order: the age of this customer is not confirmed',
};

const BASKET_INVALID: Refusal = {
  code: 'basket_invalid',
  message: `Cannot accept the order: list each product once, with a quantity from 1 to ${MAX_QUANTITY}`,
};
