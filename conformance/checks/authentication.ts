import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { bearer, CREATE, JSON_TYPE, post, postText, VALIDATE, type Call } from '../exchange.ts';
import { TEXT } from '../matchers.ts';
import type { World } from '../world.ts';
import { created } from './bodies.ts';

/** Returns a function that builds a valid create request with these headers for the key. */
function createWith(headers: (world: World) => Record<string, string>): (world: World) => Call {
  return (world) =>
    postText(CREATE, JSON.stringify({ returnUrl: world.account.returnUrl }), {
      ...JSON_TYPE,
      ...headers(world),
    });
}

const BOTH = [
  ['create', CREATE, (world: World) => ({ returnUrl: world.account.returnUrl })],
  ['validate', VALIDATE, () => ({ sessionId: 'x' })],
] as const;

const REFUSED = BOTH.flatMap(([name, path, body]): Case[] => [
  {
    id: `${name}.missing`,
    sentence: `A ${name} request without a key is refused`,
    call: (world) => post(path, body(world)),
    status: 401,
    message: 'API key required',
    messageLevel: 'should',
    also: { error: 'Unauthorized' },
  },
  ...(
    [
      ['unknown', 'sk_unknown', 'an unknown key'],
      ['prototype', '__proto__', 'a key that is the name of an inherited property'],
      ['no-prefix', 'unknown', 'a key without a known prefix'],
    ] as const
  ).map(([key, value, phrase]): Case => ({
    id: `${name}.${key}`,
    sentence: `A ${name} request with ${phrase} is refused`,
    call: (world) => post(path, body(world), value),
    status: 401,
    message: 'Invalid API key',
  })),
  {
    id: `${name}.scheme`,
    sentence: `A ${name} request with the scheme Basic is refused`,
    call: (world) =>
      postText(path, JSON.stringify(body(world)), {
        ...JSON_TYPE,
        authorization: `Basic ${world.sk}`,
      }),
    status: 401,
    message: 'API key required',
  },
  {
    id: `${name}.no-scheme`,
    sentence: `A ${name} request with a key but no scheme is refused`,
    level: 'reading',
    call: (world) =>
      postText(path, JSON.stringify(body(world)), { ...JSON_TYPE, authorization: world.sk }),
    status: 401,
    also: { message: TEXT },
  },
]);

/** Returns a function that changes the status of the secret key, and builds a request with this key. */
const withKeyStatus =
  (status: 'paused' | 'revoked', path: string, body: (world: World) => object) =>
  async (world: World): Promise<Call> => {
    await world.driver.setKeyStatus(world.sk, status);
    return post(path, body(world), world.sk);
  };

/** Requests with a key that exists, but is refused because of its status. */
const STATUSES = BOTH.flatMap(([name, path, body]): Case[] => [
  {
    id: `${name}.revoked`,
    sentence: `A ${name} request with a revoked key is refused`,
    settings: {},
    needs: ['setKeyStatus'],
    call: withKeyStatus('revoked', path, body),
    status: 401,
    message: 'Invalid API key',
  },
  {
    id: `${name}.paused`,
    sentence: `A ${name} request with a paused key is refused with 403, because the key is known but not allowed`,
    level: 'should',
    settings: {},
    needs: ['setKeyStatus'],
    call: withKeyStatus('paused', path, body),
    status: 403,
    message: 'API key is paused',
  },
]);

const ACCEPTED = (
  [
    ['bearer', 'must', 'Authorization: Bearer', ({ sk }) => bearer(sk)],
    ['x-api-key', 'must', 'x-api-key', ({ sk }) => ({ 'x-api-key': sk })],
    [
      'x-api-key.publishable',
      'must',
      'x-api-key, even if it is publishable',
      ({ pk }) => ({ 'x-api-key': pk }),
    ],
    [
      'lower-case-scheme',
      'should',
      'authorization: bearer, because scheme names are case-insensitive (RFC 9110)',
      ({ sk }) => ({
        authorization: `bearer ${sk}`,
        'content-type': 'application/json; charset=utf-8',
      }),
    ],
  ] as const satisfies readonly (readonly [
    string,
    'must' | 'should',
    string,
    (world: World) => Record<string, string>,
  ])[]
).map(([id, level, phrase, headers]): Case => ({
  id: `create.${id}`,
  sentence: `The key may be sent as ${phrase}`,
  level,
  call: createWith(headers),
  status: 201,
  body: created(),
}));

const PUBLISHABLE: readonly Case[] = [
  {
    id: 'validate.publishable',
    sentence: 'A publishable key cannot validate a session',
    call: async (world) =>
      post(VALIDATE, { sessionId: (await world.create()).sessionId }, world.pk),
    status: 401,
    message: 'Private API key required for session validation',
    messageLevel: 'must',
  },
  {
    id: 'validate.publishable.x-api-key',
    sentence: 'A publishable key in x-api-key cannot validate a session either',
    call: async (world) =>
      postText(VALIDATE, JSON.stringify({ sessionId: (await world.create()).sessionId }), {
        ...JSON_TYPE,
        'x-api-key': world.pk,
      }),
    status: 401,
    message: 'Private API key required for session validation',
    messageLevel: 'must',
  },
];

/** Checks of the headers that carry a key, and of the keys that are refused. */
export const AUTHENTICATION_CHECKS: readonly Check[] = [
  ...toChecks('Authentication', 'auth', [...REFUSED, ...STATUSES, ...ACCEPTED]),
  ...toChecks('API keys', 'auth', PUBLISHABLE),
];
