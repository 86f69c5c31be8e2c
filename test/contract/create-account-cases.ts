import { envelope, ok, type ContractCase } from './case.ts';
import { CREATE, post, postText } from './world.ts';
import { create, created, withPk } from './create-calls.ts';

/** Errors because of the key, the account, its limits and its faults. */
export const ACCOUNT_CASES: readonly ContractCase[] = [
  {
    name: 'no key',
    why: 'the message says what is missing',
    call: () => post(CREATE, ok()),
    status: 401,
    message: 'API key required',
    headers: { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '300' },
  },
  {
    name: 'an unknown key',
    why: 'the key was never created',
    call: () => post(CREATE, ok(), 'sk_unknown'),
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a different authorization scheme',
    why: 'only Bearer is supported',
    call: ({ sk }) =>
      postText(CREATE, '{}', { 'content-type': 'application/json', authorization: `Basic ${sk}` }),
    status: 401,
    message: 'API key required',
  },
  {
    name: 'a key that equals a property name of Object.prototype',
    why: 'the lookup must not find inherited properties',
    call: () => post(CREATE, ok(), '__proto__'),
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a revoked key',
    why: 'a revoked key is unknown',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'revoked');
      return post(CREATE, ok(), world.sk);
    },
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a paused key',
    why: 'the key is known but not allowed',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'paused');
      return post(CREATE, ok(), world.sk);
    },
    status: 403,
    message: 'API key is paused',
  },
  {
    name: 'a bad body without a key',
    why: 'the key is checked before the body',
    call: () => post(CREATE, { nonsense: true }),
    status: 401,
    message: 'API key required',
  },

  {
    name: 'the merchantId of a different account',
    why: 'it must match the key',
    call: create(ok({ merchantId: 'someone-else' })),
    status: 400,
    message: 'merchantId does not match the authenticated API key',
  },

  {
    name: 'a requested face mismatch without face match',
    why: 'a face that is not compared cannot mismatch',
    call: create(
      ok({ externalUserId: 'ofage_test:failed_face_mismatch', faceMatchEnabled: false }),
    ),
    status: 400,
    message:
      'externalUserId sets the scenario failed_face_mismatch, which needs a session with face match enabled',
  },
  {
    name: 'a requested face mismatch in an account without face match',
    why: 'a publishable key uses the account’s policy',
    tenant: { policy: { faceMatchEnabled: false } },
    call: create(ok({ externalUserId: 'ofage_test:failed_face_mismatch:anna' }), withPk),
    status: 400,
    message:
      'externalUserId sets the scenario failed_face_mismatch, which needs a session with face match enabled',
  },
  {
    name: 'a face mismatch as the next outcome of a session without face match',
    why: 'the message names the queue, and the outcome stays in it',
    call: async (world) => {
      await world.control.queueNextOutcomes(world.tenantId, ['failed_face_mismatch']);
      return post(CREATE, ok({ faceMatchEnabled: false }), world.sk);
    },
    status: 400,
    message:
      'The next outcome of the account sets the scenario failed_face_mismatch, which needs a session with face match enabled',
  },
  {
    name: 'a secret key whose publishable key is paused',
    why: 'the session could not be launched',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.publishable.id, 'paused');
      return post(CREATE, ok(), world.sk);
    },
    status: 503,
    message: 'The session cannot be launched: its API key pair has no active publishable key',
    body: async (world) => ({
      ...envelope(503, 'Service Unavailable', CREATE, await world.now()),
      message: 'The session cannot be launched: its API key pair has no active publishable key',
      code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE',
    }),
  },
  {
    name: 'a secret key whose publishable key is revoked',
    why: 'the session could never be launched',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.publishable.id, 'revoked');
      return post(CREATE, ok(), world.sk);
    },
    status: 503,
    body: async (world) => ({
      ...envelope(503, 'Service Unavailable', CREATE, await world.now()),
      message: 'The session cannot be launched: its API key pair has no active publishable key',
      code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE',
    }),
  },
  {
    name: 'a publishable key whose secret key is revoked',
    why: 'the launch needs only the publishable key',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'revoked');
      return post(CREATE, ok(), world.pk);
    },
    status: 201,
    body: created(),
  },
  ...(
    [
      ['429', 429, 'Too Many Requests', '0', '60'],
      ['500', 500, 'Internal server error', '299', null],
      ['503', 503, 'Service Unavailable', '299', null],
    ] as const
  ).map(([fault, status, message, remaining, retryAfter]): ContractCase => ({
    name: `an injected fault ${fault}`,
    why: 'clients can be tested against it',
    call: async (world) => {
      await world.control.addFault({ operation: 'create', fault, tenantId: world.tenantId });
      return post(CREATE, ok(), world.sk);
    },
    status,
    message,
    headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-retry-after': retryAfter },
  })),
  {
    name: 'the request after a fault',
    why: 'the fault was for one request',
    call: async (world) => {
      const { control, tenantId } = world;
      await control.addFault({ operation: 'create', fault: '500', tenantId });
      const call = post(CREATE, ok(), world.sk);
      await world.host.send(call.path, call.init);
      return call;
    },
    status: 201,
    body: created(),
  },
  {
    name: 'a fault of a different account',
    why: 'parallel tests do not affect each other',
    call: async (world) => {
      const other = await world.control.createTenant();
      await world.control.addFault({ operation: 'create', fault: '500', tenantId: other.id });
      return post(CREATE, ok(), world.sk);
    },
    status: 201,
    body: created(),
  },
  {
    name: 'the 301st request of a minute',
    why: 'all keys of the account share the limit',
    call: async (world) => {
      const other = await world.control.createKeyPair(world.tenantId);
      const keys = [world.sk, world.pk, other.secret.value, other.publishable.value];
      await Promise.all(Array.from({ length: 300 }, (_, n) => world.create({}, keys[n % 4])));
      return post(CREATE, ok(), world.pk);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: {
      'x-ratelimit-limit': '300',
      'x-ratelimit-window': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-retry-after': '60',
    },
  },
  {
    name: 'the last millisecond of a full window',
    why: 'the window starts with its first request',
    tenant: { rateLimits: { create: 1 } },
    call: async (world) => {
      await world.create();
      await world.host.clock.advance(59_999);
      return post(CREATE, ok(), world.sk);
    },
    status: 429,
    message: 'Too Many Requests',
    headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-retry-after': '1' },
  },
  {
    name: 'the first millisecond of the next window',
    why: 'the count starts again',
    tenant: { rateLimits: { create: 1 } },
    call: async (world) => {
      await world.create();
      await world.host.clock.advance(60_000);
      return post(CREATE, ok(), world.sk);
    },
    status: 201,
    body: created(),
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-retry-after': null },
  },
  {
    name: 'an invalid body',
    why: 'invalid requests count towards the limit',
    call: create({}),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
    headers: { 'x-ratelimit-remaining': '299' },
  },
];
