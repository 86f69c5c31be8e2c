import { ok, type ContractCase } from './case.ts';
import { CREATE, post, postText } from './world.ts';
import { create, created, withPk } from './create-calls.ts';

/** Requests that create a session. */
export const ACCEPTED_CASES: readonly ContractCase[] = [
  {
    name: 'a secret key creates a session',
    why: 'checks every field of the response',
    call: create(ok()),
    status: 201,
    body: created(),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '300',
      'x-ratelimit-window': '60',
      'x-ratelimit-remaining': '299',
      'x-ratelimit-retry-after': null,
    },
  },
  {
    name: 'a publishable key creates a session',
    why: 'the browser SDK has only this key',
    call: create(ok({ externalUserId: 'anna' }), withPk),
    status: 201,
    body: created({ externalUserId: 'anna' }),
  },
  {
    name: 'the key comes in x-api-key',
    why: 'this is the alternative header',
    call: ({ sk }) =>
      postText(CREATE, JSON.stringify(ok()), {
        'content-type': 'application/json',
        'x-api-key': sk,
      }),
    status: 201,
    body: created(),
  },
  {
    name: 'the scheme is written "bearer"',
    why: 'scheme names are case-insensitive (RFC 9110)',
    call: ({ sk }) =>
      postText(CREATE, JSON.stringify(ok()), {
        'content-type': 'application/json; charset=utf-8',
        authorization: `bearer ${sk}`,
      }),
    status: 201,
    body: created(),
  },
  {
    name: 'every optional property is set',
    why: 'all are known, and a secret key may set the policy',
    call: (world) =>
      post(
        CREATE,
        ok({
          merchantId: world.tenantId,
          cancelUrl: 'https://shop.example/cancel',
          merchantName: 'Wine & Co',
          externalUserId: 'käufer-1',
          verificationMode: 'L2',
          challengeAge: 30,
          faceMatchEnabled: false,
        }),
        world.sk,
      ),
    status: 201,
    body: created({ externalUserId: 'käufer-1', faceMatchEnabled: false }),
  },
  {
    name: 'optional properties are null',
    why: 'class-validator treats null as missing',
    call: create(ok({ externalUserId: null, challengeAge: null, cancelUrl: null })),
    status: 201,
    body: created(),
  },
  {
    name: 'a publishable key turns face match off',
    why: 'a policy from a browser is ignored, not rejected',
    call: create(ok({ faceMatchEnabled: false, challengeAge: 99 }), withPk),
    status: 201,
    body: created(),
  },
  {
    name: 'a publishable key sends an invalid policy',
    why: 'ignored properties are not validated either',
    call: create(
      ok({ verificationMode: 'L3', challengeAge: 5, faceMatchEnabled: { off: true } }),
      withPk,
    ),
    status: 201,
    body: created(),
  },
  {
    name: 'a publishable key sends an unknown property and ignored ones',
    why: 'only the policy is ignored',
    call: create(ok({ challengeAge: 5, minAge: 18, merchantName: 1 }), withPk),
    status: 400,
    message: ['property minAge should not exist', 'merchantName must be a string'],
  },
  {
    name: 'the account is not in sandbox mode',
    why: 'sandboxMode comes from the account',
    tenant: { sandboxMode: false },
    call: create(ok()),
    status: 201,
    body: created({ sandboxMode: false }),
  },
  {
    name: 'the account is blocked by billing',
    why: 'the session is created, with the block in the response',
    tenant: {
      billingBlock: {
        code: 'PLAN_LIMIT_REACHED',
        message: 'Used up',
        portalUrl: 'https://pay.example/',
      },
    },
    call: create(ok()),
    status: 201,
    body: created({
      billingBlock: {
        code: 'PLAN_LIMIT_REACHED',
        message: 'Used up',
        portalUrl: 'https://pay.example/',
      },
    }),
  },
  ...(['SUBSCRIPTION_REQUIRED', 'SANDBOX_LIMIT_REACHED'] as const).map((code): ContractCase => ({
    name: `the account is blocked with ${code}`,
    why: 'not every code comes with a portal URL',
    tenant: { billingBlock: { code, message: 'Blocked' } },
    call: create(ok(), withPk),
    status: 201,
    body: created({ billingBlock: { code, message: 'Blocked' } }),
  })),
  {
    name: 'the account has a higher limit',
    why: 'limits can be raised for an account',
    tenant: { rateLimits: { create: 5_000 } },
    call: create(ok()),
    status: 201,
    body: created(),
    headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4999' },
  },
  {
    name: 'the return URL is on localhost',
    why: 'localhost is always allowed, on any port',
    call: create({ returnUrl: 'http://localhost:5173/return?a=b' }),
    status: 201,
    body: created(),
  },
];
