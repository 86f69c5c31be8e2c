import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { post, VALIDATE, type Call } from '../exchange.ts';
import type { World } from '../world.ts';
import { LIFETIME_MS, validateAfter, validated } from './bodies.ts';

const NO_SESSION = '00000000-0000-4000-8000-000000000000';
const STATUSES = { verified: 'verified', failed: 'failed', cancelled: 'cancelled' } as const;
const POLICY = { verificationMode: 'L2', challengeAge: 40, faceMatchEnabled: false };

const NOT_FOUND = { status: 404, message: 'Session not found', messageLevel: 'must' } as const;
const USED = { status: 400, message: 'Session has already been used' } as const;
const EXPIRED = { status: 400, message: 'Session has expired' } as const;
const FOREIGN = { status: 403, message: 'Session does not belong to this tenant' } as const;

const BODIES: readonly Case[] = [
  {
    id: 'unknown',
    sentence: 'An unknown sessionId is answered with 404',
    call: ({ sk }) => post(VALIDATE, { sessionId: NO_SESSION }, sk),
    ...NOT_FOUND,
  },
  {
    id: 'unknown.other-form',
    sentence: 'A sessionId that does not have the form of a UUID is answered with 404, too',
    level: 'reading',
    examples: {
      ...toExamples(
        { inherited: '__proto__', spaces: '   ', long: 'x'.repeat(1_000) },
        (sessionId) => ({ call: ({ sk }) => post(VALIDATE, { sessionId }, sk) }),
      ),
      'space at the end': {
        async call(world) {
          const { sessionId } = await world.create();
          return post(VALIDATE, { sessionId: `${sessionId} ` }, world.sk);
        },
      },
    },
    ...NOT_FOUND,
    messageLevel: 'reading',
  },
  {
    id: 'sessionId.missing',
    sentence: 'The sessionId is required',
    examples: toExamples({ absent: {}, null: { sessionId: null } }, (body) => ({
      call: ({ sk }) => post(VALIDATE, body, sk),
    })),
    status: 400,
    message: ['sessionId should not be empty', 'sessionId must be a string'],
  },
  {
    id: 'sessionId.empty',
    sentence: 'An empty sessionId is refused as invalid, and not looked up',
    level: 'reading',
    call: ({ sk }) => post(VALIDATE, { sessionId: '' }, sk),
    status: 400,
    message: ['sessionId should not be empty'],
  },
  {
    id: 'sessionId.type',
    sentence: 'A sessionId that is not a string is refused',
    examples: toExamples(
      { number: 7, boolean: true, object: { id: 'x' }, array: ['x'] },
      (sessionId) => ({ call: ({ sk }) => post(VALIDATE, { sessionId }, sk) }),
    ),
    status: 400,
    message: ['sessionId must be a string'],
  },
  {
    id: 'unknown-property',
    sentence: 'Any other property than the sessionId is refused, and the message lists it',
    examples: toExamples(
      { sessionToken: '', merchantId: '', returnUrl: '', status: '' },
      (_, name) => ({
        call: async (world) => {
          const { sessionId, sessionToken } = await world.create();
          return post(VALIDATE, { sessionId, [name]: sessionToken }, world.sk);
        },
        message: [`property ${name} should not exist`],
      }),
    ),
    status: 400,
    messageLevel: 'must',
  },
  {
    id: 'unknown-property.first',
    sentence: 'An unknown property is refused before the session is looked up',
    level: 'reading',
    call: ({ sk }) => post(VALIDATE, { sessionId: 'x', a: 1 }, sk),
    status: 400,
    message: ['property a should not exist'],
  },
];

/** Returns a function that creates a session, and builds a validate request with another account's key. */
const byOther =
  (happen: (world: World, session: Awaited<ReturnType<World['create']>>) => unknown = () => {}) =>
  async (world: World) => {
    const session = await world.create();
    await happen(world, session);
    const other = await world.driver.createAccount({});
    return post(VALIDATE, { sessionId: session.sessionId }, other.secretKey);
  };

/** Returns an example of a refused validate request, followed by a valid one. */
const refusedFirst = (
  refuse: (world: World, session: Awaited<ReturnType<World['create']>>) => Promise<Call>,
): Partial<Case> => ({
  call: validateAfter(async (world, session) => {
    await world.settle(session, 'verified');
    await world.send(await refuse(world, session));
  }),
});

