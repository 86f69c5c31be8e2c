import { ok, type ContractCase } from './case.ts';
import { CREATE, post, VALIDATE } from './world.ts';

export const routeCases: readonly ContractCase[] = [
  {
    name: 'an unknown path',
    why: 'the error envelope is used here as well',
    call: ({ sk }) => post('/api/v1/sessions/extend', {}, sk),
    status: 404,
    message: 'Cannot POST /api/v1/sessions/extend',
    headers: { 'x-ratelimit-limit': '300' },
  },
  {
    name: 'a path with an extra slash',
    why: 'paths must match exactly',
    call: ({ sk }) => post(`${CREATE}/`, ok(), sk),
    status: 404,
    message: `Cannot POST ${CREATE}/`,
  },
  {
    name: 'a different version',
    why: 'only v1 exists',
    call: ({ sk }) => post('/api/v2/sessions/create', ok(), sk),
    status: 404,
    message: 'Cannot POST /api/v2/sessions/create',
  },
  {
    name: 'GET on create',
    why: 'a known path with a different method',
    call: () => ({ path: CREATE, init: { method: 'GET' } }),
    status: 405,
    message: `Cannot GET ${CREATE}`,
    headers: { allow: 'POST' },
  },
  {
    name: 'DELETE on validate',
    why: 'a known path with a different method',
    call: () => ({ path: VALIDATE, init: { method: 'DELETE' } }),
    status: 405,
    message: `Cannot DELETE ${VALIDATE}`,
    headers: { allow: 'POST' },
  },
];
