import { afterEach, expect, it } from 'vitest';
import {
  aShop,
  buy,
  DEAF,
  failsOnce,
  HOUR,
  MINUTE,
  PAGE,
  type Shop,
  type ShopOptions,
} from './a-shop.ts';

let shop: Shop;
afterEach(() => shop?.my.service.close());

/** Details that a finding mentions besides its code. */
const WORDS: readonly {
  about: string;
  options?: ShopOptions;
  run: (shop: Shop) => Promise<unknown>;
  says: RegExp;
}[] = [
  {
    about: 'how long access preceded the call to validate',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.verify();
      await shop.observe('access_granted', id);
      await shop.advance(1_200);
      await shop.validate(id);
    },
    says: /1\.2 s before validate/,
  },
  {
    about: 'that no server called the mock, because OFAGE_API_BASE may be missing',
    options: { endpoints: [DEAF] },
    async run(shop) {
      await shop.verify();
      await shop.advance(MINUTE);
    },
    says: /No request with a secret key has arrived.* OFAGE_API_BASE/,
  },
  {
    about: 'that access was granted without a call to validate',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.verify();
      await shop.observe('access_granted', id);
    },
    says: /never validated/,
  },
  {
    about: 'how much later validate was called again, and which event was sent more than once',
    options: { receiver: failsOnce(2, 'timeout') },
    async run(shop) {
      const id = await buy(shop);
      await shop.advance(MINUTE);
      await shop.validate(id);
    },
    says: /1 min after the first\)\. Events that were sent more than once: [0-9a-f-]{36}\./,
  },
  {
    about: 'how long after the deadline the result was fetched',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.verify();
      await shop.advance(3 * HOUR);
      await shop.validate(id);
    },
    says: /verified; called 2\.8 h after it expired/,
  },
  {
    about: 'which policy was sent, and which was used',
    run: (shop) => shop.create({ challengeAge: 30 }),
    says: /challengeAge 30 \(used: 25\)/,
  },
  {
    about: 'which host was rejected, and which are allowed',
    options: { tenant: { allowedDomains: ['shop.example', '*.shop.example'] } },
    run: (shop) => shop.create({ returnUrl: 'https://elsewhere.example/return' }),
    says: /refused for elsewhere\.example; allowed: shop\.example and \*\.shop\.example/,
  },
  {
    about: 'which key was used where, without the whole key',
    run: (shop) =>
      shop.post('/sessions/validate', shop.secretKey, { sessionId: 'x' }, { origin: PAGE }),
    says: /1 request with sk_[0-9a-f]{4}… from https:\/\/shop\.example\./,
  },
  {
    about: 'at most three ids, and how many more there are',
    async run(shop) {
      for (let n = 0; n < 5; n += 1) await shop.create({ externalUserId: null });
    },
    says: /^5 of 5 sessions without externalUserId \([0-9a-f-]{36}, [0-9a-f-]{36}, [0-9a-f-]{36} and 2 more\)/,
  },
  {
    about: 'why an endpoint is paused and how many events it missed',
    options: { receiver: () => ({ answer: { status: 410 } }) },
    async run(shop) {
      await buy(shop);
      await shop.advance(3 * HOUR);
    },
    says: /rejecting, paused 1\d\d min ago, 2 events not delivered/,
  },
  {
    about: 'the p95 of response times',
    options: { receiver: () => ({ afterMs: 6_500 }) },
    run: buy,
    says: /p95 6\.5 s of 2 responses, slowest 6\.5 s/,
  },
];

it.each(WORDS)('the findings mention $about', async ({ options, run, says }) => {
  shop = await aShop(options);
  await run(shop);
  const { findings } = await shop.doctor();
  expect(findings.map(({ detail }) => detail).join('\n')).toMatch(says);
  const { secretKey, publishableKey } = shop;
  for (const secret of [secretKey, publishableKey])
    expect(JSON.stringify(findings)).not.toContain(secret.slice(8));
});
