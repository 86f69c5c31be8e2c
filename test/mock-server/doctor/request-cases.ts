import type { Case } from './case.ts';
import { buy, PAGE, type Shop } from './a-shop.ts';

/** Wrong keys, bodies, addresses and rates in requests to the API. */
export const REQUEST_CASES: readonly Case[] = [
  {
    mistake: 'the secret key in a page',
    why: 'a browser says where it is from',
    async run(shop) {
      const body = { returnUrl: 'http://localhost/', externalUserId: 'anna' };
      await shop.post('/sessions/create', shop.secretKey, body, { origin: PAGE });
    },
    finds: ['secret_key_in_browser problem'],
  },
  {
    mistake: 'the secret key in a page behind a proxy',
    why: 'the proxy dropped the origin, but not what else only browsers send',
    async run(shop) {
      const id = await shop.verify();
      const headers = { 'sec-fetch-site': 'same-origin' };
      await shop.post('/sessions/validate', shop.secretKey, { sessionId: id }, headers);
    },
    finds: ['secret_key_in_browser problem'],
  },
  {
    mistake: 'the publishable key to validate',
    why: 'validate in the page',
    async run(shop) {
      const id = await shop.verify();
      const headers = { origin: PAGE };
      await shop.post('/sessions/validate', shop.publishableKey, { sessionId: id }, headers);
    },
    finds: ['publishable_key_to_validate problem'],
  },
  {
    mistake: 'no key',
    why: 'the variable is not set',
    run: (shop) => shop.post('/sessions/create', null, { returnUrl: 'http://localhost/' }),
    finds: ['key_missing problem'],
  },
  {
    mistake: 'a wrong key',
    why: 'of another environment',
    run: (shop) => shop.post('/sessions/create', 'sk_other', { returnUrl: 'http://localhost/' }),
    finds: ['key_refused problem'],
  },
  {
    mistake: 'a publishable key that is wrong',
    why: 'create takes them, so it is not about the kind of key',
    run: (shop) => shop.post('/sessions/create', 'pk_other', { returnUrl: 'http://localhost/' }),
    finds: ['key_refused problem'],
  },
  {
    mistake: 'a paused key',
    why: '403 instead of 401',
    async run(shop) {
      const { control } = shop.my.service;
      const [pair] = await control.keyPairs(shop.tenantId);
      await control.setKeyStatus(pair!.publishable.id, 'paused');
      await shop.create();
    },
    finds: ['key_refused problem'],
  },
  {
    mistake: 'a secret key whose partner is paused',
    why: 'it can validate, but nothing can be launched',
    async run(shop) {
      const { control } = shop.my.service;
      const [pair] = await control.keyPairs(shop.tenantId);
      await control.setKeyStatus(pair!.publishable.id, 'paused');
      await shop.my.create({ externalUserId: 'anna' });
    },
    finds: ['launch_unavailable problem'],
  },
  {
    mistake: 'policy from the browser that differs',
    why: 'the page asks for 30, the account says 25',
    run: (shop) => shop.create({ challengeAge: 30, faceMatchEnabled: false }),
    finds: ['policy_with_publishable_key problem'],
  },
  {
    mistake: 'policy from the browser that is the account’s',
    why: 'it works until one of the two is changed',
    run: (shop) => shop.create({ verificationMode: 'L1', challengeAge: 25 }),
    finds: ['policy_with_publishable_key warning'],
  },
  {
    mistake: 'none: policy from the server',
    why: 'that is where it is honoured',
    run: (shop) => shop.my.create({ externalUserId: 'anna', challengeAge: 30 }),
    finds: ['all_well ok'],
  },
  {
    mistake: 'a return address that is not allowed',
    why: 'the domain was not added',
    run: (shop) => shop.create({ returnUrl: 'https://elsewhere.example/return' }),
    finds: ['return_url_not_allowed problem'],
  },
  {
    mistake: 'a cancel address that is not allowed',
    why: 'the same rule',
    run: (shop) => shop.create({ cancelUrl: 'https://elsewhere.example/' }),
    finds: ['return_url_not_allowed problem'],
  },
  {
    mistake: 'a field that there is not',
    why: 'the API refuses what it does not know',
    run: (shop) => shop.create({ age: 18 }),
    finds: ['request_invalid problem'],
  },
  {
    mistake: 'another account’s merchantId',
    why: 'copied from an example',
    run: (shop) => shop.create({ merchantId: 'somebody' }),
    finds: ['request_invalid problem'],
  },
  {
    mistake: 'the base address twice',
    why: 'the client adds the version itself',
    async run(shop) {
      await buy(shop);
      await shop.post('/api/v1/sessions/create', shop.secretKey, {});
    },
    finds: ['path_unknown warning'],
  },
  ...(
    [
      [3, 'all_well ok', 'as many as there may be'],
      [4, 'rate_limited warning', 'one more'],
    ] as const
  ).map(([times, finding, why]) => ({
    mistake: `${times} calls of validate in a minute that allows 3`,
    why,
    async run(shop: Shop) {
      const { control } = shop.my.service;
      await control.updateTenant(shop.tenantId, { rateLimits: { validate: 3 } });
      const id = await shop.create();
      for (let n = 0; n < times; n += 1) await shop.validate(id);
    },
    finds: [finding],
  })),
  {
    mistake: 'no externalUserId',
    why: 'the session is nobody’s',
    run: (shop) => shop.create({ externalUserId: undefined }),
    finds: ['user_missing warning'],
  },
];
