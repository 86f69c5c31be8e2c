import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { bearer, CREATE, JSON_TYPE, post, postText, VALIDATE, type Call } from '../exchange.ts';
import { TEXT } from '../matchers.ts';
import type { World } from '../world.ts';
import { created } from './bodies.ts';

type Headers = Record<string, string>;

/** The two operations: their path, and a body that fits an account. */
const OPERATIONS = {
  create: { path: CREATE, body: (world: World) => ({ returnUrl: world.account.returnUrl }) },
  validate: { path: VALIDATE, body: () => ({ sessionId: 'x' }) },
} as const;

/** Returns an example for each operation whose request has these headers for the key. */
const onBoth = (
  headers: (world: World) => Headers | Promise<Headers>,
): Record<string, Partial<Case>> =>
  toExamples(OPERATIONS, ({ path, body }) => ({
    call: async (world) =>
      postText(path, JSON.stringify(body(world)), { ...JSON_TYPE, ...(await headers(world)) }),
  }));

/** Returns a function that changes the status of the secret key, and then uses it. */
const withKeyStatus = (status: 'paused' | 'revoked') => async (world: World) => {
  await world.driver.setKeyStatus(world.sk, status);
  return bearer(world.sk);
};

const REFUSED: readonly Case[] = [
  {
    id: 'missing',
    sentence: 'A request without a key is refused',
    examples: onBoth(() => ({})),
    status: 401,
    message: 'API key required',
    messageLevel: 'should',
  },
  {
    id: 'unknown',
    sentence: 'A request with an unknown key is refused',
    examples: {
      ...onBoth(() => bearer('sk_unknown')),
      ...toExamples(
        { 'publishable prefix': 'pk_unknown', 'no prefix': 'unknown', inherited: '__proto__' },
        (key) => ({ call: (world) => post(CREATE, OPERATIONS.create.body(world), key) }),
      ),
      ...toExamples({ sessionToken: '', handoffToken: '' }, (_, name) => ({
        async call(world) {
          const token = (await world.create())[name as 'sessionToken' | 'handoffToken'];
          return post(CREATE, OPERATIONS.create.body(world), token);
        },
      })),
      ...toExamples<(key: string) => string>(
        {
          'last character missing': (key) => key.slice(0, -1),
          'one character more': (key) => `${key}x`,
          'other case': (key) => key.toUpperCase(),
        },
        (change) => ({
          call: (world) => post(CREATE, OPERATIONS.create.body(world), change(world.sk)),
        }),
      ),
    },
    status: 401,
    message: 'Invalid API key',
  },
  {
    id: 'scheme',
    sentence: 'A request with the scheme Basic is refused',
    examples: onBoth(({ sk }) => ({ authorization: `Basic ${sk}` })),
    status: 401,
    message: 'API key required',
  },
  {
    id: 'no-scheme',
    sentence: 'A request with a key but no scheme is refused',
    level: 'reading',
    examples: onBoth(({ sk }) => ({ authorization: sk })),
    status: 401,
    also: { message: TEXT },
  },
  {
    id: 'revoked',
    sentence: 'A request with a revoked key is refused',
    settings: {},
    needs: ['setKeyStatus'],
    examples: {
      ...onBoth(withKeyStatus('revoked')),
      'publishable key': {
        async call(world) {
          await world.driver.setKeyStatus(world.pk, 'revoked');
          return post(CREATE, OPERATIONS.create.body(world), world.pk);
        },
      },
    },
    status: 401,
    message: 'Invalid API key',
  },
  {
    id: 'paused',
    sentence:
      'A request with a paused key is refused with 403, because the key is known but not allowed',
    level: 'reading',
    settings: {},
    needs: ['setKeyStatus'],
    examples: onBoth(withKeyStatus('paused')),
    status: 403,
    message: 'API key is paused',
  },
];

/** Returns a function that builds a valid create request with these headers for the key. */
const createWith =
  (headers: (world: World) => Headers) =>
  (world: World): Call =>
    postText(CREATE, JSON.stringify(OPERATIONS.create.body(world)), {
      ...JSON_TYPE,
      ...headers(world),
    });

const ACCEPTED: readonly Case[] = [
  {
    id: 'bearer',
    sentence: 'The key may be sent as Authorization: Bearer',
    call: createWith(({ sk }) => bearer(sk)),
    status: 201,
    body: created(),
  },
  {
    id: 'x-api-key',
    sentence: 'The key may be sent as x-api-key, whether it is secret or publishable',
    examples: toExamples({ secret: 'sk', publishable: 'pk' } as const, (kind) => ({
      call: createWith((world) => ({ 'x-api-key': world[kind] })),
    })),
    status: 201,
    body: created(),
  },
  {
    id: 'lower-case-scheme',
    sentence:
      'The key may be sent as authorization: bearer, because scheme names are case-insensitive (RFC 9110)',
    level: 'should',
    call: createWith(({ sk }) => ({ authorization: `bearer ${sk}` })),
    status: 201,
    body: created(),
  },
  {
    id: 'both-headers',
    sentence: 'If both headers have a key, that in Authorization counts',
    level: 'reading',
    call: createWith(({ sk }) => ({ ...bearer(sk), 'x-api-key': 'sk_unknown' })),
    status: 201,
    body: created(),
  },
  {
    id: 'both-headers.refused',
    sentence: 'A known x-api-key does not make up for an unknown key in Authorization',
    level: 'reading',
    call: createWith(({ sk }) => ({ ...bearer('sk_unknown'), 'x-api-key': sk })),
    status: 401,
  },
];

const PUBLISHABLE: Case = {
  id: 'publishable',
  sentence: 'A publishable key cannot validate a session',
  examples: toExamples<(key: string) => Headers>(
    { Authorization: bearer, 'x-api-key': (key) => ({ 'x-api-key': key }) },
    (headers) => ({
      async call(world) {
        const { sessionId } = await world.create();
        const body = JSON.stringify({ sessionId });
        return postText(VALIDATE, body, { ...JSON_TYPE, ...headers(world.pk) });
      },
    }),
  ),
  status: 401,
  message: 'Private API key required for session validation',
  messageLevel: 'must',
};

/** Checks of the headers that carry a key, and of the keys that are refused. */
export const AUTHENTICATION_CHECKS: readonly Check[] = [
  ...toChecks('Authentication', 'auth', [...REFUSED, ...ACCEPTED]),
  ...toChecks('API keys', 'auth', [PUBLISHABLE]),
];
