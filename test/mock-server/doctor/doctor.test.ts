import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { percentile95 } from '../../../mock-server/doctor/delivery-checks.ts';
import {
  aShop,
  buy,
  DEAF,
  HOUR,
  MINUTE,
  PAGE,
  SECOND,
  SIGNED,
  type Shop,
  type ShopOptions,
} from './a-shop.ts';

let shop: Shop;
afterEach(() => shop?.my.service.close());

interface Case {
  mistake: string;
  why: string;
  options?: ShopOptions;
  run: (shop: Shop) => Promise<unknown>;
  finds: readonly string[];
}

const eventOf = async ({ my }: Shop, sessionId: string): Promise<string> =>
  (await my.service.control.events({ sessionId })).at(-1)!.id;

const CASES: readonly Case[] = [
  {
    mistake: 'none',
    why: 'page, webhook and validate, each once and in this order',
    run: buy,
    finds: ['all_well ok'],
  },
  {
    mistake: 'none, with three outcomes and a retry',
    why: 'a shopper who fails, one who gives up, one who needs two sessions',
    async run(shop) {
      const failed = await shop.create();
      await shop.settle(failed, 'failed_age_not_met');
      expect((await shop.validate(failed)).body).toMatchObject({ verified: false });
      const left = await shop.create();
      await shop.advance(10 * MINUTE);
      expect((await shop.validate(left)).status).toBe(400);
      await buy(shop);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'none, but the result comes by webhook alone',
    why: 'a signed webhook is as good as validate, when it is told that it was processed',
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.observe('webhook_processed', id, { eventId: await eventOf(shop, id) });
      await shop.observe('access_granted', id);
      await shop.advance(HOUR);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'none, but a fault was asked for',
    why: 'what a test asks for is not the integration’s doing',
    async run(shop) {
      for (const fault of ['429', '503'] as const)
        await shop.my.service.control.addFault({ operation: 'create', fault });
      for (let n = 0; n < 2; n += 1) await shop.create();
      await buy(shop);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'nothing was done',
    why: 'no traffic, no judgement',
    options: { endpoints: [] },
    run: async () => {},
    finds: ['nothing_seen warning'],
  },

  {
    mistake: 'access to somebody who failed',
    why: 'the status of the address, or of the SDK, was believed',
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id, 'failed_age_not_met');
      await shop.validate(id);
      await shop.observe('access_granted', id);
    },
    finds: ['access_not_verified problem'],
  },
  {
    mistake: 'access while the result is pending',
    why: 'nobody has verified anything yet',
    run: async (shop) => shop.observe('access_granted', await shop.create()),
    finds: ['access_not_verified problem'],
  },
  {
    mistake: 'access a millisecond before validate',
    why: 'the answer was not waited for',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.observe('access_granted', id);
      await shop.advance(1);
      await shop.validate(id);
    },
    finds: ['access_before_result problem'],
  },
  {
    mistake: 'access a millisecond before validate, and after the webhook',
    why: 'the webhook may have given it, or the address',
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.observe('access_granted', id);
      await shop.advance(1);
      await shop.validate(id);
    },
    finds: ['access_before_result warning'],
  },
  {
    mistake: 'none: the same, and the webhook is told to have given it',
    why: 'validate then only confirms',
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.observe('webhook_processed', id, { eventId: await eventOf(shop, id) });
      await shop.observe('access_granted', id);
      await shop.advance(1);
      await shop.validate(id);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'none: access in the millisecond of validate',
    why: 'the other side of it',
    options: { endpoints: [DEAF] },
    run: buy,
    finds: ['all_well ok'],
  },
  {
    mistake: 'the status of the address is used',
    why: 'it may have come out right this time',
    run: async (shop) => shop.observe('url_status_trusted', await buy(shop)),
    finds: ['url_status_trusted problem'],
  },
  {
    mistake: 'an event is processed twice',
    why: 'the receiver does its work at every delivery',
    async run(shop) {
      const id = await buy(shop);
      const eventId = await eventOf(shop, id);
      for (let n = 0; n < 2; n += 1) await shop.observe('webhook_processed', id, { eventId });
    },
    finds: ['event_processed_twice problem'],
  },
  {
    mistake: 'none: two services process an event, and two events are processed',
    why: 'each does its own part, once',
    async run(shop) {
      for (let n = 0; n < 2; n += 1) {
        const id = await buy(shop);
        const eventId = await eventOf(shop, id);
        for (const by of ['mail', 'stock'])
          await shop.observe('webhook_processed', id, { eventId, by });
      }
    },
    finds: ['all_well ok'],
  },

  ...(
    [
      [10 * SECOND, 'all_well ok', 'the shopper may be on the way'],
      [10 * SECOND + 1, 'result_never_asked warning', 'it should have been asked for by now'],
      [10 * MINUTE - 1, 'result_never_asked warning', 'there is a last moment to ask'],
      [10 * MINUTE, 'result_never_asked problem', 'the result is lost'],
    ] as const
  ).map(([afterMs, finding, why]) => ({
    mistake: `no validate within ${afterMs} ms`,
    why,
    options: { endpoints: [DEAF] },
    async run(shop: Shop) {
      await shop.settle(await shop.create());
      await shop.advance(afterMs);
    },
    finds: [finding],
  })),
  ...(
    [
      [10 * SECOND, 'all_well ok', 'the shopper may be on the way'],
      [10 * SECOND + 1, 'result_by_webhook_alone warning', 'the address may have given access'],
      [HOUR, 'result_by_webhook_alone warning', 'the result is not lost'],
    ] as const
  ).map(([afterMs, finding, why]) => ({
    mistake: `a signed webhook, and no validate within ${afterMs} ms`,
    why,
    async run(shop: Shop) {
      await shop.settle(await shop.create());
      await shop.advance(afterMs);
    },
    finds: [finding],
  })),
  {
    mistake: 'no validate, and the single webhook of older accounts told the result',
    why: 'it is a signed webhook, too',
    options: { endpoints: [] },
    async run(shop) {
      await shop.my.service.control.putLegacyWebhook(shop.tenantId, SIGNED);
      await shop.settle(await shop.create());
      await shop.advance(MINUTE);
    },
    finds: ['result_by_webhook_alone warning'],
  },
  {
    mistake: 'no validate, and a webhook without a signature',
    why: 'what anybody can send tells nothing',
    options: { endpoints: [{ ...SIGNED, secret: null }] },
    async run(shop) {
      await shop.settle(await shop.create());
      await shop.advance(10 * MINUTE);
    },
    finds: ['result_never_asked problem', 'webhook_unsigned problem'],
  },
  {
    mistake: 'validate while pending, and never again',
    why: 'asked when the page loads, not when the shopper returns',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.create();
      await shop.validate(id);
      await shop.settle(id);
      await shop.advance(MINUTE);
    },
    finds: ['result_asked_too_early problem'],
  },
  {
    mistake: 'validate while pending, and the webhook tells the result',
    why: 'nothing is lost',
    async run(shop) {
      const id = await shop.create();
      await shop.validate(id);
      await shop.settle(id);
      await shop.advance(MINUTE);
    },
    finds: ['result_asked_too_early warning'],
  },
  {
    mistake: 'validate after the end, and the webhook told the result',
    why: 'nothing is lost',
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.advance(10 * MINUTE);
      await shop.validate(id);
    },
    finds: ['result_asked_too_late warning'],
  },
  {
    mistake: 'validate while pending, and the shopper fails',
    why: 'nobody gets in, but nobody knows why either',
    async run(shop) {
      const id = await shop.create();
      await shop.validate(id);
      await shop.settle(id, 'failed_age_not_met');
      await shop.advance(MINUTE);
    },
    finds: ['result_asked_too_early warning'],
  },
  {
    mistake: 'none: validate while pending, and again',
    why: 'a pending answer uses nothing up',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.create();
      await shop.validate(id);
      await shop.settle(id);
      await shop.validate(id);
      await shop.advance(MINUTE);
    },
    finds: ['all_well ok'],
  },
  ...(
    [
      [1, 'all_well ok', 'the last moment is in time'],
      [0, 'result_asked_too_late problem', 'at its end the session has expired'],
    ] as const
  ).map(([beforeMs, finding, why]) => ({
    mistake: `validate ${beforeMs} ms before the session expires`,
    why,
    options: { endpoints: [DEAF] },
    async run(shop: Shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.advance(10 * MINUTE - beforeMs);
      await shop.validate(id);
      await shop.advance(MINUTE);
    },
    finds: [finding],
  })),
  {
    mistake: 'validate twice',
    why: 'the return page was loaded again',
    async run(shop) {
      await shop.validate(await buy(shop));
    },
    finds: ['result_asked_twice warning'],
  },
  {
    mistake: 'the session token is sent beside the id',
    why: 'everything of the create answer is passed on',
    async run(shop) {
      const { sessionId, sessionToken } = await shop.my.create({ externalUserId: 'anna' });
      await shop.settle(sessionId);
      await shop.validate(sessionId, { sessionId, sessionToken });
      await shop.advance(MINUTE);
    },
    finds: ['session_token_sent problem'],
  },
  {
    mistake: 'the session token is sent alone',
    why: 'it names no session, but is no sign of trust in the address',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const { sessionId, sessionToken } = await shop.my.create({ externalUserId: 'anna' });
      await shop.settle(sessionId);
      await shop.validate(sessionId, { sessionToken });
      await shop.advance(MINUTE);
    },
    finds: ['session_token_sent problem'],
  },
  {
    mistake: 'the session token is sent as the id',
    why: 'it looks like an id',
    async run(shop) {
      const { sessionId, sessionToken } = await shop.my.create({ externalUserId: 'anna' });
      await shop.settle(sessionId);
      await shop.validate(sessionId, { sessionId: sessionToken });
    },
    finds: ['session_token_sent problem'],
  },
  {
    mistake: 'a session of another account',
    why: 'somebody brought it along',
    async run(shop) {
      const { control } = shop.my.service;
      const other = await control.createTenant({ name: 'Wine' });
      const { publishable } = await control.createKeyPair(other.id);
      await control.createEndpoint(other.id, SIGNED);
      const body = { returnUrl: 'http://localhost/', externalUserId: 'eve' };
      const created = await shop.post('/sessions/create', publishable.value, body);
      await shop.settle(created.body.sessionId);
      await shop.validate(created.body.sessionId);
    },
    finds: ['session_of_another_account problem'],
  },
  {
    mistake: 'a session that there is not',
    why: 'somebody typed it',
    async run(shop) {
      await buy(shop);
      await shop.validate('00000000-0000-4000-8000-000000000000');
    },
    finds: ['session_unknown warning'],
  },

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
      const id = await shop.create();
      await shop.settle(id);
      const headers = { 'sec-fetch-site': 'same-origin' };
      await shop.post('/sessions/validate', shop.secretKey, { sessionId: id }, headers);
    },
    finds: ['secret_key_in_browser problem'],
  },
  {
    mistake: 'the publishable key to validate',
    why: 'validate in the page',
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
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

  {
    mistake: 'no endpoint',
    why: 'a shopper who does not return is lost',
    options: { endpoints: [] },
    run: buy,
    finds: ['webhook_missing warning'],
  },
  {
    mistake: 'a disabled endpoint',
    why: 'it is there, but gets nothing',
    options: { endpoints: [{ ...SIGNED, enabled: false }] },
    run: buy,
    finds: ['webhook_missing warning'],
  },
  {
    mistake: 'none, with the single webhook of older accounts',
    why: 'it gets events while there is no endpoint',
    options: { endpoints: [] },
    async run(shop) {
      await shop.my.service.control.putLegacyWebhook(shop.tenantId, SIGNED);
      await buy(shop);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'an endpoint without a secret',
    why: 'its webhooks are not signed',
    options: { endpoints: [{ ...SIGNED, secret: null }] },
    run: buy,
    finds: ['webhook_unsigned problem'],
  },
  {
    mistake: 'an http endpoint',
    why: 'only the mock takes it',
    options: {
      allowLoopbackWebhooks: true,
      endpoints: [{ ...SIGNED, url: 'http://127.0.0.1:3000/' }],
    },
    run: buy,
    finds: ['webhook_not_https warning'],
  },
  {
    mistake: 'an https endpoint on this machine',
    why: 'only the mock takes it',
    options: {
      allowLoopbackWebhooks: true,
      endpoints: [{ ...SIGNED, url: 'https://localhost:3000/' }],
    },
    run: buy,
    finds: ['webhook_not_public warning'],
  },
  {
    mistake: 'a receiver that rejects',
    why: 'it does not know the secret',
    options: { receiver: () => ({ answer: { status: 401 } }) },
    run: buy,
    finds: ['webhook_rejected problem'],
  },
  {
    mistake: 'a receiver that comes round',
    why: 'a restart, say: nothing is lost',
    // The first is session.started's.
    options: { receiver: (n) => (n === 2 ? { answer: { status: 500 } } : {}) },
    async run(shop) {
      await buy(shop);
      await shop.advance(MINUTE);
    },
    finds: ['webhook_rejected warning'],
  },
  {
    mistake: 'a receiver that rejects for hours',
    why: 'it is paused in the end',
    options: { receiver: () => ({ answer: { status: 410 } }) },
    async run(shop) {
      await buy(shop);
      await shop.advance(3 * HOUR);
    },
    finds: ['webhook_paused problem', 'webhook_rejected problem'],
  },
  {
    mistake: 'a receiver that is not there',
    why: 'the connection is refused',
    options: { receiver: () => ({ answer: { kind: 'failure', error: 'connect' } as object }) },
    run: buy,
    finds: ['webhook_unreachable problem'],
  },
  {
    mistake: 'a receiver that times out',
    why: 'and may have done the work',
    options: {
      receiver: () => ({
        answer: { kind: 'failure', error: 'timeout' } as object,
        afterMs: 15 * SECOND,
      }),
    },
    run: buy,
    finds: ['webhook_timeout problem'],
  },
  {
    mistake: 'a receiver that times out, and accepts when it is asked again',
    why: 'the work may have been done twice',
    options: {
      receiver: (n) => (n === 2 ? { answer: { kind: 'failure', error: 'timeout' } as object } : {}),
    },
    async run(shop) {
      await buy(shop);
      await shop.advance(MINUTE);
    },
    finds: ['webhook_timeout problem', 'webhook_repeated warning'],
  },
  {
    mistake: 'the same with session.started',
    why: 'it has no eventId to tell it by, and nothing is decided by it',
    options: {
      receiver: (n) => (n === 1 ? { answer: { kind: 'failure', error: 'timeout' } as object } : {}),
    },
    async run(shop) {
      const id = await shop.create();
      await shop.advance(MINUTE);
      await shop.settle(id);
      await shop.validate(id);
    },
    finds: ['webhook_timeout problem'],
  },
  {
    mistake: 'none of the receiver’s: it says that it did the work once',
    why: 'the repetition was noticed',
    options: {
      receiver: (n) => (n === 2 ? { answer: { kind: 'failure', error: 'reset' } as object } : {}),
    },
    async run(shop) {
      const id = await buy(shop);
      await shop.advance(MINUTE);
      await shop.observe('webhook_processed', id, { eventId: await eventOf(shop, id) });
    },
    finds: ['webhook_unreachable warning'],
  },
  ...(
    [
      [5 * SECOND - 1, 'all_well ok', 'a third of the limit is not used up'],
      [5 * SECOND, 'webhook_slow warning', 'it is'],
      [10 * SECOND - 1, 'webhook_slow warning', 'two thirds are not'],
      [10 * SECOND, 'webhook_slow problem', 'they are'],
    ] as const
  ).map(([afterMs, finding, why]) => ({
    mistake: `a receiver that answers after ${afterMs} ms`,
    why,
    options: { receiver: () => ({ afterMs }) },
    run: buy,
    finds: [finding],
  })),
  {
    mistake: 'a redirect',
    why: 'the address is not the last one',
    options: { receiver: () => ({ answer: { hops: 1 } }) },
    run: buy,
    finds: ['webhook_redirected warning'],
  },
  {
    mistake: 'redirects without end',
    why: 'nothing arrives',
    options: {
      receiver: () => ({
        answer: { kind: 'failure', error: 'too_many_redirects', hops: 5 } as object,
      }),
    },
    run: buy,
    finds: ['webhook_redirected problem'],
  },
  {
    mistake: 'two endpoints with one address',
    why: 'each gets every event',
    options: { endpoints: [SIGNED, SIGNED] },
    run: buy,
    finds: ['webhook_repeated warning'],
  },
];

describe('the doctor finds exactly', () => {
  it.each(CASES)('$finds when the mistake is: $mistake ($why)', async ({ options, run, finds }) => {
    shop = await aShop(options);
    await run(shop);
    expect(await shop.findings()).toEqual(finds);
  });
});

it('has a case for every severity of every code that the guide names', () => {
  const guide = readFileSync('docs/guides/doctor.md', 'utf8');
  const named = [...guide.matchAll(/^\| `([a-z_]+)` +\| (problem|warning|ok)( or warning)? /gm)];
  const all = named.flatMap(([, code, first, second]) => [
    `${code} ${first}`,
    ...(second ? [`${code} warning`] : []),
  ]);
  const found = new Set(CASES.flatMap(({ finds }) => finds));
  expect([...found].sort()).toEqual(all.sort());
});

/** What is said, besides which finding it is. */
const WORDS: readonly {
  about: string;
  options?: ShopOptions;
  run: (shop: Shop) => Promise<unknown>;
  says: RegExp;
}[] = [
  {
    about: 'how long before the result access was given',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.observe('access_granted', id);
      await shop.advance(1_200);
      await shop.validate(id);
    },
    says: /1\.2 s before validate/,
  },
  {
    about: 'that access was given and nobody asked',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.observe('access_granted', id);
    },
    says: /which nobody has asked for/,
  },
  {
    about: 'that each delivery of an event validates',
    options: {
      receiver: (n) => (n === 2 ? { answer: { kind: 'failure', error: 'timeout' } as object } : {}),
    },
    async run(shop) {
      const id = await buy(shop);
      await shop.advance(MINUTE);
      await shop.validate(id);
    },
    says: /1 min after the first\)\. The webhook of event [0-9a-f-]{36} was sent more than once/,
  },
  {
    about: 'how much later than the end a result was asked for',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const id = await shop.create();
      await shop.settle(id);
      await shop.advance(3 * HOUR);
      await shop.validate(id);
    },
    says: /verified; asked 2\.8 h after it expired/,
  },
  {
    about: 'which policy was sent, and which was used',
    run: (shop) => shop.create({ challengeAge: 30 }),
    says: /challengeAge 30 \(used: 25\)/,
  },
  {
    about: 'which host was refused, and which are allowed',
    options: { tenant: { allowedDomains: ['shop.example', '*.shop.example'] } },
    run: (shop) => shop.create({ returnUrl: 'https://elsewhere.example/return' }),
    says: /refused for elsewhere\.example; allowed are shop\.example and \*\.shop\.example/,
  },
  {
    about: 'which key was used where, and not the key itself',
    run: (shop) =>
      shop.post('/sessions/validate', shop.secretKey, { sessionId: 'x' }, { origin: PAGE }),
    says: /1 request with sk_[0-9a-f]{4}… from https:\/\/shop\.example\./,
  },
  {
    about: 'at most three of many, and how many more there are',
    async run(shop) {
      for (let n = 0; n < 5; n += 1) await shop.create({ externalUserId: null });
    },
    says: /^5 of 5 sessions without externalUserId \([0-9a-f-]{36}, [0-9a-f-]{36}, [0-9a-f-]{36} and 2 more\)/,
  },
  {
    about: 'why an endpoint is paused and what was missed',
    options: { receiver: () => ({ answer: { status: 410 } }) },
    async run(shop) {
      await buy(shop);
      await shop.advance(3 * HOUR);
    },
    says: /rejecting, paused 1\d\d min ago, 2 events not delivered/,
  },
  {
    about: 'the p95 of answers',
    options: { receiver: () => ({ afterMs: 6_500 }) },
    run: buy,
    says: /p95 6\.5 s of 2 answers, slowest 6\.5 s/,
  },
];

