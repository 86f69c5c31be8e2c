import { eventOf, type Case } from './case.ts';
import { buy, HOUR, MINUTE, SECOND, SIGNED, failsOnce } from './a-shop.ts';

/** Endpoints that are missing or unsafe, and receivers that misbehave. */
export const WEBHOOK_CASES: readonly Case[] = [
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
    options: { receiver: failsOnce(2, 'timeout') },
    async run(shop) {
      await buy(shop);
      await shop.advance(MINUTE);
    },
    finds: ['webhook_timeout problem', 'webhook_repeated warning'],
  },
  {
    mistake: 'the same with session.started',
    why: 'it has no eventId to tell it by, and nothing is decided by it',
    options: { receiver: failsOnce(1, 'timeout') },
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
    options: { receiver: failsOnce(2, 'reset') },
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
