import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { CREATE, post, VALIDATE } from '../exchange.ts';
import { create, created, validated, withPk } from './bodies.ts';

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
    body: created({ billingBlock }),
  };
});

const LAUNCH = (['paused', 'revoked'] as const).map((status): Case => ({
  id: `launch.publishable-key-${status}`,
  sentence: `A secret key whose publishable key is ${status} cannot create a session, because the session could not be launched`,
  settings: {},
  needs: ['setKeyStatus'],
  call: async (world) => {
    await world.driver.setKeyStatus(world.pk, status);
    return create()(world);
  },
  status: 503,
  message: UNAVAILABLE,
  also: { code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' },
}));

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
    call: create({ merchantId: 'someone-else' }),
    status: 400,
    message: 'merchantId does not match the authenticated API key',
  },
  {
    id: 'merchantId.other.publishable-key',
    sentence: 'A merchantId that differs from the identity of a publishable key is refused',
    call: create({ merchantId: 'someone-else' }, withPk),
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

const POLICY: readonly Case[] = [
  {
    id: 'policy.tenant.applies',
    sentence:
      'With a publishable key, the mode and age of the account apply, and those in the request are ignored',
    settings: { verificationMode: 'L2', challengeAge: 50 },
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
    id: 'policy.tenant.default',
    sentence:
      'With a secret key and no policy in the request, the mode and age of the account apply',
    settings: { verificationMode: 'L2', challengeAge: 50 },
    call: async (world) =>
      post(VALIDATE, { sessionId: (await world.create()).sessionId }, world.sk),
    status: 200,
    body: validated('pending', { verificationMode: 'L2', challengeAge: 50 }),
  },
  ...(
    [
      ['mode', { verificationMode: 'L2' }],
      ['age', { challengeAge: 40 }],
      ['face-match', { faceMatchEnabled: false }],
      ['all', { verificationMode: 'L2', challengeAge: 99, faceMatchEnabled: false }],
    ] as const
  ).map(([name, fields]): Case => ({
    id: `policy.override.${name}`,
    sentence: `With a secret key, ${JSON.stringify(fields)} is stored with the session`,
    call: async (world) =>
      post(VALIDATE, { sessionId: (await world.create(fields)).sessionId }, world.sk),
    status: 200,
    body: validated('pending', fields),
  })),
  {
    id: 'policy.face-match.default',
    sentence: 'Face match is enabled by default',
    call: create({}, withPk),
    status: 201,
    body: created({ faceMatchEnabled: true }),
  },
];

const RESPONSE: readonly Case[] = [
  {
    id: 'response.secret-key',
    sentence: 'A secret key can create a session, and the response contains every field',
    call: create(),
    status: 201,
    body: created(),
  },
  {
    id: 'response.publishable-key',
    sentence: 'A publishable key can create a session, and the response contains every field',
    call: create({}, withPk),
    status: 201,
    body: created(),
  },
];

/** Checks of create requests that concern the account, its policy and the response. */
export const CREATE_ACCOUNT_CHECKS: readonly Check[] = [
  ...toChecks('billingBlock', 'create', BILLING),
  ...toChecks('POST /sessions/create', 'create', [...RESPONSE, ...LAUNCH, ...ACCOUNTS, ...POLICY]),
  ...toChecks('POST /sessions/create', 'create', [
    {
      id: 'other-pair',
      sentence: 'Every key pair of an account can create sessions',
      settings: {},
      needs: ['createKeyPair'],
      call: async (world) => {
        const other = await world.driver.createKeyPair(world.account.tenantId ?? '');
        return post(CREATE, { returnUrl: world.account.returnUrl }, other.secretKey);
      },
      status: 201,
      body: created(),
    },
  ]),
];
