import { describe, expect, it } from 'vitest';
import { PRICE_LIST } from '../../../playground/reference-backend/price-list.ts';
import { PRODUCTS } from '../../../playground/shop/goods.ts';
import { openShop } from './a-shop.ts';

const WINE = { sku: 'deichgraf', quantity: 2 };

describe('an order', () => {
  it('is accepted from a customer whose age is confirmed, at the prices of the server', async () => {
    const { ask, signIn } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    await customer.verification(sessionId);
    const items = [{ ...WINE, priceCents: 1, name: 'Cheap' }];
    const { status, body } = await ask('POST', 'orders', customer.token, { items });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        number: expect.stringMatching(/^K-[0-9A-F]{6}$/),
        lines: [{ sku: 'deichgraf', name: 'Deichgraf', priceCents: 1490, quantity: 2 }],
        totalCents: 2980,
        sessionId,
      },
    });
    expect((await ask('GET', 'orders', customer.token)).body).toEqual([body]);
  });

  it.each(['failed_age_not_met', 'cancelled', 'never', 'timeout'] as const)(
    'is rejected after the outcome %s',
    async (scenario) => {
      const { ask, signIn } = await openShop();
      const customer = await signIn();
      await customer.verification(await customer.check(scenario));
      const answer = await ask('POST', 'orders', customer.token, { items: [WINE] });
      expect(answer).toMatchObject({ status: 403, body: { code: 'age_not_confirmed' } });
      expect((await ask('GET', 'orders', customer.token)).body).toEqual([]);
    },
  );

  it('is rejected without a sign-in, and visible only to its customer', async () => {
    const { ask, signIn } = await openShop();
    const [anna, mallory] = [await signIn(), await signIn()];
    await anna.verification(await anna.check('verified'));
    await ask('POST', 'orders', anna.token, { items: [WINE] });
    expect((await ask('POST', 'orders', undefined, { items: [WINE] })).status).toBe(401);
    expect((await ask('GET', 'orders', mallory.token)).body).toEqual([]);
  });

  it.each([
    { items: undefined, why: 'no items' },
    { items: [], why: 'an empty basket' },
    { items: [{ sku: 'petrol', quantity: 1 }], why: 'an unknown product' },
    { items: [{ ...WINE, quantity: 0 }], why: 'quantity 0' },
    { items: [{ ...WINE, quantity: -3 }], why: 'a negative quantity' },
    { items: [{ ...WINE, quantity: 1.5 }], why: 'a fractional quantity' },
    { items: [{ ...WINE, quantity: 13 }], why: 'more than the maximum quantity' },
    { items: [{ ...WINE, quantity: '2' }], why: 'a quantity that is a string' },
    { items: [WINE, WINE], why: 'the same product twice' },
    { items: [null], why: 'an item that is null' },
  ])('is rejected with $why', async ({ items }) => {
    const { ask, signIn } = await openShop();
    const customer = await signIn();
    await customer.verification(await customer.check('verified'));
    const answer = await ask('POST', 'orders', customer.token, { items } as object);
    expect(answer).toMatchObject({ status: 400, body: { code: 'basket_invalid' } });
  });

  it('is checked against a price list with the same products as the page', () => {
    expect(PRODUCTS.map(({ sku }) => sku).sort()).toEqual(PRICE_LIST.map(({ sku }) => sku).sort());
  });
});
