import type { DoctorCode } from 'ofage-mock';
import {
  buy,
  type Case,
  DEAF,
  eventOf,
  HOUR,
  MINUTE,
  PAGE,
  processLast,
  SECOND,
  type Shop,
  SIGNED,
} from './a-shop.ts';
import { reportCall, reportForgedReturn } from './page-cases.ts';

export interface CureCase extends Pick<Case, 'options' | 'run'> {
  /** The code of the finding that `run` causes. */
  readonly finds: DoctorCode;
  /** What the developer does about it, which is what the advice says. */
  readonly cure: string;
  /** Runs a minute later. */
  readonly follow: (shop: Shop) => Promise<unknown>;
}

const BY = { by: 'return page' };
const OUTSIDE_CLICK = { mode: 'new-tab', isInClick: false, isPageUsed: true };
const validateAgain = async (shop: Shop): Promise<void> => {
  const id = await buy(shop);
  await shop.advance(SECOND);
  await shop.validate(id);
};

const createFor = (returnUrl: string) => (shop: Shop) => shop.create({ returnUrl });

/** The findings about requests, results and access, and how to follow the advice of each. */
export const CURE_CASES: readonly CureCase[] = [
  { finds: 'nothing_seen', run: async () => {}, cure: 'create a session', follow: buy },
  {
    finds: 'access_not_verified',
    run: async (shop) => {
      const id = await shop.verify('failed_age_not_met');
      await shop.validate(id);
      await shop.observe('access_granted', id, BY);
    },
    cure: 'give access only to a verified shopper',
    follow: buy,
  },
  {
    finds: 'access_before_result',
    options: { endpoints: [DEAF] },
    run: async (shop) => {
      const id = await shop.verify();
      await shop.observe('access_granted', id, BY);
      await shop.advance(1);
      await shop.validate(id);
    },
    cure: 'call validate first',
    follow: buy,
  },
  {
    finds: 'url_status_trusted',
    run: async (shop) => shop.observe('url_status_trusted', await buy(shop)),
    cure: 'call validate and give access',
    follow: buy,
  },
  {
    finds: 'url_status_trusted',
    run: async (shop) => shop.observe('url_status_trusted', await buy(shop)),
    cure: 'call validate, and report nothing',
    follow: async (shop) => shop.validate(await shop.verify()),
  },
  {
    finds: 'event_processed_twice',
    run: (shop) => processLast(shop, 2),
    cure: 'process each event once',
    follow: (shop) => processLast(shop, 1),
  },
  {
    finds: 'result_never_asked',
    options: { endpoints: [DEAF] },
    run: async (shop) => {
      await shop.verify();
      await shop.advance(MINUTE);
    },
    cure: 'call validate while that is possible',
    follow: async (shop) => {
      const [session] = await shop.my.control.sessions();
      await shop.validate(session!.id);
    },
  },
  {
    finds: 'result_never_asked',
    options: { endpoints: [DEAF] },
    run: async (shop) => {
      await shop.verify();
      await shop.advance(11 * MINUTE);
    },
    cure: 'call validate for the next session',
    follow: buy,
  },
  {
    finds: 'result_by_webhook_alone',
    run: async (shop) => {
      await shop.verify();
      await shop.advance(MINUTE);
    },
    cure: 'report the webhook as processed',
    follow: async (shop) => {
      const [session] = await shop.my.control.sessions();
      const eventId = await eventOf(shop, session!.id);
      await shop.observe('webhook_processed', session!.id, { eventId });
    },
  },
  {
    finds: 'result_by_webhook_alone',
    run: async (shop) => {
      await shop.verify();
      await shop.advance(MINUTE);
    },
    cure: 'call validate for the next session',
    follow: buy,
  },
  {
    finds: 'result_asked_too_early',
    run: async (shop) => {
      const id = await shop.create();
      await shop.validate(id);
      await shop.settle(id);
      await shop.advance(MINUTE);
    },
    cure: 'call validate again',
    follow: async (shop) => {
      const [session] = await shop.my.control.sessions();
      await shop.validate(session!.id);
    },
  },
  {
    finds: 'result_asked_too_late',
    run: async (shop) => {
      const id = await shop.verify();
      await shop.advance(HOUR);
      await shop.validate(id);
    },
    cure: 'call validate when the next shopper returns',
    follow: buy,
  },
  {
    finds: 'result_asked_twice',
    run: validateAgain,
    cure: 'call validate once for the next session',
    follow: buy,
  },
  {
    finds: 'session_token_sent',
    run: async (shop) => {
      const { sessionId, sessionToken } = await shop.my.create({ externalUserId: 'anna' });
      await shop.validate(sessionId, { sessionId, sessionToken });
    },
    cure: 'send only the session id',
    follow: buy,
  },
  {
    finds: 'session_of_another_account',
    run: async (shop) => {
      const { control } = shop.my.service;
      const other = await control.createTenant({ name: 'Wine' });
      const { publishable } = await control.createKeyPair(other.id);
      await control.createEndpoint(other.id, SIGNED);
      const body = { returnUrl: 'http://localhost/', externalUserId: 'eve' };
      const created = await shop.post('/sessions/create', publishable.value, body);
      await shop.settle(created.body.sessionId);
      await shop.validate(created.body.sessionId);
    },
    cure: 'use the secret key of the pair that created the session',
    follow: async (shop) => {
      const [session] = await shop.my.control.sessions();
      const [pair] = await shop.my.control.keyPairs(session!.tenantId);
      await shop.post('/sessions/validate', pair!.secret.value, { sessionId: session!.id });
    },
  },
  {
    finds: 'session_unknown',
    run: async (shop) => shop.validate('00000000-0000-4000-8000-000000000000'),
    cure: 'use one service on the page and the server',
    follow: buy,
  },
  {
    finds: 'secret_key_in_browser',
    run: (shop) =>
      shop.post(
        '/sessions/create',
        shop.secretKey,
        { returnUrl: 'http://localhost/', externalUserId: 'anna' },
        { origin: PAGE },
      ),
    cure: 'use the publishable key in the page',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'secret_key_in_browser',
    run: async (shop) =>
      shop.post(
        '/sessions/validate',
        shop.secretKey,
        { sessionId: await shop.verify() },
        { origin: PAGE },
      ),
    cure: 'call validate from the server',
    follow: buy,
  },
  {
    finds: 'secret_key_in_browser',
    run: (shop) => shop.post('/session', shop.secretKey, {}, { origin: PAGE }),
    cure: 'use the publishable key and the right path in the page',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'publishable_key_to_validate',
    run: async (shop) =>
      shop.post('/sessions/validate', shop.publishableKey, { sessionId: await buy(shop) }),
    cure: 'call validate from the server with the secret key',
    follow: buy,
  },
  {
    finds: 'key_missing',
    run: (shop) => shop.post('/sessions/create', null, {}),
    cure: 'send the key',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'key_refused',
    run: (shop) => shop.post('/sessions/create', 'sk_test_wrong', {}),
    cure: 'use the key of the account',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'policy_with_publishable_key',
    run: (shop) => shop.create({ challengeAge: 30 }),
    cure: 'leave the fields out in the browser',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'policy_with_publishable_key',
    run: (shop) => shop.create({ challengeAge: 30 }),
    cure: 'create the session on the server',
    follow: (shop) => shop.my.create({ challengeAge: 30, externalUserId: 'anna' }),
  },
  {
    finds: 'return_url_not_allowed',
    run: createFor('https://new.example/'),
    cure: 'allow the host',
    follow: ({ my, tenantId }) =>
      my.control.updateTenant(tenantId, { allowedDomains: ['new.example'] }),
  },
  {
    finds: 'return_url_not_allowed',
    run: createFor('https://anna:secret@localhost/'),
    cure: 'correct a URL that no host in the list would allow',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'request_invalid',
    run: (shop) => shop.create({ age: 18 }),
    cure: 'correct the field',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'path_unknown',
    run: (shop) => shop.post('/api/v1/sessions/create', shop.secretKey, {}),
    cure: 'correct the base URL',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'rate_limited',
    run: async (shop) => {
      await shop.my.control.updateTenant(shop.tenantId, { rateLimits: { validate: 1 } });
      const id = await shop.create();
      for (let n = 0; n < 2; n += 1) await shop.validate(id);
    },
    cure: 'wait',
    follow: buy,
  },
  {
    finds: 'launch_unavailable',
    run: async (shop) => {
      const [pair] = await shop.my.control.keyPairs(shop.tenantId);
      await shop.my.control.setKeyStatus(pair!.publishable.id, 'paused');
      await shop.my.create({ externalUserId: 'anna' });
    },
    cure: 'activate the publishable key again',
    follow: async (shop) => {
      const [pair] = await shop.my.control.keyPairs(shop.tenantId);
      await shop.my.control.setKeyStatus(pair!.publishable.id, 'active');
      await shop.my.create({ externalUserId: 'anna' });
    },
  },
  {
    finds: 'user_missing',
    run: (shop) => shop.create({ externalUserId: null }),
    cure: 'set externalUserId',
    follow: (shop) => shop.create(),
  },
  {
    finds: 'verify_on_load',
    run: (shop) => reportCall(shop, { mode: 'redirect', isInClick: false, isPageUsed: false }),
    cure: 'call verify() in a click',
    follow: (shop) => reportCall(shop, { mode: 'redirect', isInClick: true, isPageUsed: true }),
  },
  {
    finds: 'verify_outside_click',
    run: (shop) => reportCall(shop, OUTSIDE_CLICK, false),
    cure: 'call verify() in a click',
    follow: (shop) => reportCall(shop, { ...OUTSIDE_CLICK, isInClick: true }, true),
  },
  {
    finds: 'forged_return_unasked',
    run: async (shop) => {
      await reportForgedReturn(shop);
      await shop.advance(MINUTE);
    },
    cure: 'ask the server about each return',
    follow: async (shop) => shop.validate(await reportForgedReturn(shop)),
  },
];

