import { expect } from 'vitest';
import type { ContractCase } from './case.ts';
import { post, RETURN_URL, type Call, type Created, type World } from './world.ts';

const page =
  (
    method: 'GET' | 'POST',
    action: string,
    body?: object,
    before: (world: World, session: Created) => Promise<unknown> = async () => {},
    make: object = {},
  ) =>
  async (world: World): Promise<Call> => {
    const session = await world.create(make);
    await before(world, session);
    return toCall(method, action, session.sessionToken, body);
  };

function toCall(method: string, action: string, token: string, body?: object): Call {
  const path = `/hosted/v1/${action}`;
  if (body) return post(path, body, token);
  return { path, init: { method, headers: { authorization: `Bearer ${token}` } } };
}

const facts =
  (status: string, differences: object = {}) =>
  async (world: World): Promise<object> => ({
    sessionId: expect.any(String) as unknown,
    status,
    // The account's name, when the session was given none.
    merchantName: expect.stringMatching(/./) as unknown,
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    sandboxMode: true,
    externalUserId: null,
    returnUrl: RETURN_URL,
    cancelUrl: null,
    expiresAt: expect.any(String) as unknown,
    now: await world.now(),
    settledAt: status === 'pending' ? null : await world.now(),
    reason: null,
    presetOutcome: null,
    retries: 0,
    retriesLeft: 2,
    needsRetry: false,
    device: 'first',
    activeDevice: 'first',
    handoffUrl: expect.stringMatching(/\?sessionId=[^&]+&handoffToken=ht1_[^&.]+$/) as unknown,
    ...differences,
  });

const SECOND = { device: 'second', handoffUrl: null };

const FLIPPED: Readonly<Record<string, string>> = { '0': '1' };

