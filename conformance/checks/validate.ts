import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { post, VALIDATE } from '../exchange.ts';
import { LIFETIME_MS, validateAfter, validated } from './bodies.ts';

const NO_SESSION = '00000000-0000-4000-8000-000000000000';

const UNKNOWN = (
  [
    ['uuid', NO_SESSION],
    ['not-uuid', '__proto__'],
    ['spaces', '   '],
    ['long', 'x'.repeat(1_000)],
  ] as const
).map(([name, sessionId]): Case => ({
  id: `unknown.${name}`,
  sentence: `An unknown sessionId is answered with 404 (${name})`,
  call: ({ sk }) => post(VALIDATE, { sessionId }, sk),
  status: 404,
  message: 'Session not found',
  messageLevel: 'must',
}));

const BODIES: readonly Case[] = [
  {
    id: 'sessionToken',
    sentence:
      'A sessionToken in a validate request is refused, because only the sessionId is allowed',
    call: async (world) => {
      const { sessionId, sessionToken } = await world.create();
      return post(VALIDATE, { sessionId, sessionToken }, world.sk);
    },
    status: 400,
    message: ['property sessionToken should not exist'],
    messageLevel: 'must',
  },
  {
    id: 'sessionId.missing',
    sentence: 'The sessionId is required',
    call: ({ sk }) => post(VALIDATE, {}, sk),
    status: 400,
    message: ['sessionId should not be empty', 'sessionId must be a string'],
  },
  {
    id: 'sessionId.null',
    sentence: 'A sessionId that is null counts as missing',
    call: ({ sk }) => post(VALIDATE, { sessionId: null }, sk),
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
  ...(
    [
      ['number', 7],
      ['boolean', true],
      ['object', { id: 'x' }],
      ['array', ['x']],
    ] as const
  ).map(([type, sessionId]): Case => ({
    id: `sessionId.${type}`,
    sentence: `A sessionId that is a JSON ${type} is refused`,
    call: ({ sk }) => post(VALIDATE, { sessionId }, sk),
    status: 400,
    message: ['sessionId must be a string'],
  })),
  {
    id: 'unknown-property',
    sentence: 'An unknown property is refused before the session is looked up',
    level: 'reading',
    call: ({ sk }) => post(VALIDATE, { sessionId: 'x', a: 1 }, sk),
    status: 400,
    message: ['property a should not exist'],
  },
  ...['merchantId', 'returnUrl', 'status'].map((name): Case => ({
    id: `unknown-property.${name}`,
    sentence: `The property ${name} is refused, because only the sessionId is allowed`,
    call: async (world) =>
      post(VALIDATE, { sessionId: (await world.create()).sessionId, [name]: 'x' }, world.sk),
    status: 400,
    message: [`property ${name} should not exist`],
    messageLevel: 'must',
  })),
];

const OWNERS: readonly Case[] = [
  {
    id: 'other-account',
    sentence: 'A key cannot validate a session of another account',
    settings: {},
    call: async (world) => {
      const { sessionId } = await world.create();
      const other = await world.driver.createAccount({});
      return post(VALIDATE, { sessionId }, other.secretKey);
    },
    status: 403,
    message: 'Session does not belong to this tenant',
    messageLevel: 'must',
  },
  {
    id: 'other-account.expired',
    sentence: 'The owner of a session is checked before its state',
    level: 'reading',
    kind: 'slow',
    settings: {},
    needs: ['advance'],
    call: async (world) => {
      const { sessionId } = await world.create();
      await world.driver.advance(LIFETIME_MS);
      const other = await world.driver.createAccount({});
      return post(VALIDATE, { sessionId }, other.secretKey);
    },
    status: 403,
    message: 'Session does not belong to this tenant',
    messageLevel: 'reading',
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

const RESULTS = (['verified', 'failed', 'cancelled'] as const).flatMap((status): Case[] => [
  {
    id: `result.${status}`,
    sentence: `The validate response of a ${status} session contains its result and every field`,
    needs: ['settle'],
    call: validateAfter((world, session) => world.settle(session, status), {
      externalUserId: 'anna',
    }),
    status: 200,
    body: validated(status, { externalUserId: 'anna' }),
  },
  {
    id: `twice.${status}`,
    sentence: `A ${status} session can be validated only once`,
    needs: ['settle'],
    call: validateAfter(async (world, session) => {
      await world.settle(session, status);
      await world.validate(session.sessionId);
    }),
    status: 400,
    message: 'Session has already been used',
    messageLevel: 'must',
  },
]);

const PENDING: readonly Case[] = [
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
    needs: ['settle'],
    call: validateAfter(async (world, session) => {
      await world.validate(session.sessionId);
      await world.settle(session, 'verified');
    }),
    status: 200,
    body: validated('verified'),
  },
  {
    id: 'result.policy',
    sentence: 'The result contains the policy that was set with a secret key',
    needs: ['settle'],
    call: validateAfter((world, session) => world.settle(session, 'verified'), {
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
    status: 400,
    message: 'Session has expired',
    messageLevel: 'must',
  },
  {
    id: 'expiry.verified',
    sentence: 'A verified session that was not validated expires at its deadline',
    level: 'reading',
    needs: ['advance', 'settle'],
    kind: 'slow',
    call: validateAfter(async (world, session) => {
      await world.settle(session, 'verified');
      await world.driver.advance(LIFETIME_MS);
    }),
    status: 400,
    message: 'Session has expired',
    messageLevel: 'reading',
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
    status: 400,
    message: 'Session has already been used',
    messageLevel: 'reading',
  },
];

export const VALIDATE_CHECKS: readonly Check[] = toChecks('POST /sessions/validate', 'validate', [
  ...UNKNOWN,
  ...BODIES,
  ...OWNERS,
  ...RESULTS,
  ...PENDING,
  ...DEADLINES,
]);
