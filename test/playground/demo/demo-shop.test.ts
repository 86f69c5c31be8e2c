/** The options of the demo shop's integration, while checks run. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { OfAgeOptions } from 'ofage';
import { ACCESS } from '../shop/an-access.ts';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'https://shop.example/' });
vi.stubGlobal('location', { search: '' });
const { createDemoShop, readOptionsAgain } = await import('../../../playground/demo/demo-shop.ts');
const { verifyAge, verifyInThisTab } = await import('../../../playground/shop/age-check.ts');
type ShopApi = Parameters<typeof createDemoShop>[0];

/** The instances of the SDK that a page has created, oldest first. */
let created: { readonly options: OfAgeOptions; isDestroyed: boolean }[];

/** A tab of the browser, with its stored options. */
function aTab() {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  const load = () => createDemoShop({} as ShopApi);
  return { load };
}

beforeEach(() => {
  created = [];
  vi.stubGlobal('window', {
    OfAge: class {
      readonly #instance;
      constructor(options: OfAgeOptions) {
        this.#instance = { options, isDestroyed: false };
        created.push(this.#instance);
      }
      verify = () => new Promise(() => {});
      destroy = () => {
        this.#instance.isDestroyed = true;
      };
    },
  });
});

it('a second click shows the window of the open check again, until the options or the customer change', () => {
  const shop = aTab().load();
  shop.publishableKey.value = 'pk_1';
  shop.access.value = { ...ACCESS, access: false };
  verifyAge(shop);
  // The page reads the access every two seconds.
  shop.access.value = { ...ACCESS, access: false };
  readOptionsAgain(shop);
  verifyAge(shop);
  expect(created).toHaveLength(1);

  shop.options.value = { ...shop.options.value, language: 'de' };
  verifyAge(shop);
  expect(created.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false]);
  expect(created[1]?.options).toMatchObject({ apiKey: 'pk_1', language: 'de' });

  shop.access.value = { ...ACCESS, customerId: 'another' };
  verifyAge(shop);
  expect(created).toHaveLength(3);
});

it('the calls of callbacks are shown until the next check begins or another customer signs in', () => {
  const shop = aTab().load();
  shop.options.value = { ...shop.options.value, onCancel: true, onError: true, stayOnCancel: true };
  verifyAge(shop);
  const { onCancel, onError } = created[0]!.options;
  expect(onCancel?.()).toBe(false);
  onError?.({ code: 'popup_blocked', message: 'Blocked' } as Parameters<typeof onError>[0]);
  shop.hint.value = { status: 'error', detail: null, from: 'verify() rejected' };
  expect(shop.callbacks.value).toEqual([
    'onError({"code":"popup_blocked","message":"Blocked"})',
    'onCancel()',
  ]);
  verifyAge(shop);
  expect(shop.callbacks.value).toEqual([]);
  onCancel?.();
  shop.customerNo.value += 1;
  expect(shop.callbacks.value).toEqual([]);
});

it('a check in this tab is a redirect, and stays the choice of this tab', () => {
  const tab = aTab();
  const shop = tab.load();
  expect(shop.options.value.mode).toBe('popup');
  verifyInThisTab(shop);
  expect(created[0]?.options.mode ?? 'redirect').toBe('redirect');
  expect(shop.hint.value?.status).toBe('leaving');
  const reloaded = tab.load();
  expect(reloaded.options.value.mode).toBe('redirect');
  reloaded.options.value = { ...reloaded.options.value, mode: 'tab' };
  verifyAge(reloaded);
  expect(created.at(-1)?.options).toMatchObject({ mode: 'new-tab', newTabTarget: 'tab' });
});

it('the page uses the options that the page "Code" has changed meanwhile', () => {
  const tab = aTab();
  const shop = tab.load();
  const code = tab.load();
  code.options.value = { ...code.options.value, mode: 'server' };
  expect(shop.integration.value.isOnServer).toBe(false);
  readOptionsAgain(shop);
  expect(shop.integration.value.isOnServer).toBe(true);
});
