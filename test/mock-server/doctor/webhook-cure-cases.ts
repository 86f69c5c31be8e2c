import {
  buy,
  eventOf,
  failsOnce,
  HOOK,
  HOUR,
  MINUTE,
  processLast,
  type Receiver,
  SECOND,
  type Shop,
  SIGNED,
} from './a-shop.ts';
import type { CureCase } from './cure-cases.ts';

const NEW_URL = 'https://shop.example/new';

const endpointOf = async ({ my, tenantId }: Shop): Promise<string> =>
  (await my.control.endpoints(tenantId))[0]!.id;

const change =
  (input: Parameters<Shop['my']['control']['updateEndpoint']>[1]) =>
  async (shop: Shop): Promise<unknown> =>
    shop.my.control.updateEndpoint(await endpointOf(shop), input);

/** Returns a receiver that responds wrongly to the second webhook, which is the first result. */
const wrongOnce =
  (answer: ReturnType<Receiver>): Receiver =>
  (n) =>
    n === 2 ? answer : {};

/** Returns a receiver that rejects everything until it is repaired. */
function aBrokenReceiver(): { receiver: Receiver; repair: () => void } {
  let status = 500;
  return { receiver: () => ({ answer: { status } }), repair: () => (status = 204) };
}

const paused = aBrokenReceiver();
const rejecting = aBrokenReceiver();

/** Buys twice, so that a lost response is followed by its retry. */
const buyAndWait = async (shop: Shop): Promise<void> => {
  await buy(shop);
  await shop.advance(MINUTE);
};