export const hostedCases: readonly ContractCase[] = [
  {
    name: 'a pending session',
    why: 'what the page shows, and nothing secret',
    call: page('GET', 'session', undefined, undefined, {
      merchantName: 'Wine & Co',
      externalUserId: 'ofage_test:failed_age_not_met:anna',
      cancelUrl: 'https://shop.example/cancel',
    }),
    status: 200,
    body: facts('pending', {
      merchantName: 'Wine & Co',
      externalUserId: 'ofage_test:failed_age_not_met:anna',
      cancelUrl: 'https://shop.example/cancel',
      presetOutcome: 'failed_age_not_met',
    }),
  },
  {
    name: 'a session by its handoffToken',
    why: 'the second device has that one',
    call: async (world) => toCall('GET', 'session', (await world.create()).handoffToken),
    status: 200,
    body: facts('pending', SECOND),
  },
  {
    name: 'continue on the second device',
    why: 'the shopper goes on there',
    call: async (world) => toCall('POST', 'continue', (await world.create()).handoffToken, {}),
    status: 200,
    body: facts('pending', { ...SECOND, activeDevice: 'second' }),
  },
  {
    name: 'the first device after that',
    why: 'it follows along',
    call: page('GET', 'session', undefined, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending', { activeDevice: 'second' }),
  },
  {
    name: 'the first device after the second has ended the session',
    why: 'it learns how',
    call: page('POST', 'heartbeat', {}, ask('handoffToken', 'continue', 'submit')),
    status: 200,
    body: facts('verified', { activeDevice: 'second' }),
  },
  ...(['submit', 'retry', 'outcome'] as const).map((action): ContractCase => ({
    name: `${action} on the first device after it handed over`,
    why: 'only one of the two takes pictures at a time',
    call: page(
      'POST',
      action,
      action === 'outcome' ? { outcome: 'verified' } : {},
      ask('handoffToken', 'continue'),
    ),
    status: 409,
    message: 'The shopper goes on with the second device: continue on this one first',
  })),
  {
    name: 'submit on the second device before it continues',
    why: 'to have read the code is not to go on there',
    call: async (world) => toCall('POST', 'submit', (await world.create()).handoffToken, {}),
    status: 409,
    message: 'The shopper goes on with the first device: continue on this one first',
  },
  {
    name: 'submit on the first device after it took the check back',
    why: 'the shopper may change their mind',
    call: page('POST', 'submit', {}, async (world, session) => {
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'continue')(world, session);
    }),
    status: 200,
    body: facts('verified'),
  },
  {
    name: 'cancel on the first device after it handed over',
    why: 'the shopper may give up wherever they are',
    call: page('POST', 'cancel', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
  {
    name: 'continue on the first device again',
    why: 'the shopper may change their mind',
    call: page('POST', 'continue', {}, ask('handoffToken', 'continue')),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'the second device continues after the end',
    why: 'there is nothing to go on with',
    call: async (world) => {
      const { sessionId, handoffToken } = await world.create();
      await world.control.settle(sessionId, 'verified');
      return toCall('POST', 'continue', handoffToken, {});
    },
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'the second device leaves while the first is open',
    why: 'the first one goes on, and nothing is cancelled',
    call: page('GET', 'session', undefined, async (world, session) => {
      await ask('sessionToken', 'heartbeat')(world, session);
      await ask('handoffToken', 'continue', 'leave')(world, session);
      await world.host.clock.advance(60_000);
    }),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'both devices leave',
    why: 'nobody is there any more',
    call: page('GET', 'session', undefined, async (world, session) => {
      await ask('sessionToken', 'heartbeat')(world, session);
      await ask('handoffToken', 'continue')(world, session);
      await ask('sessionToken', 'leave')(world, session);
      await ask('handoffToken', 'leave')(world, session);
      await world.host.clock.advance(5_000);
    }),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled', activeDevice: 'second' }),
  },
  {
    name: 'heartbeat',
    why: 'the page is there, and hears how things stand',
    call: page('POST', 'heartbeat', {}),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'a heartbeat with a body that says something',
    why: 'unknown properties are refused here, too',
    call: page('POST', 'heartbeat', { sessionToken: 'x' }),
    status: 400,
    message: ['property sessionToken should not exist'],
  },
  {
    name: 'heartbeats for ten minutes',
    why: 'nothing extends a session',
    call: page('POST', 'heartbeat', {}, async (world, session) => {
      for (let minute = 0; minute < 10; minute += 1) {
        await ask('sessionToken', 'heartbeat')(world, session);
        await world.host.clock.advance(60_000);
      }
    }),
    status: 200,
    body: facts('expired'),
  },
  {
    name: 'submit',
    why: 'a usable image passes unless the session was told otherwise',
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified'),
  },
  {
    name: 'submit for a session with a scenario',
    why: 'the externalUserId asked for it',
    call: page('POST', 'submit', {}, undefined, {
      externalUserId: 'ofage_test:failed_age_not_met',
    }),
    status: 200,
    body: facts('failed', {
      reason: 'age_not_met',
      externalUserId: 'ofage_test:failed_age_not_met',
      presetOutcome: 'failed_age_not_met',
    }),
  },
  {
    name: 'submit for a session that takes the account’s next outcome',
    why: 'the queue asked for it',
    call: async (world) => {
      await world.control.queueNextOutcomes(world.tenantId, ['failed_document_rejected']);
      const { sessionToken } = await world.create();
      return toCall('POST', 'submit', sessionToken, { imageQuality: 'good' });
    },
    status: 200,
    body: facts('failed', {
      reason: 'document_rejected',
      presetOutcome: 'failed_document_rejected',
    }),
  },
  {
    name: 'a poor image',
    why: 'it may be taken again, on the same session',
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 200,
    body: facts('pending', { needsRetry: true }),
  },
  {
    name: 'retry after a poor image',
    why: 'back to the camera',
    call: page('POST', 'retry', {}, submitPoor()),
    status: 200,
    body: facts('pending', { retries: 1, retriesLeft: 1 }),
  },
  {
    name: 'a good image after a retry',
    why: 'one session, one result',
    call: page('POST', 'submit', {}, async (world, session) => {
      await submitPoor()(world, session);
      await ask('sessionToken', 'retry')(world, session);
    }),
    status: 200,
    body: facts('verified', { retries: 1, retriesLeft: 1 }),
  },
  {
    name: 'a third poor image',
    why: 'the retries are used up',
    call: page('POST', 'submit', { imageQuality: 'poor' }, async (world, session) => {
      for (let n = 0; n < 2; n += 1) {
        await submitPoor()(world, session);
        await ask('sessionToken', 'retry')(world, session);
      }
    }),
    status: 200,
    body: facts('failed', { reason: 'image_quality', retries: 2, retriesLeft: 0 }),
  },
  {
    name: 'submit before the retry',
    why: 'the page has not been back to the camera',
    call: page('POST', 'submit', {}, submitPoor()),
    status: 409,
    message: 'The last image was not usable: a retry comes first',
  },
  {
    name: 'retry of nothing',
    why: 'the last image was usable, or there is none',
    call: page('POST', 'retry', {}),
    status: 409,
    message: 'There is no image to take again',
  },
  {
    name: 'retry after the end',
    why: 'a restart is a new session',
    call: page('POST', 'retry', {}, ask('sessionToken', 'submit')),
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'submit at the deadline',
    why: 'the ten minutes are authoritative',
    call: page('POST', 'submit', {}, (world) => world.host.clock.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'retry at the deadline',
    why: 'the ten minutes are authoritative',
    call: page('POST', 'retry', {}, async (world, session) => {
      await submitPoor()(world, session);
      await world.host.clock.advance(600_000);
    }),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'submit for a blocked session',
    why: 'no verification starts',
    tenant: { billingBlock: { code: 'SANDBOX_LIMIT_REACHED', message: 'Enough played' } },
    call: page('POST', 'submit', { imageQuality: 'poor' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    name: 'an image of no quality',
    why: 'says which there are',
    call: page('POST', 'submit', { imageQuality: 'great' }),
    status: 400,
    message: ['imageQuality must be one of the following values: good, poor'],
  },
  {
    name: 'an unknown scenario in externalUserId',
    why: 'a name that is none is ignored',
    call: page('GET', 'session', undefined, undefined, { externalUserId: 'ofage_test:nonsense' }),
    status: 200,
    body: facts('pending', { externalUserId: 'ofage_test:nonsense' }),
  },
  {
    name: 'a blocked session',
    why: 'the page shows the block and starts nothing',
    tenant: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('GET', 'session'),
    status: 200,
    body: facts('pending', {
      billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' },
    }),
  },
  {
    name: 'the outcome "verified"',
    why: 'the shopper passes',
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 200,
    body: facts('verified'),
  },
  {
    name: 'the outcome "failed_age_not_met"',
    why: 'the shopper fails',
    call: page('POST', 'outcome', { outcome: 'failed_age_not_met' }),
    status: 200,
    body: facts('failed', { reason: 'age_not_met' }),
  },
  {
    name: 'cancel',
    why: 'the button',
    call: page('POST', 'cancel', {}),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    name: 'an outcome for a blocked session',
    why: 'no verification starts',
    tenant: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    name: 'a face mismatch without face match',
    why: 'what was not compared cannot differ',
    call: page('POST', 'outcome', { outcome: 'failed_face_mismatch' }, undefined, {
      faceMatchEnabled: false,
    }),
    status: 409,
    message: 'failed_face_mismatch needs a session with face match enabled',
  },
  {
    name: 'a second outcome',
    why: 'there is no way out of an end',
    call: page('POST', 'outcome', { outcome: 'verified' }, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'failed_age_not_met'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is failed',
  },
  {
    name: 'cancel after the end',
    why: 'a result is not taken back',
    call: page('POST', 'cancel', {}, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'verified'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'an outcome at the deadline',
    why: 'the ten minutes are authoritative',
    call: page('POST', 'outcome', { outcome: 'verified' }, (world) =>
      world.host.clock.advance(600_000),
    ),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'an outcome after "timeout"',
    why: 'an expired session has ended like any other',
    call: page('POST', 'outcome', { outcome: 'verified' }, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'timeout'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'cancel at the deadline',
    why: 'the ten minutes are authoritative',
    call: page('POST', 'cancel', {}, (world) => world.host.clock.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'an outcome without sandbox mode',
    why: 'the chooser is the sandbox’s, and a shopper has the token',
    tenant: { sandboxMode: false },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 403,
    message: 'The outcome can be chosen in sandbox mode only',
  },
  {
    name: 'an image without sandbox mode',
    why: 'only the chooser belongs to the sandbox',
    tenant: { sandboxMode: false },
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified', { sandboxMode: false }),
  },
  {
    name: 'an unknown outcome',
    why: 'says which there are',
    call: page('POST', 'outcome', { outcome: 'maybe' }),
    status: 400,
    message: [
      'outcome must be one of the following values: verified, verified_after_id, failed_age_not_met, failed_image_quality, failed_document_rejected, failed_face_mismatch, cancelled, timeout, never',
    ],
  },
  {
    name: 'leave',
    why: 'the page is closed or reloaded',
    call: page('POST', 'leave', {}),
    status: 202,
    body: facts('pending'),
  },
  {
    name: 'a session 4,999 ms after leave',
    why: 'a reload takes a moment, and withdraws it',
    call: page('GET', 'session', undefined, leaveThen(4_999)),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'a session 5,000 ms after leave',
    why: 'the page did not come back',
    call: page('GET', 'session', undefined, leaveThen(5_000)),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    name: 'a session long after leave and return',
    why: 'coming back withdraws the farewell for good',
    call: page('GET', 'session', undefined, async (world, session) => {
      await leaveThen(1_000)(world, session);
      const { path, init } = toCall('GET', 'session', session.sessionToken);
      await world.host.send(path, init);
      await world.host.clock.advance(60_000);
    }),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'no token',
    why: 'says what is wrong',
    call: () => ({ path: '/hosted/v1/session', init: { method: 'GET' } }),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'an API key as token',
    why: 'keys open accounts, not sessions',
    call: ({ sk }) => toCall('GET', 'session', sk),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a token with another last letter',
    why: 'it is signed',
    call: async (world) => {
      const { sessionToken } = await world.create();
      const last = sessionToken.slice(-1);
      return toCall('GET', 'session', sessionToken.slice(0, -1) + (FLIPPED[last] ?? '0'));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a token put together from two',
    why: 'the signature is over the session',
    call: async (world) => {
      const [a, b] = [await world.create(), await world.create()];
      return toCall('GET', 'session', a.sessionToken.slice(0, 36) + b.sessionToken.slice(36));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a handoffToken that calls itself a sessionToken',
    why: 'the two are different keys',
    call: async (world) =>
      toCall('GET', 'session', (await world.create()).handoffToken.replace('ht', 'st')),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'GET on outcome',
    why: 'a known path by another method',
    call: page('GET', 'outcome'),
    status: 405,
    message: 'Cannot GET /hosted/v1/outcome',
    headers: { allow: 'POST' },
  },
];

/** Sends requests with one of the session's tokens, one after the other. */
function ask(token: 'sessionToken' | 'handoffToken', ...actions: readonly string[]) {
  return async (world: World, session: Created): Promise<void> => {
    for (const action of actions) {
      const { path, init } = toCall('POST', action, session[token], {});
      await world.host.send(path, init);
    }
  };
}

function submitPoor() {
  return async (world: World, { sessionToken }: Created): Promise<void> => {
    const { path, init } = toCall('POST', 'submit', sessionToken, { imageQuality: 'poor' });
    await world.host.send(path, init);
  };
}

function leaveThen(ms: number) {
  return async (world: World, { sessionToken }: Created): Promise<void> => {
    const { path, init } = toCall('POST', 'leave', sessionToken, {});
    await world.host.send(path, init);
    await world.host.clock.advance(ms);
  };
}