const OWNERS: readonly Case[] = [
  {
    id: 'refused.not-consumed',
    sentence: 'A validate request that is refused does not consume the session',
    needs: ['settle'],
    examples: {
      'publishable key': refusedFirst(async ({ pk }, { sessionId }) =>
        post(VALIDATE, { sessionId }, pk),
      ),
      'no key': refusedFirst(async (_world, { sessionId }) => post(VALIDATE, { sessionId })),
      'unknown property': refusedFirst(async ({ sk }, { sessionId, sessionToken }) =>
        post(VALIDATE, { sessionId, sessionToken }, sk),
      ),
    },
    status: 200,
    body: validated('verified'),
  },
  {
    id: 'other-account.not-consumed',
    sentence: 'A validate request of another account does not consume the session',
    needs: ['settle'],
    settings: {},
    ...refusedFirst(async ({ driver }, { sessionId }) => {
      const { secretKey } = await driver.createAccount({});
      return post(VALIDATE, { sessionId }, secretKey);
    }),
    status: 200,
    body: validated('verified'),
  },
  {
    id: 'other-account',
    sentence: 'A key cannot validate a session of another account',
    settings: {},
    call: byOther(),
    ...FOREIGN,
    messageLevel: 'must',
  },
  {
    id: 'other-account.ended',
    sentence: 'The owner of a session is checked before its state',
    level: 'reading',
    kind: 'slow',
    settings: {},
    needs: ['settle', 'advance'],
    examples: {
      used: {
        call: byOther(async (world, session) => {
          await world.settle(session, 'verified');
          await world.validate(session.sessionId);
        }),
      },
      expired: { call: byOther((world) => world.driver.advance(LIFETIME_MS)) },
    },
    ...FOREIGN,
  },
  {
    id: 'other-pair',
    sentence:
      'Another key pair of the same account may validate, because sessions belong to the account',
    level: 'reading',
    settings: {},
    needs: ['createKeyPair'],
    call: async (world) => {
      const { sessionId } = await world.create();
      const other = await world.driver.createKeyPair(world.account.tenantId ?? '');
      return post(VALIDATE, { sessionId }, other.secretKey);
    },
    status: 200,
    body: validated('pending'),
  },
];

const RESULTS: readonly Case[] = [
  {
    id: 'result.settled',
    sentence: 'The validate response of a session contains its result and every field',
    needs: ['settle'],
    examples: toExamples(STATUSES, (status) => ({
      call: validateAfter((world, session) => world.settle(session, status), {
        externalUserId: 'käufer 1',
      }),
      body: validated(status, { externalUserId: 'käufer 1' }),
    })),
    status: 200,
  },
  {
    id: 'twice',
    sentence: 'A session with a result can be validated only once',
    needs: ['settle'],
    examples: toExamples(STATUSES, (status) => ({
      call: validateAfter(async (world, session) => {
        await world.settle(session, status);
        await world.validate(session.sessionId);
      }),
    })),
    ...USED,
    messageLevel: 'must',
  },
  {
    id: 'result.pending',
    sentence: 'A pending session has no result yet',
    call: validateAfter(),
    status: 200,
    body: validated('pending'),
  },
  {
    id: 'result.pending.not-consumed',
    sentence: 'Validating a pending session does not consume it',
    level: 'reading',
    examples: {
      'still pending': {
        call: validateAfter((world, { sessionId }) => world.validate(sessionId)),
        body: validated('pending'),
      },
      'with a result': {
        call: validateAfter(async (world, session) => {
          await world.validate(session.sessionId);
          await world.settle(session, 'verified');
        }),
        body: validated('verified'),
      },
    },
    status: 200,
  },
  {
    id: 'result.policy',
    sentence: 'The result contains the policy that was set with a secret key',
    needs: ['settle'],
    call: validateAfter((world, session) => world.settle(session, 'verified'), POLICY),
    status: 200,
    body: validated('verified', POLICY),
  },
];

const DEADLINES: readonly Case[] = [
  {
    id: 'expiry.before',
    sentence: 'A session is still pending one millisecond before its deadline',
    needs: ['advance', 'now'],
    kind: 'slow',
    call: validateAfter((world) => world.driver.advance(LIFETIME_MS - 1)),
    status: 200,
    body: async (world) => ({
      ...(await validated('pending')(world)),
      expiresAt: world.at((await world.now()) + 1),
    }),
  },
  {
    id: 'expiry.at',
    sentence: 'A pending session has expired ten minutes after its creation',
    needs: ['advance'],
    kind: 'slow',
    call: validateAfter((world) => world.driver.advance(LIFETIME_MS)),
    ...EXPIRED,
    messageLevel: 'must',
  },
  {
    id: 'expiry.settled',
    sentence: 'A session whose result was not validated expires at its deadline',
    level: 'reading',
    needs: ['advance', 'settle'],
    kind: 'slow',
    examples: toExamples(STATUSES, (status) => ({
      call: validateAfter(async (world, session) => {
        await world.settle(session, status);
        await world.driver.advance(LIFETIME_MS);
      }),
    })),
    ...EXPIRED,
  },
  {
    id: 'expiry.used',
    sentence:
      'After expiry, a session that was already validated is refused as used, not as expired',
    level: 'reading',
    needs: ['advance', 'settle'],
    kind: 'slow',
    call: validateAfter(async (world, session) => {
      await world.settle(session, 'verified');
      await world.validate(session.sessionId);
      await world.driver.advance(LIFETIME_MS);
    }),
    ...USED,
  },
];

/** Checks of the owners, the results and the deadlines that validate reports. */
export const VALIDATE_CHECKS: readonly Check[] = toChecks('POST /sessions/validate', 'validate', [
  ...BODIES,
  ...OWNERS,
  ...RESULTS,
  ...DEADLINES,
]);