/** The findings about endpoints and receivers, and how to follow the advice of each. */
export const WEBHOOK_CURE_CASES: readonly CureCase[] = [
  {
    finds: 'webhook_missing',
    options: { endpoints: [] },
    run: buy,
    cure: 'add an endpoint',
    follow: ({ my, tenantId }) => my.control.createEndpoint(tenantId, SIGNED),
  },
  {
    finds: 'webhook_unsigned',
    options: { endpoints: [{ url: HOOK, secret: null }] },
    run: buy,
    cure: 'give the endpoint a secret',
    follow: change({ secret: SIGNED.secret }),
  },
  {
    finds: 'webhook_not_https',
    options: {
      allowLoopbackWebhooks: true,
      endpoints: [{ ...SIGNED, url: 'http://127.0.0.1:3000/' }],
    },
    run: buy,
    cure: 'use a public https URL',
    follow: change({ url: NEW_URL }),
  },
  {
    finds: 'webhook_not_public',
    options: {
      allowLoopbackWebhooks: true,
      endpoints: [{ ...SIGNED, url: 'https://localhost:3000/' }],
    },
    run: buy,
    cure: 'use a public https URL',
    follow: change({ url: NEW_URL }),
  },
  {
    finds: 'webhook_paused',
    options: { receiver: paused.receiver },
    run: async (shop) => {
      await buy(shop);
      await shop.advance(25 * HOUR);
    },
    cure: 'fix the receiver, then test and resume',
    follow: async (shop) => {
      paused.repair();
      await shop.my.control.resumeEndpoint(await endpointOf(shop));
    },
  },
  {
    finds: 'webhook_rejected',
    options: { receiver: wrongOnce({ answer: { status: 401 } }) },
    run: buy,
    cure: 'fix the receiver, and receive the next event',
    follow: buy,
  },
  {
    finds: 'webhook_rejected',
    options: { receiver: wrongOnce({ answer: { status: 401 } }) },
    run: buy,
    cure: 'fix the receiver, and receive the next event, whose first attempt has an injected fault',
    follow: async (shop) => {
      await shop.my.control.addFault({ operation: 'webhook', fault: '500', count: 2 });
      await buy(shop);
      await shop.advance(HOUR);
    },
  },
  {
    finds: 'webhook_rejected',
    options: { receiver: wrongOnce({ answer: { status: 500 } }) },
    run: buy,
    cure: 'change the URL',
    follow: change({ url: NEW_URL }),
  },
  {
    finds: 'webhook_rejected',
    options: { receiver: rejecting.receiver },
    run: async (shop) => {
      await buy(shop);
      await shop.advance(25 * HOUR);
    },
    cure: 'fix the receiver, test and resume, and redeliver',
    follow: async (shop) => {
      rejecting.repair();
      const id = await endpointOf(shop);
      await shop.my.control.resumeEndpoint(id);
      await shop.my.control.redeliver(id);
      await shop.advance(MINUTE);
      // session.started cannot be redelivered.
      await shop.create();
    },
  },
  {
    finds: 'webhook_unreachable',
    options: { receiver: failsOnce(2, 'connect') },
    run: buy,
    cure: 'start the receiver',
    follow: buy,
  },
  {
    finds: 'webhook_unreachable',
    options: { receiver: failsOnce(2, 'connect') },
    run: buy,
    cure: 'delete the endpoint',
    follow: async (shop) => shop.my.control.deleteEndpoint(await endpointOf(shop)),
  },
  {
    finds: 'webhook_timeout',
    options: { receiver: failsOnce(2, 'timeout') },
    run: buy,
    cure: 'respond before the work',
    follow: buy,
  },
  {
    finds: 'webhook_slow',
    options: { receiver: (n) => (n <= 20 ? { afterMs: 9 * SECOND } : {}) },
    run: async (shop) => {
      for (let n = 0; n < 10; n += 1) await buy(shop);
    },
    cure: 'respond before the work',
    follow: async (shop) => {
      for (let n = 0; n < 3; n += 1) await buy(shop);
    },
  },
  {
    finds: 'webhook_redirected',
    options: { receiver: () => ({ answer: { hops: 1 } }) },
    run: buy,
    cure: 'configure the URL that the redirect leads to',
    follow: change({ url: NEW_URL }),
  },
  {
    finds: 'webhook_redirected',
    options: { receiver: wrongOnce({ answer: { hops: 1 } }) },
    run: buy,
    cure: 'remove the redirect',
    follow: buy,
  },
  {
    finds: 'webhook_repeated',
    options: { receiver: failsOnce(2, 'reset') },
    run: buyAndWait,
    cure: 'report the event as processed once',
    follow: async (shop) => {
      const [session] = await shop.my.control.sessions();
      const eventId = await eventOf(shop, session!.id);
      await shop.observe('webhook_processed', session!.id, { eventId });
    },
  },
  {
    finds: 'webhook_repeated',
    options: {
      receiver: (n) =>
        n === 2 || n === 5 ? { answer: { kind: 'failure', error: 'reset' } as object } : {},
    },
    run: buyAndWait,
    cure: 'store the ids, and report a later copy as processed once',
    follow: async (shop) => {
      const id = await buy(shop);
      await shop.advance(MINUTE);
      await shop.observe('webhook_processed', id, { eventId: await eventOf(shop, id) });
    },
  },
  {
    finds: 'webhook_repeated',
    options: { endpoints: [SIGNED, SIGNED] },
    run: buy,
    cure: 'delete the second endpoint of the URL',
    follow: async (shop) => shop.my.control.deleteEndpoint(await endpointOf(shop)),
  },
];

/** What looks like a repaired receiver, but is none. */
export const NO_WEBHOOK_CURE_CASES: readonly CureCase[] = [
  {
    finds: 'webhook_rejected',
    options: { receiver: wrongOnce({ answer: { status: 500 } }) },
    run: buy,
    cure: 'a rejected event whose retry is accepted',
    follow: (shop) => shop.advance(MINUTE),
  },
  {
    finds: 'webhook_slow',
    options: { receiver: (n) => (n <= 4 ? { afterMs: 9 * SECOND } : {}) },
    run: async (shop) => {
      for (let n = 0; n < 2; n += 1) await buy(shop);
    },
    cure: 'four fast responses',
    follow: async (shop) => {
      for (let n = 0; n < 2; n += 1) await buy(shop);
    },
  },
  {
    finds: 'webhook_repeated',
    options: { receiver: failsOnce(2, 'reset') },
    run: buyAndWait,
    cure: 'a later event that arrived once',
    follow: (shop) => processLast(shop, 1),
  },
];