const wrongKey = (shop: Shop) => shop.post('/sessions/create', 'sk_test_wrong', {});

/** What looks like a cure, but is none. */
export const NO_CURE_CASES: readonly CureCase[] = [
  {
    finds: 'verify_outside_click',
    run: (shop) => reportCall(shop, OUTSIDE_CLICK, false),
    cure: 'a click on a page that calls verify() outside of it, too',
    follow: async (shop) => {
      await reportCall(shop, { ...OUTSIDE_CLICK, isInClick: true }, true);
      await reportCall(shop, OUTSIDE_CLICK, false);
    },
  },
  {
    finds: 'key_refused',
    async run(shop) {
      const id = await shop.verify();
      await wrongKey(shop);
      await shop.advance(SECOND);
      await shop.validate(id);
    },
    cure: 'a wrong key for create, and a correct one for validate',
    follow: async () => {},
  },
  {
    finds: 'return_url_not_allowed',
    run: createFor('https://new.example/'),
    cure: 'a refused domain, and later another one that is allowed',
    follow: createFor('http://localhost/other'),
  },
  {
    finds: 'url_status_trusted',
    async run(shop) {
      const id = await shop.verify();
      await shop.observe('url_status_trusted', id);
      await shop.advance(SECOND);
      await shop.validate(id);
      await shop.observe('access_granted', id);
    },
    cure: 'trust in the status, and access for the same session',
    follow: async () => {},
  },
  {
    finds: 'secret_key_in_browser',
    run: (shop) => shop.post('/sessions/create', shop.secretKey, {}, { origin: PAGE }),
    cure: 'a secret key in a page that creates a session with it',
    follow: (shop) =>
      shop.post(
        '/sessions/create',
        shop.secretKey,
        { returnUrl: 'http://localhost/', externalUserId: 'anna' },
        { origin: PAGE },
      ),
  },
];
