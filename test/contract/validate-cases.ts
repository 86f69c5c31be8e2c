import { later, MINUTES_MS, UUID, type ContractCase } from './case.ts';
import { post, VALIDATE, type Call, type World } from './world.ts';

/** Creates a session, lets something happen to it, and asks to validate it. */
const validateAfter =
  (
    happen: (world: World, sessionId: string) => Promise<unknown> = async () => {},
    body: object = {},
  ) =>
  async (world: World): Promise<Call> => {
    const { sessionId } = await world.create(body);
    await happen(world, sessionId);
    return post(VALIDATE, { sessionId }, world.sk);
  };

const validated =
  (status: string, differences: object = {}) =>
  async (world: World) => ({
    sessionId: UUID,
    merchantId: world.tenantId,
    verified: status === 'verified',
    accessGranted: status === 'verified',
    status,
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    externalUserId: null,
    testMode: false,
    timestamp: await world.now(),
    expiresAt: await later(await world.now(), 10 * MINUTES_MS),
    ...differences,
  });

export const validateCases: readonly ContractCase[] = [
  {
    name: 'a verified session',
    why: 'the whole response, field by field',
    call: validateAfter(({ control }, id) => control.settle(id, 'verified'), {
      externalUserId: 'anna',
    }),
    status: 200,
    body: validated('verified', { externalUserId: 'anna' }),
    headers: {
      'x-ratelimit-limit': '100',
      'x-ratelimit-window': '60',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-retry-after': null,
    },
  },
  {
    name: 'a failed session',
    why: 'a result, too',
    call: validateAfter(({ control }, id) => control.settle(id, 'failed_age_not_met')),
    status: 200,
    body: validated('failed'),
  },
  {
    name: 'a cancelled session',
    why: 'a result, too',
    call: validateAfter(({ control }, id) => control.settle(id, 'cancelled')),
    status: 200,
    body: validated('cancelled'),
  },
  {
    name: 'a pending session',
    why: 'no result yet',
    call: validateAfter(),
    status: 200,
    body: validated('pending'),
  },
  {
    name: 'a session with policy of its own',
    why: 'what a secret key asked for is what was used',
    call: validateAfter(({ control }, id) => control.settle(id, 'verified'), {
      verificationMode: 'L2',
      challengeAge: 40,
      faceMatchEnabled: false,
    }),
    status: 200,
    body: validated('verified', {
      verificationMode: 'L2',
      challengeAge: 40,
      faceMatchEnabled: false,
    }),
  },
  {
    name: 'a session made with a publishable key and policy',
    why: 'what a browser asked for is not',
    tenant: { policy: { verificationMode: 'L2', challengeAge: 50 } },
    call: async (world) => {
      const { sessionId } = await world.create(
        { verificationMode: 'L1', challengeAge: 25, faceMatchEnabled: false },
        world.pk,
      );
      return post(VALIDATE, { sessionId }, world.sk);
    },
    status: 200,
    body: validated('pending', { verificationMode: 'L2', challengeAge: 50 }),
  },
  {
    name: 'a session that was pending the last time',
    why: 'a pending answer does not consume',
    call: validateAfter(async (world, sessionId) => {
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
      await world.control.settle(sessionId, 'verified');
    }),
    status: 200,
    body: validated('verified'),
  },
  {
    name: 'a session for the second time',
    why: 'single use',
    call: validateAfter(async (world, sessionId) => {
      await world.control.settle(sessionId, 'verified');
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
    }),
    status: 400,
    message: 'Session has already been used',
  },
  {
    name: 'a used session that has expired since',
    why: '"used" is asked before "expired"',
    call: validateAfter(async (world, sessionId) => {
      await world.control.settle(sessionId, 'verified');
      await world.host.send(VALIDATE, post(VALIDATE, { sessionId }, world.sk).init);
      await world.host.clock.advance(10 * MINUTES_MS);
    }),
    status: 400,
    message: 'Session has already been used',
  },
  {
    name: 'a pending session a millisecond before its end',
    why: 'ten minutes are ten minutes',
    call: validateAfter((world) => world.host.clock.advance(10 * MINUTES_MS - 1)),
    status: 200,
    body: async (world) => {
      const body = await validated('pending')(world);
      return { ...body, expiresAt: await later(await world.now(), 1) };
    },
  },
  {
    name: 'a pending session at its end',
    why: 'the deadline itself is too late',
    call: validateAfter((world) => world.host.clock.advance(10 * MINUTES_MS)),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a verified session after its end',
    why: 'the strict reading: the result still comes by webhook',
    call: validateAfter(async (world, id) => {
      await world.control.settle(id, 'verified');
      await world.host.clock.advance(10 * MINUTES_MS);
    }),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a session that timed out on demand',
    why: 'the scenario brings the deadline forward',
    call: validateAfter(({ control }, id) => control.settle(id, 'timeout')),
    status: 400,
    message: 'Session has expired',
  },
  {
    name: 'a session for which nothing happens',
    why: 'the scenario "never" leaves it pending',
    call: validateAfter(({ control }, id) => control.settle(id, 'never')),
    status: 200,
    body: validated('pending'),
  },
  {
    name: 'an unknown session',
    why: 'never made',
    call: ({ sk }) => post(VALIDATE, { sessionId: '00000000-0000-4000-8000-000000000000' }, sk),
    status: 404,
    message: 'Session not found',
  },
  {
    name: 'a sessionId of another form',
    why: 'unknown, too',
    call: ({ sk }) => post(VALIDATE, { sessionId: '__proto__' }, sk),
    status: 404,
    message: 'Session not found',
  },
  {
    name: 'another account’s session',
    why: 'known, but not theirs',
    call: async (world) => {
      const { sessionId } = await world.create();
      const { id } = await world.control.createTenant();
      const other = await world.control.createKeyPair(id);
      return post(VALIDATE, { sessionId }, other.secret.value);
    },
    status: 403,
    message: 'Session does not belong to this tenant',
  },
  {
    name: 'another account’s used session',
    why: 'whose it is comes before what became of it',
    call: async (world) => {
      const call = await validateAfter(({ control }, id) => control.settle(id, 'timeout'))(world);
      const { id } = await world.control.createTenant();
      const other = await world.control.createKeyPair(id);
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${other.secret.value}`,
      };
      return { ...call, init: { ...call.init, headers } };
    },
    status: 403,
    message: 'Session does not belong to this tenant',
  },
  {
    name: 'another pair of the same account',
    why: 'sessions belong to the account, not to the pair',
    call: async (world) => {
      const { sessionId } = await world.create();
      const other = await world.control.createKeyPair(world.tenantId);
      return post(VALIDATE, { sessionId }, other.secret.value);
    },
    status: 200,
    body: validated('pending'),
  },
  {
    name: 'a publishable key',
    why: 'only a server may validate',
    call: async (world) =>
      post(VALIDATE, { sessionId: (await world.create()).sessionId }, world.pk),
    status: 401,
    message: 'Private API key required for session validation',
  },
  {
    name: 'a publishable key and a bad body',
    why: 'who asks comes before what is asked',
    call: ({ pk }) => post(VALIDATE, { x: 1 }, pk),
    status: 401,
    message: 'Private API key required for session validation',
  },
  {
    name: 'no key',
    why: 'says what is missing',
    call: () => post(VALIDATE, { sessionId: 'x' }),
    status: 401,
    message: 'API key required',
    headers: { 'x-ratelimit-limit': '100' },
  },
  {
    name: 'an unknown key',
    why: 'a key that was never made',
    call: () => post(VALIDATE, { sessionId: 'x' }, 'sk_x'),
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a paused secret key',
    why: 'known, but without permission',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'paused');
      return post(VALIDATE, { sessionId: 'x' }, world.sk);
    },
    status: 403,
    message: 'API key is paused',
  },
  {
    name: 'a sessionToken beside the id',
    why: 'the token is the hosted page’s, and must stay there',
    call: async (world) => {
      const { sessionId, sessionToken } = await world.create();
      return post(VALIDATE, { sessionId, sessionToken }, world.sk);
    },
    status: 400,
    message: ['property sessionToken should not exist'],
  },
  {
    name: 'no sessionId',
    why: 'the one property',
    call: ({ sk }) => post(VALIDATE, {}, sk),
    status: 400,
    message: ['sessionId should not be empty', 'sessionId must be a string'],
  },
  {
    name: 'an empty sessionId',
    why: 'there, and empty',
    call: ({ sk }) => post(VALIDATE, { sessionId: '' }, sk),
    status: 400,
    message: ['sessionId should not be empty'],
  },
  {
    name: 'a number as sessionId',
    why: 'ids are text',
    call: ({ sk }) => post(VALIDATE, { sessionId: 7 }, sk),
    status: 400,
    message: ['sessionId must be a string'],
  },
  {
    name: 'unknown session and unknown property',
    why: 'the body is checked before the session is looked for',
    call: ({ sk }) => post(VALIDATE, { sessionId: 'x', a: 1 }, sk),
    status: 400,
    message: ['property a should not exist'],
  },
  {
    name: 'the 101st request of a minute',
    why: 'a bucket of its own, beside that of create',
    call: async (world) => {
      const { path, init } = post(VALIDATE, { sessionId: 'x' }, world.sk);
      await Promise.all(Array.from({ length: 100 }, () => world.host.send(path, init)));
      return post(VALIDATE, { sessionId: (await world.create()).sessionId }, world.sk);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-retry-after': '60',
    },
  },
  {
    name: 'the 101st request of an account with a higher limit',
    why: 'limits can be raised',
    tenant: { rateLimits: { validate: 200 } },
    call: async (world) => {
      const { path, init } = post(VALIDATE, { sessionId: 'x' }, world.sk);
      await Promise.all(Array.from({ length: 100 }, () => world.host.send(path, init)));
      return post(VALIDATE, { sessionId: (await world.create()).sessionId }, world.sk);
    },
    status: 200,
    body: validated('pending'),
    headers: { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '99' },
  },
];
