import { type Signal, computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { formatError } from '../shared/kit/format-error.ts';
import type { AccessState, Decision, Order, Refusal, ShopApi } from './api.ts';
import { siteUrl } from '../shared/site.ts';
import { type Basket, changeQuantity, linesOf, parseBasket } from './goods.ts';
import type { Hint } from './next-step.ts';
import type { Integrate, Integration, ShopFacts } from './integration.ts';
import { tabStorage } from '../shared/text-storage.ts';

/** The state of the shop's page. */
export interface Shop {
  readonly api: ShopApi;
  /** The shop's publishable key. Null until the server has sent it, and no check can start before that. */
  readonly publishableKey: Signal<string | null>;
  readonly hint: Signal<Hint | null>;
  readonly decision: Signal<Decision | null>;
  readonly access: Signal<AccessState | null>;
  readonly basket: Signal<Basket>;
  /** The latest order, while its confirmation is shown. */
  readonly confirmation: Signal<Order | null>;
  /** The reason why the shop's server refused the order. */
  readonly refusal: Signal<Refusal | null>;
  /** The error of the last order request. */
  readonly orderError: Signal<string | null>;
  /**
   * The error of the last request to the shop's server that was not an order. A later success or a change
   * of access clears it.
   */
  readonly serverError: Signal<string | null>;
  /**
   * The error of opening the service, or of the recurring read of the server's state. The next successful
   * read clears it.
   */
  readonly outage: Signal<string | null>;
  readonly facts: ReadonlySignal<ShopFacts>;
  /** Keeps its value until the facts or the choices change, because each integration has its own SDK instance. */
  readonly integration: ReadonlySignal<Integration>;
  /** True if the shopper has chosen this tab for the check, because the browser blocks windows. */
  readonly isInThisTab: Signal<boolean>;
  /** Counts the customers of this page. A response from before the current one is stale. */
  readonly customerNo: Signal<number>;
}

const BASKET_KEY = 'kontor:basket';

/** Returns the basket of this tab. It outlives a check that navigates away from the shop. */
export const readKeptBasket = (): Basket => parseBasket(tabStorage.getItem(BASKET_KEY));

export function createShop(api: ShopApi, integrate: Integrate): Shop {
  const basket = signal(readKeptBasket());
  effect(() => tabStorage.setItem(BASKET_KEY, JSON.stringify(basket.value)));
  const publishableKey = signal<string | null>(null);
  const access = signal<AccessState | null>(null);
  const serverError = signal<string | null>(null);
  // An earlier error is stale once access is given or deleted.
  const hasAccess = computed(() => access.value?.access);
  effect(() => {
    void hasAccess.value;
    serverError.value = null;
  });
  const customerId = computed(() => access.value?.customerId ?? '');
  const facts = computed(() => ({
    publishableKey: publishableKey.value ?? '',
    returnUrl: siteUrl('return/'),
    cancelUrl: siteUrl(''),
    customerId: customerId.value,
  }));
  const isInThisTab = signal(false);
  return {
    api,
    publishableKey,
    hint: signal(null),
    decision: signal(null),
    access,
    basket,
    confirmation: signal(null),
    refusal: signal(null),
    orderError: signal(null),
    serverError,
    outage: signal(null),
    customerNo: signal(0),
    facts,
    integration: computed(() => integrate(facts.value, isInThisTab.value)),
    isInThisTab,
  };
}

/**
 * Runs work that needs the shop's server. Puts its error message into the given signal, or clears the
 * signal.
 */
export async function withServer(
  shownError: Signal<string | null>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    shownError.value = null;
  } catch (error) {
    shownError.value = formatError(error);
  }
}

/** Reads the customer's access from the shop's server, and the publishable key if the page has none. */
export async function readAccess({ api, access, publishableKey }: Shop): Promise<void> {
  const before = access.peek();
  const read = await api.access();
  // If an action changed the access during the read, this response is stale.
  if (access.peek() === before) access.value = read;
  publishableKey.value ??= (await api.config()).publishableKey;
}

export function addToBasket(shop: Shop, sku: string, by: number): void {
  shop.basket.value = changeQuantity(shop.basket.value, sku, by);
  shop.confirmation.value = null;
  shop.refusal.value = null;
  shop.orderError.value = null;
}

/** Sends the order to the server, which alone decides whether to accept it. */
export function checkOut(shop: Shop): Promise<void> {
  // Clear the error first, so that screen readers announce the same error again.
  shop.orderError.value = null;
  return withServer(shop.orderError, async () => {
    const items = linesOf(shop.basket.value).map(({ product, quantity }) => ({
      sku: product.sku,
      quantity,
    }));
    const { order, refusal } = await shop.api.order(items);
    shop.refusal.value = refusal;
    if (!order) return;
    shop.confirmation.value = order;
    shop.basket.value = {};
  });
}
