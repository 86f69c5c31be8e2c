import {
  buy,
  DEAF,
  failsOnce,
  HOUR,
  MINUTE,
  SECOND,
  SIGNED,
  type Case,
  type Shop,
} from './a-shop.ts';

/** Validates a session only before its result is known. */
async function validateTooEarly(
  shop: Shop,
  outcome?: Parameters<Shop['settle']>[1],
): Promise<void> {
  const id = await shop.create();
  await shop.validate(id);
  await shop.settle(id, outcome);
  await shop.advance(MINUTE);
}

/** Results that are fetched too early, too late, twice, for the wrong session, or never. */
export const RESULT_CASES: readonly Case[] = [
  ...(
    [
      [10 * SECOND, 'all_well ok', 'the shopper may still be returning'],
      [10 * SECOND + 1, 'result_never_asked warning', 'the result should have been fetched by now'],
      [10 * MINUTE - 1, 'result_never_asked warning', 'the result can still be fetched'],
      [10 * MINUTE, 'result_never_asked problem', 'the session has expired, so the result is lost'],
    ] as const
  ).map(([afterMs, finding, why]) => ({
    mistake: `no call to validate within ${afterMs} ms`,
    why,
    options: { endpoints: [DEAF] },
    async run(shop: Shop) {
      await shop.verify();
      await shop.advance(afterMs);
    },
    finds: [finding],
  })),
  ...(
    [
      [10 * SECOND, 'all_well ok', 'the shopper may still be returning'],
      [
        10 * SECOND + 1,
        'result_by_webhook_alone warning',
        'the status in the URL may have granted access',
      ],
      [HOUR, 'result_by_webhook_alone warning', 'the webhook has delivered the result'],
    ] as const
  ).map(([afterMs, finding, why]) => ({
    mistake: `a signed webhook but no call to validate within ${afterMs} ms`,
    why,
    async run(shop: Shop) {
      await shop.verify();
      await shop.advance(afterMs);
    },
    finds: [finding],
  })),
  {
    mistake: 'no call to validate, but the legacy webhook delivered the result',
    why: 'the legacy webhook is signed as well',
    options: { endpoints: [] },
    async run(shop) {
      await shop.my.service.control.putLegacyWebhook(shop.tenantId, SIGNED);
      await shop.verify();
      await shop.advance(MINUTE);
    },
    finds: ['result_by_webhook_alone warning'],
  },
  {
    mistake: 'no call to validate, and a webhook without a signature',
    why: 'anyone could have sent it',
    options: { endpoints: [{ ...SIGNED, secret: null }] },
    async run(shop) {
      await shop.verify();
      await shop.advance(10 * MINUTE);
    },
    finds: ['result_never_asked problem', 'webhook_unsigned problem'],
    says: /No request with a secret key has arrived.* OFAGE_API_BASE/,
  },
  {
    mistake: 'validate while the session is pending, and never again',
    why: 'the call comes when the page loads, not when the shopper returns',
    options: { endpoints: [DEAF] },
    run: (shop) => validateTooEarly(shop),
    finds: ['result_asked_too_early problem'],
  },
  {
    mistake: 'validate while the session is pending, but a webhook with the result',
    why: 'the result is not lost',
    run: (shop) => validateTooEarly(shop),
    finds: ['result_asked_too_early warning'],
  },
  {
    mistake: 'validate after the session expired, but a webhook with the result',
    why: 'the result is not lost',
    async run(shop) {
      const id = await shop.verify();
      await shop.advance(3 * HOUR);
      await shop.validate(id);
    },
    finds: ['result_asked_too_late warning'],
    says: /verified; called 2\.8 h after it expired/,
  },
  {
    mistake: 'validate while the session is pending, and the shopper fails',
    why: 'the shopper gets no access, but the shop does not know why',
    run: (shop) => validateTooEarly(shop, 'failed_age_not_met'),
    finds: ['result_asked_too_early warning'],
  },
  {
    mistake: 'no mistake: validate while the session is pending, and again later',
    why: 'a pending result does not consume the session',
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
      [1, 'all_well ok', 'the last millisecond is in time'],
      [0, 'result_asked_too_late problem', 'at its deadline the session has expired'],
    ] as const
  ).map(([beforeMs, finding, why]) => ({
    mistake: `validate ${beforeMs} ms before the session expires`,
    why,
    options: { endpoints: [DEAF] },
    async run(shop: Shop) {
      const id = await shop.verify();
      await shop.advance(10 * MINUTE - beforeMs);
      await shop.validate(id);
      await shop.advance(MINUTE);
    },
    finds: [finding],
  })),
  {
    mistake: 'validate twice',
    why: 'the return page was reloaded',
    async run(shop) {
      const id = await buy(shop);
      await shop.advance(MINUTE);
      await shop.validate(id);
    },
    finds: ['result_asked_twice warning'],
    says: /1 min after the first\)/,
  },
  {
    mistake: 'validate twice, after a webhook that was sent twice',
    why: 'the receiver may validate for each copy of the event',
    options: { receiver: failsOnce(2, 'timeout') },
    async run(shop) {
      const id = await buy(shop);
      await shop.advance(MINUTE);
      await shop.validate(id);
    },
    finds: ['webhook_timeout problem', 'result_asked_twice warning', 'webhook_repeated warning'],
    says: /Events that were sent more than once: [0-9a-f-]{36}\./,
  },
  ...(
    [
      ['with the id', 'the shop forwards the whole create response'],
      ['without the id', 'the call names no session, which is no trust in the URL'],
      ['as the id', 'the shop mistook the token for the id'],
    ] as const
  ).map(([how, why]) => ({
    mistake: `the session token is sent ${how}`,
    why,
    async run(shop: Shop) {
      const { sessionId, sessionToken } = await shop.my.create({ externalUserId: 'anna' });
      await shop.settle(sessionId);
      const bodies = {
        'with the id': { sessionId, sessionToken },
        'without the id': { sessionToken },
        'as the id': { sessionId: sessionToken },
      };
      await shop.validate(sessionId, bodies[how]);
    },
    finds: ['session_token_sent problem'],
  })),
  {
    mistake: 'the session token and another wrong field in a call to validate',
    why: 'each mistake needs a correction of its own',
    async run(shop) {
      const { sessionId, sessionToken } = await shop.my.create({ externalUserId: 'anna' });
      await shop.settle(sessionId);
      await shop.validate(sessionId, { sessionId, sessionToken, age: 18 });
    },
    finds: ['session_token_sent problem', 'request_invalid problem'],
  },
  {
    mistake: 'a session of a different account',
    why: 'a shopper brought it from a different shop',
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
    mistake: 'a session that does not exist',
    why: 'a shopper made it up',
    async run(shop) {
      await buy(shop);
      await shop.validate('00000000-0000-4000-8000-000000000000');
    },
    finds: ['session_unknown warning'],
  },
];
