import type { DoctorCode, DoctorFinding } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { aShop, buy, failsOnce, HOOK, MINUTE, SECOND, type Case, type Shop } from './a-shop.ts';

interface MendedCase extends Pick<Case, 'mistake' | 'options' | 'run'> {
  /** The code of the finding. */
  finds: DoctorCode;
  /** Runs a minute later. */
  mend: (shop: Shop) => Promise<unknown>;
}

const wrongKey = (my: Shop) => my.post('/sessions/create', 'sk_test_wrong', {});
const returnTo = (returnUrl: string) => (my: Shop) => my.create({ returnUrl });
const allow = async ({ my, tenantId }: Shop): Promise<void> => {
  await my.service.control.updateTenant(tenantId, { allowedDomains: ['new.example'] });
};
const removeEndpoint = async ({ my, tenantId }: Shop): Promise<void> => {
  const [endpoint] = await my.service.control.endpoints(tenantId);
  await my.service.control.deleteEndpoint(endpoint!.id);
};

const MENDED: readonly MendedCase[] = [
  { mistake: 'a wrong key', run: wrongKey, mend: buy, finds: 'key_refused' },
  {
    mistake: 'a publishable key for validate',
    run: async (my) =>
      my.post('/sessions/validate', my.publishableKey, { sessionId: await buy(my) }),
    mend: buy,
    finds: 'publishable_key_to_validate',
  },
  {
    mistake: 'sessions without a user',
    async run(my) {
      const id = await my.create({ externalUserId: null });
      await my.settle(id);
      await my.validate(id);
    },
    mend: buy,
    finds: 'user_missing',
  },
  {
    mistake: 'a trusted status',
    run: async (my) => my.observe('url_status_trusted', await buy(my)),
    mend: buy,
    finds: 'url_status_trusted',
  },
  {
    mistake: 'a refused domain that is allowed now',
    run: returnTo('https://new.example/'),
    mend: allow,
    finds: 'return_url_not_allowed',
  },
  {
    mistake: 'a receiver that rejected a webhook, after a later event',
    options: { receiver: (n) => (n === 2 ? { answer: { status: 500 } } : {}) },
    run: buy,
    mend: buy,
    finds: 'webhook_rejected',
  },
  {
    mistake: 'a receiver that could not be reached, whose endpoint is deleted now',
    options: { receiver: failsOnce(2, 'connect') },
    run: buy,
    mend: removeEndpoint,
    finds: 'webhook_unreachable',
  },
];

const NOT_MENDED: readonly MendedCase[] = [
  {
    mistake: 'a wrong key for create, and a correct one for validate',
    async run(my) {
      const id = await my.verify();
      await wrongKey(my);
      await my.advance(SECOND);
      await my.validate(id);
    },
    mend: async () => {},
    finds: 'key_refused',
  },
  {
    mistake: 'a refused domain, and later another one that is allowed',
    run: returnTo('https://new.example/'),
    mend: returnTo('http://localhost/other'),
    finds: 'return_url_not_allowed',
  },
  {
    mistake: 'a rejected event whose retry is accepted',
    options: { receiver: (n) => (n === 2 ? { answer: { status: 500 } } : {}) },
    run: buy,
    mend: (my) => my.advance(MINUTE),
    finds: 'webhook_rejected',
  },
  {
    mistake: 'trust in the status, and access for the same session',
    async run(my) {
      const id = await my.verify();
      await my.observe('url_status_trusted', id);
      await my.advance(SECOND);
      await my.validate(id);
      await my.observe('access_granted', id);
    },
    mend: async () => {},
    finds: 'url_status_trusted',
  },
];

const toCodes = (list: readonly DoctorFinding[]): DoctorCode[] => list.map(({ code }) => code);

describe('a finding is earlier', () => {
  it.each(MENDED)('after it was mended: $mistake', async ({ options, run, mend, finds }) => {
    const shop = await aShop(options);
    await run(shop);
    const before = await shop.doctor();
    expect(toCodes(before.findings)).toEqual([finds]);
    expect(before.earlier).toEqual([]);
    await shop.advance(MINUTE);
    await mend(shop);
    const { findings, earlier } = await shop.doctor();
    expect(toCodes(earlier)).toContain(finds);
    expect(toCodes(findings)).not.toContain(finds);
  });
});

describe('a finding is not earlier', () => {
  it.each(NOT_MENDED)('with $mistake', async ({ options, run, mend, finds }) => {
    const shop = await aShop(options);
    await run(shop);
    await shop.advance(MINUTE);
    await mend(shop);
    const { findings, earlier } = await shop.doctor();
    expect(toCodes(findings)).toContain(finds);
    expect(earlier).toEqual([]);
  });
});

it('a report without other findings says that all is well', async () => {
  const shop = await aShop();
  await wrongKey(shop);
  await shop.advance(MINUTE);
  await buy(shop);
  expect(await shop.findings()).toEqual(['all_well ok']);
});

it('a finding that comes back is current again', async () => {
  const shop = await aShop();
  await wrongKey(shop);
  await shop.advance(MINUTE);
  await buy(shop);
  await shop.advance(MINUTE);
  await wrongKey(shop);
  const { findings, earlier } = await shop.doctor();
  expect(findings).toMatchObject([{ code: 'key_refused', lastSeenAt: '2026-01-01T00:02:00.000Z' }]);
  expect(earlier).toEqual([]);
});

it('a finding says when it was last seen, which is the present for a setting', async () => {
  const shop = await aShop({ endpoints: [{ url: HOOK, secret: null }] });
  await wrongKey(shop);
  await shop.advance(MINUTE);
  const { findings, checkedAt } = await shop.doctor();
  expect(findings).toMatchObject([
    { code: 'key_refused', lastSeenAt: '2026-01-01T00:00:00.000Z' },
    { code: 'webhook_unsigned', lastSeenAt: checkedAt },
  ]);
});
