import { expect } from 'vitest';
import { envelope, later, MINUTES_MS, ok, STRING, UUID, type ContractCase } from './case.ts';
import { CREATE, post, postText, RETURN_URL, type World } from './world.ts';

const create =
  (body: object, key: (world: World) => string = ({ sk }) => sk) =>
  (world: World) =>
    post(CREATE, body, key(world));
const withPk = ({ pk }: World): string => pk;
const created =
  (differences: object = {}) =>
  async (world: World) => ({
    sessionId: UUID,
    sessionToken: expect.stringMatching(/^[^.]{40,}$/) as unknown,
    verifyUrl: expect.stringMatching(/\?sessionId=[^&]+&sessionToken=[^&]+$/) as unknown,
    expiresAt: await later(await world.now(), 10 * MINUTES_MS),
    testMode: false,
    sandboxMode: true,
    externalUserId: null,
    faceMatchEnabled: true,
    handoffToken: expect.stringMatching(/^[^.]{40,}$/) as unknown,
    ...differences,
  });

/** What a URL parser mends, and another parser, or the hosted page, reads differently. */
const NOT_SPELLED_OUT: readonly (readonly [url: string, why: string])[] = [
  ['http:localhost:3000/x', 'relative on a page of the same scheme'],
  ['https:shop.example', 'relative on a page of the same scheme'],
  ['https:/shop.example/return', 'a slash is missing'],
  [' https://shop.example/', 'the parser trims'],
  ['https://shop.example/ ', 'the parser trims'],
  ['https://shop.example/a b', 'a space is no part of an address'],
  ['https://shop.example/\r\nX: y', 'a line break is the end of a header'],
  ['https://shop.example/\tx', 'the parser drops tabs'],
  ['ht\ntps://shop.example/', 'the parser drops line breaks, in the scheme too'],
  ['https://shop.example/\u007f', 'a control character'],
  ['https://shop.example/\u0000', 'a control character'],
  ['https:\\\\shop.example/', 'the parser takes a backslash for a slash'],
  ['https://shop.example\\@evil.example/', 'other parsers see another host'],
];

const SPELLED_OUT: readonly (readonly [url: string, why: string])[] = [
  ['HTTPS://shop.example/return', 'schemes have no case'],
  ['https://shop.example/ü?q=ü#ü', 'letters of any language'],
  ['https://shop.example/?path=C:\\x', 'a backslash in the query is a letter'],
  ['https://shop.example?a=1', 'a host alone with a query'],
  ['https://shop.example/a%20b?next=https://other.example//', 'slashes further on'],
];

