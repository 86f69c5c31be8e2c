// @vitest-environment jsdom
/** The shop's page with the real SDK, whose earlier check ends when a new one begins. */
import { OfAge } from 'ofage';
import { beforeEach, expect, it, vi } from 'vitest';
import { SESSION_ID, useWorld, world } from '../../sdk/world.ts';
import { verifyAge } from '../../../playground/shop/age-check.ts';
import type { Decision } from '../../../playground/shop/api.ts';
import { type Shop, createShop } from '../../../playground/shop/state.ts';
import { integrate } from './integrate.ts';
import { ACCESS } from './an-access.ts';

useWorld('https://shop.example/');
beforeEach(() => void vi.stubGlobal('OfAge', OfAge));

const REFUSED: Decision = { access: false, validation: null, problem: null };

function aShop() {
  const asked: string[] = [];
  const api = {
    access: async () => ({ ...ACCESS, access: false }),
    verification: async (sessionId: string) => {
      asked.push(sessionId);
      return REFUSED;
    },
  };
  const shop = createShop(api as unknown as Shop['api'], integrate);
  shop.publishableKey.value = 'pk_test_123';
  return { shop, asked };
}

it.each<[why: string, makeObsolete: (shop: Shop) => void]>([
  [
    'its window cannot be reached, so that the SDK replaces it',
    () => {
      world.popup().closed = true;
    },
  ],
  [
    'the options have changed, so that the page destroys it',
    (shop) => {
      shop.publishableKey.value = 'pk_test_456';
    },
  ],
])(
  'the page shows only the new check if the shopper clicks again and %s',
  async (_, makeObsolete) => {
    const { shop, asked } = aShop();
    const shown: string[] = [];
    shop.hint.subscribe((hint) => void shown.push(`${hint?.status}`));
    verifyAge(shop);
    await world.elapse(0);
    makeObsolete(shop);
    await world.elapse(2_000);
    shown.length = 0;
    verifyAge(shop);
    await world.elapse(0);
    expect(new Set(shown)).toEqual(new Set(['waiting']));
    expect(world.popups).toHaveLength(2);

    world.message({ status: 'verified' });
    await world.elapse(0);
    expect(shop.hint.value).toMatchObject({ status: 'verified', sessionId: SESSION_ID });
    expect(asked).toEqual([SESSION_ID]);
    expect(shop.serverError.value).toBeNull();
  },
);
