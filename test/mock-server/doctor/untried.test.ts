import type { DoctorUntried, DoctorUntriedCode } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { UNTRIED_CODES } from '../../../mock-server/doctor/untried.ts';
import { answered } from '../../support/a-mock.ts';
import { RETURN_URL } from '../../support/api.ts';
import { aShop, buy, HOOK, MINUTE, type Shop, type ShopOptions, SIGNED } from './a-shop.ts';

const toCodes = (list: readonly DoctorUntried[]): string[] => list.map(({ code }) => code);
const untriedIn = async (shop: Shop): Promise<string[]> => toCodes((await shop.doctor()).untried);

interface TrialCase {
  readonly code: DoctorUntriedCode;
  /** Follows the advice. */
  readonly follow: (shop: Shop, entry: DoctorUntried) => Promise<unknown>;
}

/** Ends a session of the shop's page with the outcome of the entry. */
const followOutcome: TrialCase['follow'] = async (shop, { outcome }) => {
  const sessionId = await shop.create();
  await shop.my.control.settle(sessionId, outcome!);
  if (outcome === 'verified') await shop.validate(sessionId);
  await shop.advance(11 * MINUTE);
};

const CASES: readonly TrialCase[] = [
  {
    code: 'key_unused',
    follow: (shop) => shop.post('/sessions/create', shop.secretKey, { returnUrl: RETURN_URL }),
  },
  { code: 'page_unused', follow: (shop) => shop.create() },
  { code: 'result_unasked', follow: buy },
  {
    code: 'webhook_unreceived',
    async follow(shop) {
      await shop.my.control.createEndpoint(shop.tenantId, SIGNED);
      await shop.create();
    },
  },
  { code: 'verified_untried', follow: followOutcome },
  { code: 'failed_untried', follow: followOutcome },
  { code: 'cancelled_untried', follow: followOutcome },
  { code: 'expired_untried', follow: followOutcome },
  {
    code: 'forged_return_untried',
    async follow(shop) {
      const sessionId = await shop.create();
      const { untried } = await shop.doctor();
      const { url } = untried.find(({ code }) => code === 'forged_return_untried')!;
      const forged = new URL(url!);
      expect(forged.href.startsWith(RETURN_URL)).toBe(true);
      expect(forged.searchParams.get('status')).toBe('verified');
      const { body } = await shop.validate(forged.searchParams.get('sessionId')!);
      expect(body).toMatchObject({ status: 'pending' });
      await shop.settle(sessionId);
      await shop.validate(sessionId);
    },
  },
];

const WITHOUT_ENDPOINT: ShopOptions = { endpoints: [] };

describe('what an integration has not tried', () => {
  it('is everything at first, also if the console and its command did the same', async () => {
    const shop = await aShop(WITHOUT_ENDPOINT);
    expect(await untriedIn(shop)).toEqual(UNTRIED_CODES);
    for (const name of ['verified', 'failed_age_not_met', 'cancelled'] as const)
      await shop.my.control.trigger({ name });
    expect(await untriedIn(shop)).toEqual(UNTRIED_CODES);
  });

  it.each(CASES)('$code disappears when its advice is followed, without a problem', async (row) => {
    const shop = await aShop(WITHOUT_ENDPOINT);
    const entry = (await shop.doctor()).untried.find(({ code }) => code === row.code)!;
    await row.follow(shop, entry);
    await shop.advance(MINUTE);
    const { untried, findings } = await shop.doctor();
    expect(toCodes(untried)).not.toContain(row.code);
    expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
  });

  it('has a case for every code', () => {
    expect(CASES.map(({ code }) => code)).toEqual(UNTRIED_CODES);
  });

  it('is nothing about a single session, and begins again at `since`', async () => {
    const shop = await aShop();
    const sessionId = await buy(shop);
    expect((await shop.doctor({ sessionId })).untried).toEqual([]);
    await shop.advance(MINUTE);
    const since = new Date(Date.parse((await shop.my.clock.now()).toISOString())).toISOString();
    expect(toCodes((await shop.doctor({ since })).untried)).toContain('page_unused');
  });

  it('names the endpoint that exists and has accepted no webhook, instead of adding one', async () => {
    const shop = await aShop({ receiver: () => ({ answer: answered(401) }) });
    const read = async () =>
      (await shop.doctor()).untried.find(({ code }) => code === 'webhook_unreceived');
    const [endpoint] = await shop.my.control.endpoints(shop.tenantId);
    const named = {
      advice: expect.stringContaining(HOOK),
      command: `ofage-mock test ${endpoint!.id}`,
    };
    expect(await read()).toMatchObject(named);
    await buy(shop);
    expect(await read()).toMatchObject(named);
    const without = await aShop(WITHOUT_ENDPOINT);
    const { untried } = await without.doctor();
    expect(untried.find(({ code }) => code === 'webhook_unreceived')).toMatchObject({
      advice: expect.stringContaining('Add the endpoint'),
      command: expect.stringContaining('--forward-to'),
    });
  });

  it('counts no webhook that only the demo shop accepted', async () => {
    const url = 'https://shop.ofage.example/shop/webhooks/ofage?ofage_demo';
    const shop = await aShop({ endpoints: [{ url }] });
    await buy(shop);
    expect(await untriedIn(shop)).toContain('webhook_unreceived');
    await shop.my.control.createEndpoint(shop.tenantId, { url: HOOK });
    await buy(shop);
    expect(await untriedIn(shop)).not.toContain('webhook_unreceived');
  });
});