export const createCases: readonly ContractCase[] = [
  {
    name: 'a secret key creates a session',
    why: 'the whole response, field by field',
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
    why: 'it is what the browser SDK has',
    call: create(ok({ externalUserId: 'anna' }), withPk),
    status: 201,
    body: created({ externalUserId: 'anna' }),
  },
  {
    name: 'the key comes in x-api-key',
    why: 'the alternative header',
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
    why: 'scheme names have no case (RFC 9110)',
    call: ({ sk }) =>
      postText(CREATE, JSON.stringify(ok()), {
        'content-type': 'application/json; charset=utf-8',
        authorization: `bearer ${sk}`,
      }),
    status: 201,
    body: created(),
  },
  {
    name: 'every optional property is given',
    why: 'all of them are known; with a secret key policy is honoured',
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
    why: 'class-validator takes null for "not given"',
    call: create(ok({ externalUserId: null, challengeAge: null, cancelUrl: null })),
    status: 201,
    body: created(),
  },
  {
    name: 'a publishable key asks for no face match',
    why: 'policy from a browser is ignored, not refused',
    call: create(ok({ faceMatchEnabled: false, challengeAge: 99 }), withPk),
    status: 201,
    body: created(),
  },
  {
    name: 'a publishable key asks for policy that there is not',
    why: 'what is ignored is not checked either',
    call: create(
      ok({ verificationMode: 'L3', challengeAge: 5, faceMatchEnabled: { off: true } }),
      withPk,
    ),
    status: 201,
    body: created(),
  },
  {
    name: 'a publishable key sends an unknown property beside ignored ones',
    why: 'only policy is ignored',
    call: create(ok({ challengeAge: 5, minAge: 18, merchantName: 1 }), withPk),
    status: 400,
    message: ['property minAge should not exist', 'merchantName must be a string'],
  },
  {
    name: 'the account is not in sandbox mode',
    why: 'sandboxMode is the account’s',
    tenant: { sandboxMode: false },
    call: create(ok()),
    status: 201,
    body: created({ sandboxMode: false }),
  },
  {
    name: 'the account is blocked by billing',
    why: 'the session is created all the same, and says so',
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
    why: 'the other codes; a portal address is not always there',
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
    name: 'the return address is on localhost',
    why: 'always allowed, on any port',
    call: create({ returnUrl: 'http://localhost:5173/return?a=b' }),
    status: 201,
    body: created(),
  },

  {
    name: 'no key',
    why: 'says what is missing',
    call: () => post(CREATE, ok()),
    status: 401,
    message: 'API key required',
    headers: { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '300' },
  },
  {
    name: 'an unknown key',
    why: 'a key that was never made',
    call: () => post(CREATE, ok(), 'sk_unknown'),
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'another scheme',
    why: 'only Bearer carries a key',
    call: ({ sk }) =>
      postText(CREATE, '{}', { 'content-type': 'application/json', authorization: `Basic ${sk}` }),
    status: 401,
    message: 'API key required',
  },
  {
    name: 'a key that is named like a property of every object',
    why: 'look-ups go by value alone',
    call: () => post(CREATE, ok(), '__proto__'),
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a revoked key',
    why: 'as if it had never been',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'revoked');
      return post(CREATE, ok(), world.sk);
    },
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a paused key',
    why: 'known, but without permission',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'paused');
      return post(CREATE, ok(), world.sk);
    },
    status: 403,
    message: 'API key is paused',
  },
  {
    name: 'a bad body without a key',
    why: 'who asks comes before what is asked',
    call: () => post(CREATE, { nonsense: true }),
    status: 401,
    message: 'API key required',
  },

  {
    name: 'no returnUrl',
    why: 'the one required property',
    call: create({}),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'no body at all',
    why: 'an empty body lacks what an empty object lacks',
    call: ({ sk }) => ({
      path: CREATE,
      init: { method: 'POST', headers: { authorization: `Bearer ${sk}` } },
    }),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'an empty returnUrl',
    why: 'a value that is there, and empty',
    call: create({ returnUrl: '' }),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'a relative returnUrl',
    why: 'there is no page to be relative to',
    call: create({ returnUrl: '/return' }),
    status: 400,
    message: ['returnUrl must be a URL address'],
  },
  {
    name: 'a returnUrl of another scheme',
    why: 'nobody returns to a script',
    call: create({ returnUrl: 'javascript:alert(1)' }),
    status: 400,
    message: ['returnUrl must be a URL address'],
  },
  ...(['returnUrl', 'cancelUrl'] as const).flatMap((property) =>
    NOT_SPELLED_OUT.map(([url, why]): ContractCase => ({
      name: `the ${property} ${JSON.stringify(url)}`,
      why,
      call: create(ok({ [property]: url })),
      status: 400,
      message: [
        `${property} must be spelled out, as in https://shop.example/return: // after the scheme, no spaces, control characters or backslashes`,
      ],
    })),
  ),
  ...SPELLED_OUT.map(([url, why]): ContractCase => ({
    name: `the returnUrl ${JSON.stringify(url)}`,
    why,
    call: create({ returnUrl: url }),
    status: 201,
    body: created(),
  })),
  {
    name: 'several things wrong',
    why: 'all are said at once, unknown properties first',
    call: create({
      sessionToken: 'x',
      returnUrl: 5,
      cancelUrl: 'nowhere',
      merchantName: 1,
      externalUserId: {},
      verificationMode: 'L3',
      challengeAge: 18,
      faceMatchEnabled: 'yes',
      minAge: 18,
    }),
    status: 400,
    message: [
      'property sessionToken should not exist',
      'property minAge should not exist',
      'returnUrl must be a URL address',
      'cancelUrl must be a URL address',
      'merchantName must be a string',
      'externalUserId must be a string',
      'verificationMode must be one of the following values: L1, L2',
      'challengeAge must not be less than 25',
      'faceMatchEnabled must be a boolean value',
    ],
  },
  {
    name: 'an age of 24',
    why: 'just below the range',
    call: create(ok({ challengeAge: 24 })),
    status: 400,
    message: ['challengeAge must not be less than 25'],
  },
  {
    name: 'an age of 25',
    why: 'the lowest of the range',
    call: create(ok({ challengeAge: 25 })),
    status: 201,
    body: created(),
  },
  {
    name: 'an age of 99',
    why: 'the highest of the range',
    call: create(ok({ challengeAge: 99 })),
    status: 201,
    body: created(),
  },
  {
    name: 'an age of 100',
    why: 'just above the range',
    call: create(ok({ challengeAge: 100 })),
    status: 400,
    message: ['challengeAge must not be greater than 99'],
  },
  {
    name: 'an age as text',
    why: 'JSON has numbers',
    call: create(ok({ challengeAge: '30' })),
    status: 400,
    message: ['challengeAge must be a number conforming to the specified constraints'],
  },
  {
    name: 'properties that every object seems to have',
    why: 'prototype pollution gets nowhere',
    call: ({ sk }) =>
      postText(
        CREATE,
        `{"returnUrl":"${RETURN_URL}","__proto__":{"admin":true},"constructor":{},"toString":1}`,
        {
          'content-type': 'application/json',
          authorization: `Bearer ${sk}`,
        },
      ),
    status: 400,
    message: [
      'property __proto__ should not exist',
      'property constructor should not exist',
      'property toString should not exist',
    ],
  },
  {
    name: 'an array as the body',
    why: 'JSON, but no object',
    call: ({ sk }) => post(CREATE, [ok()], sk),
    status: 400,
    message: 'Request body must be a JSON object',
  },
  {
    name: 'null as the body',
    why: 'JSON, but no object',
    call: ({ sk }) => post(CREATE, null, sk),
    status: 400,
    message: 'Request body must be a JSON object',
  },
  {
    name: 'half a body',
    why: 'no JSON',
    call: ({ sk }) =>
      postText(CREATE, '{"returnUrl":', {
        'content-type': 'application/json',
        authorization: `Bearer ${sk}`,
      }),
    status: 400,
    message: 'Request body must be valid JSON',
  },
  {
    name: 'a form',
    why: 'the API takes JSON alone',
    call: ({ sk }) =>
      postText(CREATE, 'returnUrl=x', {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Bearer ${sk}`,
      }),
    status: 415,
    message: 'Content-Type must be application/json',
  },
  {
    name: 'JSON that says it is UTF-16',
    why: 'JSON between systems is UTF-8 (RFC 8259)',
    call: (world) =>
      postText(CREATE, JSON.stringify(ok()), {
        ...jsonHeaders(world),
        'content-type': 'application/json; charset=utf-16',
      }),
    status: 415,
    message: 'Content-Type must be application/json in UTF-8, got charset "utf-16"',
  },
  {
    name: 'JSON that says it is UTF-8',
    why: 'the one charset there is, in any spelling',
    call: (world) =>
      postText(CREATE, JSON.stringify(ok()), {
        ...jsonHeaders(world),
        'content-type': 'application/json; charset="UTF-8"',
      }),
    status: 201,
    body: created(),
  },
  {
    name: 'bytes that are not UTF-8',
    why: 'an externalUserId must come back as it was sent',
    call: ({ sk }) => ({
      path: CREATE,
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sk}` },
        body: latin1(JSON.stringify(ok({ externalUserId: 'J\u00fcrgen' }))),
      },
    }),
    status: 400,
    message: 'Request body must be valid UTF-8',
  },
  {
    name: 'U+FFFD in UTF-8',
    why: 'a character like any other',
    call: create(ok({ externalUserId: 'a\ufffdb' })),
    status: 201,
    body: created({ externalUserId: 'a\ufffdb' }),
  },
  {
    name: 'a body of 64 KiB',
    why: 'the largest that is read',
    call: (world) => postText(CREATE, padded(65_536), jsonHeaders(world)),
    status: 201,
    body: created({ externalUserId: STRING }),
  },
  {
    name: 'a body of 64 KiB and a byte',
    why: 'the smallest that is not',
    call: (world) => postText(CREATE, padded(65_537), jsonHeaders(world)),
    status: 413,
    message: 'Request body must not be larger than 65536 bytes',
  },
  {
    name: 'deep JSON',
    why: 'no stack to overflow',
    call: (world) =>
      postText(CREATE, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, jsonHeaders(world)),
    status: 400,
    message: [
      'property a should not exist',
      'returnUrl should not be empty',
      'returnUrl must be a URL address',
    ],
  },

  {
    name: 'another account’s merchantId',
    why: 'it must be the key’s',
    call: create(ok({ merchantId: 'someone-else' })),
    status: 400,
    message: 'merchantId does not match the authenticated API key',
  },
  {
    name: 'a returnUrl elsewhere',
    why: 'the allowlist',
    call: create({ returnUrl: 'https://evil.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    name: 'a returnUrl below an allowed domain',
    why: 'an entry is one host',
    call: create({ returnUrl: 'https://a.shop.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    name: 'a cancelUrl elsewhere',
    why: 'it redirects the same shopper',
    call: create(ok({ cancelUrl: 'https://evil.example/' })),
    status: 400,
    message: 'Cancel URL domain not allowed',
  },
  {
    name: 'a face mismatch asked for without face match',
    why: 'it could never happen: what was not compared cannot differ',
    call: create(
      ok({ externalUserId: 'ofage_test:failed_face_mismatch', faceMatchEnabled: false }),
    ),
    status: 400,
    message:
      'externalUserId asks for failed_face_mismatch, which needs a session with face match enabled',
  },
  {
    name: 'a face mismatch asked for in an account without face match',
    why: 'the account’s policy holds for a publishable key',
    tenant: { policy: { faceMatchEnabled: false } },
    call: create(ok({ externalUserId: 'ofage_test:failed_face_mismatch:anna' }), withPk),
    status: 400,
    message:
      'externalUserId asks for failed_face_mismatch, which needs a session with face match enabled',
  },
  {
    name: 'a face mismatch as the next outcome of a session without face match',
    why: 'says where it comes from, and leaves it in the queue',
    call: async (world) => {
      await world.control.queueNextOutcomes(world.tenantId, ['failed_face_mismatch']);
      return post(CREATE, ok({ faceMatchEnabled: false }), world.sk);
    },
    status: 400,
    message:
      'The next outcome of the account asks for failed_face_mismatch, which needs a session with face match enabled',
  },
  {
    name: 'a secret key whose publishable one is paused',
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
    name: 'a secret key whose publishable one is revoked',
    why: 'the same, for good',
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
    name: 'a publishable key whose secret one is revoked',
    why: 'the launch needs the publishable key alone',
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
    name: `a ${fault} that was asked for`,
    why: 'clients must be tested against it',
    call: async (world) => {
      await world.control.addFault({ operation: 'create', fault, tenantId: world.tenantId });
      return post(CREATE, ok(), world.sk);
    },
    status,
    message,
    headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-retry-after': retryAfter },
  })),
  {
    name: 'the call after a fault',
    why: 'one call was asked to go wrong',
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
    name: 'a fault of another account',
    why: 'tests do not get into each other’s way',
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
    why: 'the limit is shared by all keys of the account',
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
    why: 'the window is fixed from its first request',
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
    why: 'the count starts anew',
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
    name: 'a bad body',
    why: 'it counts: the limit is on requests',
    call: create({}),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
    headers: { 'x-ratelimit-remaining': '299' },
  },
];

function jsonHeaders({ sk }: World): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${sk}` };
}

/** A good body of exactly so many bytes. */
function padded(bytes: number): string {
  const body = JSON.stringify(ok({ externalUserId: '' }));
  return JSON.stringify(ok({ externalUserId: 'x'.repeat(bytes - body.length) }));
}

/** One byte a character, as a system of another age sends it. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
