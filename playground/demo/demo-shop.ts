import { type Signal, effect, signal } from '@preact/signals';
import type { ShopApi } from '../shop/api.ts';
import { type Shop, createShop } from '../shop/state.ts';
import {
  DEFAULT_OPTIONS,
  type IntegrationOptions,
  readOptions,
  toIntegration,
  writeOptions,
} from './options.ts';
import { tabStorage } from '../shared/text-storage.ts';

/** The shop, whose visitors can change its integration and see what the SDK calls. */
export interface DemoShop extends Shop {
  /** The options that this tab has chosen on the page "Code". */
  readonly options: Signal<IntegrationOptions>;
  /** The last calls of the SDK's callbacks with their arguments, newest first. */
  readonly callbacks: Signal<readonly string[]>;
}

const OPTIONS_KEY = 'kontor:options';

/** Returns the options that this tab has chosen. */
export const readKeptOptions = (): IntegrationOptions =>
  readOptions(tabStorage.getItem(OPTIONS_KEY) ?? '', DEFAULT_OPTIONS);

export function createDemoShop(api: ShopApi): DemoShop {
  const options = signal(readOptions(location.search, readKeptOptions()));
  effect(() => tabStorage.setItem(OPTIONS_KEY, writeOptions(options.value)));
  const callbacks = signal<readonly string[]>([]);
  const note = (call: string): void => {
    callbacks.value = [call, ...callbacks.value].slice(0, 10);
  };
  const shop = createShop(api, (facts, isInThisTab) =>
    toIntegration(isInThisTab ? inThisTab(options.value) : options.value, facts, note),
  );
  effect(() => {
    // The choice holds for this tab, like one on the page "Code".
    if (!shop.isInThisTab.value) return;
    options.value = inThisTab(options.peek());
    shop.isInThisTab.value = false;
  });
  effect(() => {
    // Another customer has nothing to do with the earlier calls.
    void shop.customerNo.value;
    callbacks.value = [];
  });
  effect(() => {
    const status = shop.hint.value?.status;
    const begins = status === 'waiting' || status === 'leaving';
    if (begins) callbacks.value = [];
  });
  return { ...shop, options, callbacks };
}

const inThisTab = (options: IntegrationOptions): IntegrationOptions => ({
  ...options,
  mode: 'redirect',
});

/** Reads the options again, which the page "Code" may have changed in this tab. */
export function readOptionsAgain({ options }: DemoShop): void {
  const kept = readKeptOptions();
  // Equal options keep the integration, and with it the check that is open.
  if (writeOptions(kept) !== writeOptions(options.value)) options.value = kept;
}
