import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { ABSENT } from '../matchers.ts';
import { post, VALIDATE } from '../exchange.ts';
import { create, created, validateAfter, validated, withPk } from './bodies.ts';

const UNAVAILABLE =
  'The session cannot be launched: its API key pair has no active publishable key';

const BILLING = (
  [
    ['SUBSCRIPTION_REQUIRED', undefined],
    ['PLAN_LIMIT_REACHED', 'https://pay.example/'],
    ['SANDBOX_LIMIT_REACHED', undefined],
  ] as const
).map(([code, portalUrl]): Case => {
  const billingBlock = { code, message: 'Blocked', ...(portalUrl && { portalUrl }) };
  return {
    id: `billing.${code}`,
    sentence: `An account that is blocked with ${code} can still create a session, and the response contains the block`,
    settings: { billingBlock },
    call: create({}, portalUrl ? undefined : withPk),
    status: 201,
    body: created({ billingBlock: { ...billingBlock, portalUrl: portalUrl ?? ABSENT } }),
  };
});

const LAUNCH: Case = {
  id: 'launch.publishable-key',
  sentence:
    'A secret key whose paired publishable key is not active cannot create a session, because the session could not be launched',
  settings: {},
  needs: ['setKeyStatus', 'createKeyPair'],
  examples: toExamples({ paused: 'paused', revoked: 'revoked' } as const, (status) => ({
    call: async (world) => {
      // An active key of another pair does not help.
      await world.driver.createKeyPair(world.account.tenantId ?? '');
      await world.driver.setKeyStatus(world.pk, status);
      return create()(world);
    },
  })),
  status: 503,
  message: UNAVAILABLE,
  also: { code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' },
};

const ACCOUNTS: readonly Case[] = [
  {
    id: 'launch.secret-key-revoked',
    sentence: 'A publishable key whose secret key is revoked can still create sessions',
    level: 'reading',
    settings: {},
    needs: ['setKeyStatus'],
    call: async (world) => {
      await world.driver.setKeyStatus(world.sk, 'revoked');
      return create({}, withPk)(world);
    },
    status: 201,
    body: created(),
  },
  {
    id: 'merchantId.own',
    sentence: 'The merchantId of the account is accepted',
    call: async (world) => create({ merchantId: await world.tenantId() })(world),
    status: 201,
    body: created(),
  },
  {
    id: 'merchantId.other',
    sentence: 'A merchantId that differs from the identity of the key is refused',
    examples: {
      'secret key': { call: create({ merchantId: 'someone-else' }) },
      'publishable key': { call: create({ merchantId: 'someone-else' }, withPk) },
      empty: { call: create({ merchantId: '' }) },
      'other case': {
        async call(world) {
          const own = await world.tenantId();
          if (own === own.toUpperCase())
            world.skip('the id of the account has no lower-case letter');
          return create({ merchantId: own.toUpperCase() })(world);
        },
      },
      'another account': {
        async call(world) {
          if (!world.isNewAccount) return world.skip('the driver cannot create an account');
          const { tenantId } = await world.driver.createAccount({});
          return create({ merchantId: tenantId })(world);
        },
      },
      'with a space': {
        call: async (world) => create({ merchantId: `${await world.tenantId()} ` })(world),
      },
    },
    status: 400,
    message: 'merchantId does not match the authenticated API key',
  },
  {
    id: 'sandbox.off',
    sentence: 'If the account is not in sandbox mode, sandboxMode is false in the response',
    settings: { sandboxMode: false },
    call: create(),
    status: 201,
    body: created({ sandboxMode: false }),
  },
];

const SANDBOX: Case = {
  id: 'sandbox.changed',
  sentence: 'A new session has the sandbox mode that the account has now',
  level: 'reading',
  settings: { sandboxMode: true },
  needs: ['changeAccount'],
  async call(world) {
    await world.create();
    await world.driver.changeAccount(world.account.tenantId ?? '', { sandboxMode: false });
    return create()(world);
  },
  status: 201,
  body: created({ sandboxMode: false }),
};

const POLICY: readonly Case[] = [
  {
    id: 'policy.tenant.applies',
    sentence:
      'With a publishable key, the mode and age of the account apply, and those in the request are ignored',
    settings: { verificationMode: 'L2', challengeAge: 50 },
    examples: toExamples(
      {
        weaker: { verificationMode: 'L1', challengeAge: 25, faceMatchEnabled: false },
        stricter: { challengeAge: 99 },
      },
      (fields) => ({
        async call(world) {
          const { sessionId } = await world.create(fields, world.pk);
          return post(VALIDATE, { sessionId }, world.sk);
        },
      }),
    ),
    status: 200,
    body: validated('pending', { verificationMode: 'L2', challengeAge: 50 }),
  },
  {
    id: 'policy.tenant.changed',
    sentence: 'A session keeps the mode and age that the account had when it was created',
    level: 'reading',
    settings: {},
    needs: ['changeAccount'],
    async call(world) {
      const { sessionId } = await world.create();
      const { tenantId = '' } = world.account;
      await world.driver.changeAccount(tenantId, { verificationMode: 'L2', challengeAge: 50 });
      return post(VALIDATE, { sessionId }, world.sk);
    },
    status: 200,
    body: validated('pending'),
  },
  {
    id: 'policy.tenant.default',
    sentence:
      'With a secret key and no policy in the request, the mode and age of the account apply',
    settings: { verificationMode: 'L2', challengeAge: 50 },
    call: validateAfter(),
    status: 200,
    body: validated('pending', { verificationMode: 'L2', challengeAge: 50 }),
  },
  {
    id: 'policy.tenant.others',
    sentence:
      'With a secret key, a policy value in the request replaces that value of the account, and no other',
    level: 'reading',
    settings: { verificationMode: 'L2', challengeAge: 50 },
    examples: toExamples<object>(
      {
        mode: { verificationMode: 'L1' },
        age: { challengeAge: 30 },
        'face match': { faceMatchEnabled: false },
      },
      (fields) => ({
        call: validateAfter(undefined, fields),
        body: validated('pending', { verificationMode: 'L2', challengeAge: 50, ...fields }),
      }),
    ),
    status: 200,
  },
];

const RESPONSE: readonly Case[] = [
  {
    id: 'response',
    sentence: 'Each kind of key can create a session, and the response contains every field',
    examples: toExamples({ 'secret key': undefined, 'publishable key': withPk }, (key) => ({
      call: create({}, key),
    })),
    status: 201,
    body: created(),
  },
  {
    id: 'other-pair',
    sentence: 'Every key pair of an account can create sessions',
    settings: {},
    needs: ['createKeyPair'],
    call: async (world) => {
      const other = await world.driver.createKeyPair(world.account.tenantId ?? '');
      return create({}, () => other.secretKey)(world);
    },
    status: 201,
    body: created(),
  },
];

/** Checks of create requests that concern the account, its policy and the response. */
export const CREATE_ACCOUNT_CHECKS: readonly Check[] = [
  ...toChecks('billingBlock', 'create', BILLING),
  ...toChecks('POST /sessions/create', 'create', [
    ...RESPONSE,
    LAUNCH,
    ...ACCOUNTS,
    SANDBOX,
    ...POLICY,
  ]),
];
