import { buy, PAGE, type Case, type Shop } from './a-shop.ts';

/** Wrong keys, bodies, URLs and rates in requests to the API. */
export const REQUEST_CASES: readonly Case[] = [
  {
    mistake: 'the secret key in a page',
    why: 'a browser sends its origin',
    async run(shop) {
      const body = { returnUrl: 'http://localhost/', externalUserId: 'anna' };
      await shop.post('/sessions/create', shop.secretKey, body, { origin: PAGE });
    },
    finds: ['secret_key_in_browser problem'],
    says: /1 request with sk_[0-9a-f]{4}… from https:\/\/shop\.example\./,
  },
  {
    mistake: 'the secret key in a page behind a proxy',
    why: 'the proxy removed the origin, but not the other headers that only browsers send',
    async run(shop) {
      const id = await shop.verify();
      const headers = { 'sec-fetch-site': 'same-origin' };
      await shop.post('/sessions/validate', shop.secretKey, { sessionId: id }, headers);
    },
    finds: ['secret_key_in_browser problem'],
  },
  {
    mistake: 'the publishable key for validate',
    why: 'the page calls validate',
    async run(shop) {
      const id = await shop.verify();
      const headers = { origin: PAGE };
      await shop.post('/sessions/validate', shop.publishableKey, { sessionId: id }, headers);
    },
    finds: ['publishable_key_to_validate problem'],
  },
  {
    mistake: 'no key',
    why: 'the environment variable is not set',
    run: (shop) => shop.post('/sessions/create', null, { returnUrl: 'http://localhost/' }),
    finds: ['key_missing problem'],
  },
  {
    mistake: 'a wrong key',
    why: 'the key is from a different environment',
    run: (shop) => shop.post('/sessions/create', 'sk_other', { returnUrl: 'http://localhost/' }),
    finds: ['key_refused problem'],
  },
  {
    mistake: 'a wrong publishable key',
    why: 'create accepts publishable keys, so the kind of key is not the mistake',
    run: (shop) => shop.post('/sessions/create', 'pk_other', { returnUrl: 'http://localhost/' }),
    finds: ['key_refused problem'],
  },
  {
    mistake: 'a paused key',
    why: 'the API responds with 403 instead of 401',
    async run(shop) {
      const { control } = shop.my.service;
      const [pair] = await control.keyPairs(shop.tenantId);
      await control.setKeyStatus(pair!.publishable.id, 'paused');
      await shop.create();
    },
    finds: ['key_refused problem'],
  },
  {
    mistake: 'a secret key whose publishable key is paused',
    why: 'validate works, but no verification can be launched',
    async run(shop) {
      const { control } = shop.my.service;
      const [pair] = await control.keyPairs(shop.tenantId);
      await control.setKeyStatus(pair!.publishable.id, 'paused');
      await shop.my.create({ externalUserId: 'anna' });
    },
    finds: ['launch_unavailable problem'],
  },
  {
    mistake: 'a policy from the browser that differs from the account’s',
    why: 'the page asks for 30, the account says 25',
    run: (shop) => shop.create({ challengeAge: 30, faceMatchEnabled: false }),
    finds: ['policy_with_publishable_key problem'],
    says: /challengeAge 30 \(used: 25\)/,
  },
  {
    mistake: 'a policy from the browser that equals the account’s',
    why: 'it works until one of the two is changed',
    run: (shop) => shop.create({ verificationMode: 'L1', challengeAge: 25 }),
    finds: ['policy_with_publishable_key warning'],
  },
  {
    mistake: 'no mistake: a policy from the server',
    why: 'the API respects a policy that comes with the secret key',
    run: (shop) => shop.my.create({ externalUserId: 'anna', challengeAge: 30 }),
    finds: ['all_well ok'],
  },
  {
    mistake: 'a return URL that is not allowed',
    why: 'the domain was not added',
    options: { tenant: { allowedDomains: ['shop.example', '*.shop.example'] } },
    run: (shop) => shop.create({ returnUrl: 'https://elsewhere.example/return' }),
    finds: ['return_url_not_allowed problem'],
    says: /refused for elsewhere\.example; allowed: shop\.example and \*\.shop\.example/,
  },
  {
    mistake: 'a cancel URL that is not allowed',
    why: 'the rule is the same as for the return URL',
    run: (shop) => shop.create({ cancelUrl: 'https://elsewhere.example/' }),
    finds: ['return_url_not_allowed problem'],
  },
  {
    mistake: 'an unknown field',
    why: 'the API rejects unknown fields',
    run: (shop) => shop.create({ age: 18 }),
    finds: ['request_invalid problem'],
  },
  {
    mistake: 'a session token in a request to create',
    why: 'the shop repeats a request with what it has stored',
    run: (shop) => shop.create({ sessionToken: 'st1_0123456789' }),
    finds: ['request_invalid problem'],
  },
  {
    mistake: 'a return URL outside of the allowed domains, in a long request',
    why: 'the recorded body is shortened, so its URL is not known',
    run: (shop) =>
      shop.create({
        returnUrl: `https://other.example/?${'a'.repeat(5_000)}`,
      }),
    finds: ['return_url_not_allowed problem'],
    says: /refused for a URL in a long request/,
  },
  {
    mistake: 'the merchantId of a different account',
    why: 'it was copied from an example',
    run: (shop) => shop.create({ merchantId: 'somebody' }),
    finds: ['request_invalid problem'],
  },
  {
    mistake: 'the base path twice',
    why: 'the client already adds the base path',
    async run(shop) {
      await buy(shop);
      await shop.post('/api/v1/sessions/create', shop.secretKey, {});
    },
    finds: ['path_unknown warning'],
  },
  ...(
    [
      [3, 'all_well ok', 'exactly the limit'],
      [4, 'rate_limited warning', 'one above the limit'],
    ] as const
  ).map(([times, finding, why]) => ({
    mistake: `${times} calls to validate in a minute with a limit of 3`,
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
    why: 'the session belongs to no shopper',
    async run(shop) {
      for (let n = 0; n < 5; n += 1) await shop.create({ externalUserId: undefined });
    },
    finds: ['user_missing warning'],
    says: /^5 of 5 sessions without externalUserId \([0-9a-f-]{36}, [0-9a-f-]{36}, [0-9a-f-]{36} and 2 more\)/m,
  },
];
