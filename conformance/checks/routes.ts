import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { bearer, CREATE, post, VALIDATE } from '../exchange.ts';
import type { World } from '../world.ts';
import { create } from './bodies.ts';

const cannot =
  (method: string, path: string) =>
  ({ basePath }: World): string =>
    `Cannot ${method} ${basePath}${path}`;

const UNKNOWN: readonly Case[] = [
  {
    id: 'unknown',
    sentence: 'An unknown path is answered with 404 and the error envelope',
    call: ({ sk }) => post('/sessions/extend', {}, sk),
    status: 404,
    message: cannot('POST', '/sessions/extend'),
  },
  {
    id: 'unknown.limits',
    sentence: 'The response to an unknown path has the rate limit headers of create',
    level: 'reading',
    settings: {},
    call: ({ sk }) => post('/sessions/extend', {}, sk),
    status: 404,
    headers: { 'x-ratelimit-limit': '300' },
  },
  {
    id: 'extra-slash',
    sentence: 'A path with an extra slash is unknown',
    level: 'reading',
    call: (world) => ({ ...create()(world), path: `${CREATE}/` }),
    status: 404,
    message: cannot('POST', `${CREATE}/`),
  },
  {
    id: 'other-version',
    sentence: 'A path of another API version is unknown',
    level: 'should',
    call: ({ sk }) => ({ ...post('/api/v2/sessions/create', {}, sk), isFromOrigin: true }),
    status: 404,
    message: 'Cannot POST /api/v2/sessions/create',
  },
];

const METHODS = [CREATE, VALIDATE].flatMap((path) =>
  ['GET', 'PUT', 'DELETE', 'PATCH'].map((method): Case => ({
    id: `${path.slice('/sessions/'.length)}.${method}`,
    sentence: `${method} on ${path} is refused, because only POST is allowed`,
    level: 'reading',
    call: ({ sk }) => ({ method, path, headers: method === 'GET' ? {} : bearer(sk) }),
    status: 405,
    message: cannot(method, path),
    headers: { allow: 'POST' },
  })),
);

/** Checks of paths and methods. */
export const ROUTE_CHECKS: readonly Check[] = toChecks('Errors', 'routes', [
  ...UNKNOWN,
  ...METHODS,
]);
