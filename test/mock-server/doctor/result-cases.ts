import type { Case } from './case.ts';
import { buy, DEAF, HOUR, MINUTE, SECOND, SIGNED, type Shop } from './a-shop.ts';

/** Results that are asked for too early, too late, twice, or for the wrong session. */
export const RESULT_CASES: readonly Case[] = [
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
      await shop.verify();
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
      await shop.verify();
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
      await shop.verify();
      await shop.advance(MINUTE);
    },
    finds: ['result_by_webhook_alone warning'],
  },
  {
    mistake: 'no validate, and a webhook without a signature',
    why: 'what anybody can send tells nothing',
    options: { endpoints: [{ ...SIGNED, secret: null }] },
    async run(shop) {
      await shop.verify();
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
      const id = await shop.verify();
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
      const id = await shop.verify();
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
];
