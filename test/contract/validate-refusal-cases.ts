import { type ContractCase } from './case.ts';
import { post, VALIDATE } from './world.ts';
import { validateAfter, validated } from './validate-calls.ts';

/** Sessions, keys and bodies that are rejected. */
export const REFUSAL_CASES: readonly ContractCase[] = [
  {
    name: 'an unknown session',
    why: 'it was never created',
    call: ({ sk }) => post(VALIDATE, { sessionId: '00000000-0000-4000-8000-000000000000' }, sk),
    status: 404,
    message: 'Session not found',
  },
  {
    name: 'a sessionId that is not a UUID',
    why: 'it is unknown as well',
    call: ({ sk }) => post(VALIDATE, { sessionId: '__proto__' }, sk),
    status: 404,
    message: 'Session not found',
  },
  {
    name: 'a session of a different account',
    why: 'the session exists but belongs to a different account',
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
    name: 'a used session of a different account',
    why: 'the owner is checked before the state',
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
    name: 'a different key pair of the same account',
    why: 'sessions belong to the account, not to the key pair',
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
    name: 'a publishable key and an invalid body',
    why: 'the key is checked before the body',
    call: ({ pk }) => post(VALIDATE, { x: 1 }, pk),
    status: 401,
    message: 'Private API key required for session validation',
  },
  {
    name: 'no key',
    why: 'the message says what is missing',
    call: () => post(VALIDATE, { sessionId: 'x' }),
    status: 401,
    message: 'API key required',
    headers: { 'x-ratelimit-limit': '100' },
  },
  {
    name: 'an unknown key',
    why: 'the key was never created',
    call: () => post(VALIDATE, { sessionId: 'x' }, 'sk_x'),
    status: 401,
    message: 'Invalid API key',
  },
  {
    name: 'a paused secret key',
    why: 'the key is known but not allowed',
    call: async (world) => {
      await world.control.setKeyStatus(world.pair.secret.id, 'paused');
      return post(VALIDATE, { sessionId: 'x' }, world.sk);
    },
    status: 403,
    message: 'API key is paused',
  },
  {
    name: 'a sessionToken in addition to the id',
    why: 'the token is for the hosted page only',
    call: async (world) => {
      const { sessionId, sessionToken } = await world.create();
      return post(VALIDATE, { sessionId, sessionToken }, world.sk);
    },
    status: 400,
    message: ['property sessionToken should not exist'],
  },
  {
    name: 'no sessionId',
    why: 'it is the only property',
    call: ({ sk }) => post(VALIDATE, {}, sk),
    status: 400,
    message: ['sessionId should not be empty', 'sessionId must be a string'],
  },
  {
    name: 'an empty sessionId',
    why: 'the value is present but empty',
    call: ({ sk }) => post(VALIDATE, { sessionId: '' }, sk),
    status: 400,
    message: ['sessionId should not be empty'],
  },
  {
    name: 'a number as sessionId',
    why: 'ids are strings',
    call: ({ sk }) => post(VALIDATE, { sessionId: 7 }, sk),
    status: 400,
    message: ['sessionId must be a string'],
  },
  {
    name: 'an unknown session and an unknown property',
    why: 'the body is validated before the session is looked up',
    call: ({ sk }) => post(VALIDATE, { sessionId: 'x', a: 1 }, sk),
    status: 400,
    message: ['property a should not exist'],
  },
  {
    name: 'the 101st request of a minute',
    why: 'validate has a separate limit from create',
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
    why: 'limits can be raised for an account',
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
