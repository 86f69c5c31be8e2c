import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { bearer, CREATE, post, VALIDATE, type Call } from '../exchange.ts';
import type { World } from '../world.ts';
import { create } from './bodies.ts';

const cannot = ({ basePath }: World, { method, path, isFromOrigin }: Call): string =>
  `Cannot ${method} ${isFromOrigin ? '' : basePath}${path}`;

const ROWS: readonly Case[] = [
  {
    id: 'unknown',
    sentence: 'An unknown path is answered with 404 and the error envelope',
    level: 'should',
    call: ({ sk }) => post('/sessions/extend', {}, sk),
    status: 404,
    message: cannot,
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
    id: 'query',
    sentence: 'The path of an error has no query',
    level: 'reading',
    call: (world) => ({ ...create({ returnUrl: 5 })(world), path: `${CREATE}?a=1` }),
    status: 400,
  },
  {
    id: 'extra-slash',
    sentence: 'A path with an extra slash is unknown',
    level: 'reading',
    call: (world) => ({ ...create()(world), path: `${CREATE}/` }),
    status: 404,
    message: cannot,
  },
  {
    id: 'other-version',
    sentence: 'A path of another API version is unknown',
    level: 'should',
    call: ({ sk }) => ({ ...post('/api/v2/sessions/create', {}, sk), isFromOrigin: true }),
    status: 404,
    message: cannot,
  },
  ...[CREATE, VALIDATE].map((path): Case => ({
    id: `${path.slice('/sessions/'.length)}.method`,
    sentence: `Another method than POST is refused on ${path}`,
    level: 'reading',
    examples: toExamples({ GET: '', PUT: '', DELETE: '', PATCH: '' }, (_, method) => ({
      call: ({ sk }) => ({ method, path, headers: method === 'GET' ? {} : bearer(sk) }),
    })),
    status: 405,
    message: cannot,
    headers: { allow: 'POST' },
  })),
];

/** Checks of paths and methods. */
export const ROUTE_CHECKS: readonly Check[] = toChecks('Errors', 'routes', ROWS);
