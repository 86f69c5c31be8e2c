import { expect } from 'vitest';
import { eventOf, type Case } from './case.ts';
import { buy, DEAF, HOUR, MINUTE } from './a-shop.ts';

/** Access that is given too early, to the wrong shopper, or twice; and integrations that make no mistake. */
export const ACCESS_CASES: readonly Case[] = [
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
    mistake: 'none, but the result comes by webhook alone',
    why: 'a signed webhook is as good as validate, when it is told that it was processed',
    async run(shop) {
      const id = await shop.verify();
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
      const id = await shop.verify('failed_age_not_met');
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
      const id = await shop.verify();
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
      const id = await shop.verify();
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
      const id = await shop.verify();
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
];