it.each(WORDS)('says $about', async ({ options, run, says }) => {
  shop = await aShop(options);
  await run(shop);
  const { findings } = await shop.doctor();
  expect(findings.map(({ detail }) => detail).join('\n')).toMatch(says);
  const { secretKey, publishableKey } = shop;
  for (const secret of [secretKey, publishableKey])
    expect(JSON.stringify(findings)).not.toContain(secret.slice(8));
});

it('takes the nearest rank for the p95', () => {
  const answers = (slow: number) => Array.from({ length: 20 }, (_, n) => (n < slow ? 9_000 : 10));
  expect(percentile95([])).toBe(0);
  expect(percentile95([7])).toBe(7);
  expect(percentile95(answers(1))).toBe(10);
  expect(percentile95(answers(2))).toBe(9_000);
});

describe('the report', () => {
  it('puts problems before warnings, with evidence that can be looked up', async () => {
    shop = await aShop({ endpoints: [] });
    const id = await shop.create({ externalUserId: null });
    await shop.settle(id);
    await shop.observe('access_granted', id);
    const { findings } = await shop.doctor();
    expect(findings.map(({ severity }) => severity)).toEqual(['problem', 'warning', 'warning']);
    expect(findings.map(({ evidence }) => evidence)).toEqual([
      [{ kind: 'observation', id: '1', at: '2026-01-01T00:00:00.000Z' }],
      [{ kind: 'session', id, at: '2026-01-01T00:00:00.000Z' }],
      [],
    ]);
  });

  it('keeps the newest 20 of much evidence', async () => {
    shop = await aShop();
    for (let n = 0; n < 25; n += 1) await shop.post('/sessions/create', 'sk_wrong', {});
    const [finding] = (await shop.doctor()).findings;
    expect(finding!.detail).toMatch(/^25 requests/);
    expect(finding!.evidence.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => String(n + 6)),
    );
  });

  it('says what it is made from, since when, and what was forgotten', async () => {
    shop = await aShop();
    const empty = await shop.doctor();
    expect(empty.seen).toEqual({
      requests: 0,
      sessions: 0,
      deliveries: 0,
      observations: 0,
      since: null,
      forgottenRequests: 0,
    });
    await buy(shop);
    await shop.advance(MINUTE);
    for (let n = 0; n < 499; n += 1) await shop.post('/sessions/create', null, {});
    expect(await shop.doctor()).toMatchObject({
      checkedAt: '2026-01-01T00:01:00.000Z',
      seen: {
        requests: 500,
        sessions: 1,
        deliveries: 2,
        observations: 1,
        since: '2026-01-01T00:00:00.000Z',
        forgottenRequests: 1,
      },
    });
  });

  it('leaves out what the hosted page asks', async () => {
    shop = await aShop();
    const { sessionToken } = await shop.my.create({ externalUserId: 'anna' });
    await shop.my.hosted('session', sessionToken);
    await shop.my.hosted('session', 'nonsense');
    expect(await shop.doctor()).toMatchObject({
      seen: { requests: 1 },
      findings: [{ code: 'all_well' }],
    });
  });

  it('still knows what was wrong when pages have been open for a while', async () => {
    shop = await aShop();
    await shop.my.api('validate', shop.publishableKey, {});
    const { sessionToken } = await shop.my.create({ externalUserId: 'anna' });
    for (let n = 0; n < 600; n += 1) await shop.my.hosted('heartbeat', sessionToken);
    expect(await shop.doctor()).toMatchObject({
      seen: { requests: 2, forgottenRequests: 0 },
      findings: [{ code: 'publishable_key_to_validate' }],
    });
  });

  it('is of one session when one is asked for', async () => {
    shop = await aShop();
    const good = await buy(shop);
    const bad = await shop.create({ externalUserId: null });
    await shop.validate(bad);
    await shop.post('/sessions/validate', shop.publishableKey, { sessionId: bad });
    await shop.observe('access_granted', bad);
    expect(await shop.findings({ sessionId: good })).toEqual(['all_well ok']);
    expect(await shop.findings({ sessionId: bad })).toEqual([
      'access_not_verified problem',
      'publishable_key_to_validate problem',
      'user_missing warning',
    ]);
    expect((await shop.doctor({ sessionId: bad })).seen).toMatchObject({
      requests: 3,
      sessions: 1,
      deliveries: 1,
      observations: 1,
    });
  });

  it('is of one account when one is asked for, and of requests that are nobody’s', async () => {
    shop = await aShop();
    const { control } = shop.my.service;
    const other = await control.createTenant({ name: 'Wine' });
    await buy(shop);
    expect(await shop.findings({ tenantId: shop.tenantId })).toEqual(['all_well ok']);
    expect(await shop.findings({ tenantId: other.id })).toEqual(['nothing_seen warning']);
    const { secret } = await control.createKeyPair(other.id);
    await shop.post('/sessions/create', secret.value, { returnUrl: 'http://localhost/' });
    expect(await shop.findings({ tenantId: shop.tenantId })).toEqual(['all_well ok']);
    expect(await shop.findings({ tenantId: other.id })).toEqual([
      'user_missing warning',
      'webhook_missing warning',
    ]);
    await shop.post('/sessions/create', null, {});
    for (const tenantId of [shop.tenantId, other.id])
      expect(await shop.findings({ tenantId })).toContain('key_missing problem');
  });
});
