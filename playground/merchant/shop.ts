import { type Signal, computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { formatError } from '../shared/kit/format-error.ts';
import type { AccessState, Decision, Order, ShopApi } from '../shared/shop-api.ts';
import { siteUrl } from '../shared/site.ts';
import { type Basket, changeQuantity, linesOf, parseBasket } from './basket.ts';
import type { Hint } from './next-step.ts';
import { DEFAULT_OPTIONS, type IntegrationOptions, readOptions, writeOptions } from './options.ts';
import type { ShopFacts } from './settings.ts';

/** The state of the shop's page. */
export interface Shop {
  readonly api: ShopApi;
  /** `null` until the server answered; before that no check can begin. */
  readonly publishableKey: Signal<string | null>;
  readonly options: Signal<IntegrationOptions>;
  readonly hint: Signal<Hint | null>;
  readonly decision: Signal<Decision | null>;
  readonly access: Signal<AccessState | null>;
  readonly basket: Signal<Basket>;
  /** The order that was just placed, while its confirmation is shown. */
  readonly confirmation: Signal<Order | null>;
  /** Why the shop's server took no order, in words for the shopper. */
  readonly refusal: Signal<string | null>;
  /** The SDK's callbacks, newest first, word for word. */
  readonly callbacks: Signal<readonly string[]>;
  /** Why the server gave no answer about the order, in words. */
  readonly orderTrouble: Signal<string | null>;
  /** Why what else was asked of the shop's own server did not work, in words; until something does. */
  readonly trouble: Signal<string | null>;
  /** Why the page does not know how things are at the server. It ends by itself. */
  readonly outage: Signal<string | null>;
  readonly facts: ReadonlySignal<ShopFacts>;
}

const OPTIONS_KEY = 'kontor:options';
const BASKET_KEY = 'kontor:basket';

export function createShop(api: ShopApi): Shop {
  const kept = readOptions(sessionStorage.getItem(OPTIONS_KEY) ?? '', DEFAULT_OPTIONS);
  const options = signal(readOptions(location.search, kept));
  effect(() => sessionStorage.setItem(OPTIONS_KEY, writeOptions(options.value)));
  // Kept for the tab, as the check may lead away from this page.
  const basket = signal(parseBasket(sessionStorage.getItem(BASKET_KEY)));
  effect(() => sessionStorage.setItem(BASKET_KEY, JSON.stringify(basket.value)));
  const publishableKey = signal<string | null>(null);
  const access = signal<AccessState | null>(null);
  const trouble = signal<string | null>(null);
  // Whoever is let in, or out, has nothing to do with what went wrong before.
  const hasAccess = computed(() => access.value?.access);
  effect(() => {
    void hasAccess.value;
    trouble.value = null;
  });
  return {
    api,
    publishableKey,
    options,
    hint: signal(null),
    decision: signal(null),
    access,
    basket,
    confirmation: signal(null),
    refusal: signal(null),
    callbacks: signal([]),
    orderTrouble: signal(null),
    trouble,
    outage: signal(null),
    facts: computed(() => ({
      publishableKey: publishableKey.value ?? '',
      returnUrl: siteUrl('return/'),
      cancelUrl: siteUrl(''),
      customerId: access.value?.customerId ?? '',
    })),
  };
}

/** Runs something that needs the shop's server, and says there when that is of no help. */
export async function withServer(
  trouble: Signal<string | null>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    trouble.value = null;
  } catch (error) {
    trouble.value = formatError(error);
  }
}

/** Hands a session to the shop's server. What it answers is the truth. */
export function askServer(shop: Shop, sessionId: string): Promise<void> {
  return withServer(shop.trouble, async () => {
    shop.decision.value = await shop.api.verification(sessionId);
    shop.access.value = await shop.api.access();
  });
}

export function addToBasket(shop: Shop, sku: string, by: number): void {
  shop.basket.value = changeQuantity(shop.basket.value, sku, by);
  shop.confirmation.value = null;
  shop.refusal.value = null;
  shop.orderTrouble.value = null;
}

/** Asks the server for the order. Whether there is one is its decision, whatever this page believes. */
export function checkOut(shop: Shop): Promise<void> {
  // Gone before it may come again, so that it is read out again.
  shop.orderTrouble.value = null;
  return withServer(shop.orderTrouble, async () => {
    const items = linesOf(shop.basket.value).map(({ product, quantity }) => ({
      sku: product.sku,
      quantity,
    }));
    const { order, refusal } = await shop.api.order(items);
    shop.refusal.value = refusal?.message ?? null;
    if (!order) return;
    shop.confirmation.value = order;
    shop.basket.value = {};
  });
}

/** The shop forgets that this customer was let in. */
export function forgetAccess(shop: Shop): Promise<void> {
  return withServer(shop.trouble, async () => {
    await shop.api.forgetAccess();
    await startAfresh(shop);
  });
}

/** Somebody else comes in: nothing is known of them. */
export function becomeNewCustomer(shop: Shop): Promise<void> {
  return withServer(shop.trouble, async () => {
    await shop.api.signInAnew();
    await startAfresh(shop);
  });
}

async function startAfresh(shop: Shop): Promise<void> {
  shop.hint.value = null;
  shop.decision.value = null;
  shop.confirmation.value = null;
  shop.refusal.value = null;
  shop.orderTrouble.value = null;
  shop.callbacks.value = [];
  shop.access.value = await shop.api.access();
}
