import { expect } from 'vitest';
import { buy, DEAF, eventOf, HOUR, MINUTE, type Case, type Shop } from './a-shop.ts';

/** Grants access to the session's shopper one millisecond before the call to validate. */
async function grantTooEarly(shop: Shop, id: string): Promise<void> {
  await shop.observe('access_granted', id);
  await shop.advance(1);
  await shop.validate(id);
}

/**
 * Access that is granted too early or to the wrong shopper, events that are processed twice, and
 * integrations without a mistake.
 */
export const ACCESS_CASES: readonly Case[] = [
  {
    mistake: 'no mistake: each step once',
    why: 'the page creates a session, the webhook reports the result, and the server validates once',
    run: buy,
    finds: ['all_well ok'],
  },
  {
    mistake: 'no mistake: a shopper who fails, one who leaves and one who passes',
    why: 'the shop validates every session, even the one that has expired',
    async run(shop) {
      const failed = await shop.verify('failed_age_not_met');
      expect((await shop.validate(failed)).body).toMatchObject({ verified: false });
      const left = await shop.create();
      await shop.advance(10 * MINUTE);
      expect((await shop.validate(left)).status).toBe(400);
      await buy(shop);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'no mistake: only the webhook delivers the result',
    why: 'a signed webhook replaces validate if the shop reports that it processed the event',
    async run(shop) {
      const id = await shop.verify();
      await shop.observe('webhook_processed', id, { eventId: await eventOf(shop, id) });
      await shop.observe('access_granted', id);
      await shop.advance(HOUR);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'no mistake: a fault was injected',
    why: 'an injected fault is not a mistake of the integration',
    async run(shop) {
      for (const fault of ['429', '503'] as const)
        await shop.my.service.control.addFault({ operation: 'create', fault });
      for (let n = 0; n < 2; n += 1) await shop.create();
      await buy(shop);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'no traffic',
    why: 'there is nothing to check',
    options: { endpoints: [] },
    run: async () => {},
    finds: ['nothing_seen warning'],
  },

  {
    mistake: 'access for a shopper who failed',
    why: 'the shop trusted the status in the URL or from the SDK',
    async run(shop) {
      const id = await shop.verify('failed_age_not_met');
      await shop.validate(id);
      await shop.observe('access_granted', id);
    },
    finds: ['access_not_verified problem'],
  },
  {
    mistake: 'access while the result is pending',
    why: 'the shopper has not verified anything yet',
    run: async (shop) => shop.observe('access_granted', await shop.create()),
    finds: ['access_not_verified problem'],
  },
  {
    mistake: 'access without a call to validate',
    why: 'the shop never asked for the result',
    options: { endpoints: [DEAF] },
    run: async (shop) => shop.observe('access_granted', await shop.verify()),
    finds: ['access_before_result problem'],
    says: /never validated/,
  },
  {
    mistake: 'access one millisecond before validate',
    why: 'the shop did not wait for the response',
    options: { endpoints: [DEAF] },
    run: async (shop) => grantTooEarly(shop, await shop.verify()),
    finds: ['access_before_result problem'],
    says: /\(1 ms before validate\)/,
  },
  {
    mistake: 'access one millisecond before validate, but after the webhook',
    why: 'access may be based on the webhook or on the URL',
    run: async (shop) => grantTooEarly(shop, await shop.verify()),
    finds: ['access_before_result warning'],
  },
  {
    mistake:
      'no mistake: access one millisecond before validate, but the shop reports that it processed the webhook',
    why: 'validate then only confirms the result',
    async run(shop) {
      const id = await shop.verify();
      await shop.observe('webhook_processed', id, { eventId: await eventOf(shop, id) });
      await grantTooEarly(shop, id);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'no mistake: access in the same millisecond as validate',
    why: 'validate came first, although both have the same time',
    options: { endpoints: [DEAF] },
    run: buy,
    finds: ['all_well ok'],
  },
  {
    mistake: 'the status in the URL is used',
    why: 'it may happen to be right this time',
    run: async (shop) => shop.observe('url_status_trusted', await buy(shop)),
    finds: ['url_status_trusted problem'],
  },
  {
    mistake: 'an event is processed twice',
    why: 'the receiver processes every delivery',
    async run(shop) {
      const id = await buy(shop);
      const eventId = await eventOf(shop, id);
      for (let n = 0; n < 2; n += 1) await shop.observe('webhook_processed', id, { eventId });
    },
    finds: ['event_processed_twice problem'],
  },
  {
    mistake: 'no mistake: two services process each of two events',
    why: 'each service does its own part once',
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
];
