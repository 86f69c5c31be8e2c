/** Error messages of the shop page and how long they stay visible. */
import { expect, it, vi } from 'vitest';
import { integrate } from './integrate.ts';
import { waitFor } from '../../support/wait-for.ts';

vi.stubGlobal('document', { documentElement: { dataset: {} }, baseURI: 'https://shop.example/' });
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {} });
const { addToBasket, checkOut, createShop, readAccess, withServer } =
  await import('../../../playground/shop/state.ts');
const { askServer, becomeNewCustomer, verifyAge } =
  await import('../../../playground/shop/age-check.ts');
type ShopApi = Parameters<typeof createShop>[0];

const OUT = {
  customerId: 'anna',
  access: false,
  since: null,
  by: null,
  latestSessionId: null,
  webhooks: [],
};
const LOST = new Error("The shop's server cannot be reached");

function aShop(api: Partial<ShopApi>) {
  const shop = createShop({ access: async () => OUT, ...api } as ShopApi, integrate);
  const refresh = (): Promise<void> =>
    withServer(shop.outage, async () => {
      shop.access.value = await shop.api.access();
    });
  return { shop, refresh };
}

it('the shop shows the error of a failed order at the basket until the basket changes', async () => {
  const order = vi.fn(async () => Promise.reject(LOST));
  const { shop, refresh } = aShop({ order });
  await refresh();
  await checkOut(shop);
  await refresh();
  expect(shop.orderError.value).toBe(LOST.message);
  expect(shop.serverError.value).toBeNull();
  addToBasket(shop, 'K-1871', 1);
  expect(shop.orderError.value).toBeNull();
});

it('the shop clears the error while the order is sent again, so that screen readers announce it again', async () => {
  const shown: (string | null)[] = [];
  const { shop } = aShop({ order: async () => Promise.reject(LOST) });
  shop.orderError.subscribe((text) => void shown.push(text));
  await checkOut(shop);
  await checkOut(shop);
  expect(shown).toEqual([null, LOST.message, null, LOST.message]);
});

it('a successful refresh clears only the error of an earlier refresh', async () => {
  const access = vi.fn(async () => OUT);
  const { shop, refresh } = aShop({ access, verification: async () => Promise.reject(LOST) });
  await refresh();
  await askServer(shop, 'a session');
  access.mockRejectedValueOnce(new Error('Gone'));
  await refresh();
  expect(shop.outage.value).toBe('Gone');
  await refresh();
  expect(shop.outage.value).toBeNull();
  expect(shop.serverError.value).toBe(LOST.message);
});

it('a new customer drops the check of the earlier one, whatever its result', async () => {
  const destroyed = vi.fn();
  const checks: ((result: object) => void)[] = [];
  class Sdk {
    verify = () => new Promise<object>((resolve) => void checks.push(resolve));
    destroy = destroyed;
  }
  vi.stubGlobal('window', { OfAge: Sdk });
  const signIn: (() => void)[] = [];
  let decide = (_decision: object): void => {};
  const verification = vi.fn(() => new Promise<object>((resolve) => (decide = resolve)));
  const { shop, refresh } = aShop({
    signInAnew: () => new Promise<void>((resolve) => void signIn.push(resolve)),
    verification: verification as unknown as ShopApi['verification'],
  });
  await refresh();
  const verified = { status: 'verified', sessionId: 'of the earlier customer', timestamp: 1 };

  // The page asks about the first check while another customer signs in.
  verifyAge(shop);
  checks[0]?.(verified);
  await waitFor(() => expect(verification).toHaveBeenCalledTimes(1));
  const becoming = becomeNewCustomer(shop);
  decide({ access: false, validation: null, problem: { code: 'wrong_customer', message: '' } });
  signIn[0]?.();
  await becoming;
  expect(shop.decision.value).toBeNull();
  expect(shop.hint.value).toBeNull();
  expect(destroyed).toHaveBeenCalledTimes(1);

  // The second check ends after another customer has signed in.
  verifyAge(shop);
  const again = becomeNewCustomer(shop);
  signIn[1]?.();
  await again;
  checks[1]?.(verified);
  await Promise.resolve();
  expect(shop.hint.value).toBeNull();
  expect(verification).toHaveBeenCalledTimes(1);
  verifyAge(shop);
  expect(checks).toHaveLength(3);
});

it('a response that was requested before an action changed the access does not undo the change', async () => {
  const answers: ((access: typeof OUT) => void)[] = [];
  const { shop } = aShop({
    access: () => new Promise((resolve) => void answers.push(resolve)),
    config: async () => ({ publishableKey: 'pk_1' }),
  });
  const read = readAccess(shop);
  const passed = { ...OUT, access: true };
  shop.access.value = passed;
  answers[0]?.(OUT);
  await read;
  expect(shop.access.value).toBe(passed);
  expect(shop.publishableKey.value).toBe('pk_1');
});
