import { buy, eventOf, failsOnce, HOUR, MINUTE, SECOND, SIGNED, type Case } from './a-shop.ts';

/** Endpoints that are missing or unsafe, and receivers that misbehave. */
export const WEBHOOK_CASES: readonly Case[] = [
  {
    mistake: 'no endpoint',
    why: 'the result of a shopper who does not return is lost',
    options: { endpoints: [] },
    run: buy,
    finds: ['webhook_missing warning'],
  },
  {
    mistake: 'a disabled endpoint',
    why: 'the endpoint exists but receives no events',
    options: { endpoints: [{ ...SIGNED, enabled: false }] },
    run: buy,
    finds: ['webhook_missing warning'],
  },
  {
    mistake: 'no mistake: the legacy webhook instead of an endpoint',
    why: 'the legacy webhook receives the events',
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
    why: 'only the mock accepts this',
    options: {
      allowLoopbackWebhooks: true,
      endpoints: [{ ...SIGNED, url: 'http://127.0.0.1:3000/' }],
    },
    run: buy,
    finds: ['webhook_not_https warning'],
  },
  {
    mistake: 'an https endpoint on this machine',
    why: 'only the mock accepts this',
    options: {
      allowLoopbackWebhooks: true,
      endpoints: [{ ...SIGNED, url: 'https://localhost:3000/' }],
    },
    run: buy,
    finds: ['webhook_not_public warning'],
  },
  {
    mistake: 'a receiver that rejects',
    why: 'the receiver does not know the secret',
    options: { receiver: () => ({ answer: { status: 401 } }) },
    run: buy,
    finds: ['webhook_rejected problem'],
  },
  {
    mistake: 'a receiver that responds with 500 once and then accepts',
    why: 'it may have been restarting, and no event is lost',
    // The first webhook is session.started.
    options: { receiver: (n) => (n === 2 ? { answer: { status: 500 } } : {}) },
    async run(shop) {
      await buy(shop);
      await shop.advance(MINUTE);
    },
    finds: ['webhook_rejected warning'],
  },
  {
    mistake: 'a receiver that rejects for hours',
    why: 'the endpoint is paused after a while',
    options: { receiver: () => ({ answer: { status: 410 } }) },
    async run(shop) {
      await buy(shop);
      await shop.advance(3 * HOUR);
    },
    finds: ['webhook_paused problem', 'webhook_rejected problem'],
    says: /rejecting, paused 1\d\d min ago, 2 events not delivered/,
  },
  {
    mistake: 'a receiver that does not exist',
    why: 'the connection is refused',
    options: { receiver: () => ({ answer: { kind: 'failure', error: 'connect' } as object }) },
    run: buy,
    finds: ['webhook_unreachable problem'],
  },
  {
    mistake: 'a receiver that times out',
    why: 'it may have processed the event',
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
    mistake: 'a receiver that times out and then accepts the retry',
    why: 'it may have processed the event twice',
    options: { receiver: failsOnce(2, 'timeout') },
    async run(shop) {
      await buy(shop);
      await shop.advance(MINUTE);
    },
    finds: ['webhook_timeout problem', 'webhook_repeated warning'],
    says: /1 event: verification\.completed [0-9a-f-]{36} \(2 times\)/,
  },
  {
    mistake: 'a receiver that times out for session.started and then accepts the retry',
    why: 'session.started has no eventId and grants nothing',
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
    mistake: 'no mistake of the receiver: it reports that it processed the event once',
    why: 'it has recognised the duplicate',
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
      [5 * SECOND - 1, 'all_well ok', 'just under a third of the limit'],
      [5 * SECOND, 'webhook_slow warning', 'a third of the limit'],
      [10 * SECOND - 1, 'webhook_slow warning', 'just under two thirds of the limit'],
      [10 * SECOND, 'webhook_slow problem', 'two thirds of the limit'],
    ] as const
  ).map(([afterMs, finding, why]) => ({
    mistake: `a receiver that responds after ${afterMs} ms`,
    why,
    options: { receiver: () => ({ afterMs }) },
    run: buy,
    finds: [finding],
  })),
  {
    mistake: 'a receiver that responds after 6.5 s',
    why: 'the finding has the 95th percentile of the response times',
    options: { receiver: () => ({ afterMs: 6_500 }) },
    run: buy,
    finds: ['webhook_slow warning'],
    says: /p95 6\.5 s of 2 responses, slowest 6\.5 s/,
  },
  {
    mistake: 'a redirect',
    why: 'the URL is not the final one',
    options: { receiver: () => ({ answer: { hops: 1 } }) },
    run: buy,
    finds: ['webhook_redirected warning'],
  },
  {
    mistake: 'an endless redirect',
    why: 'no event arrives',
    options: {
      receiver: () => ({
        answer: { kind: 'failure', error: 'too_many_redirects', hops: 5 } as object,
      }),
    },
    run: buy,
    finds: ['webhook_redirected problem'],
  },
  {
    mistake: 'two endpoints with the same URL',
    why: 'each receives every event',
    options: { endpoints: [SIGNED, SIGNED] },
    run: buy,
    finds: ['webhook_repeated warning'],
  },
];
