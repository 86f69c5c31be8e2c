import type * as v from 'valibot';
import {
  endpointChange,
  endpointInput,
  keyChange,
  outcomeInput,
  tenantInput,
} from '../../control/inputs.ts';
import { observationInput } from '../../control/observations.ts';
import { faultInput, nextOutcomesInput } from '../../control/steering-inputs.ts';
import { advanceBody, setBody } from '../clock-bodies.ts';
import { deliveryQuery, doctorQuery, eventQuery, requestQuery, sessionQuery } from '../pages.ts';
import * as show from './control-schemas.ts';
import { doctor, observation } from './doctor-schemas.ts';
import type { Operation } from './operation.ts';
import { scenarioName } from './values.ts';
import { webhookOperations } from './webhook-operations.ts';

/** The mock's own surface. */
export const controlOperations: readonly Operation[] = [
  get('/state', 'Everything at a glance', show.state),
  post('/reset', 'Forget everything but the first account and its keys', show.demo),
  get('/scenarios', 'The catalogue of what can happen to a session', show.list(show.scenario)),
  get('/snapshot', 'Save the whole run', show.snapshot),
  {
    ...post('/snapshot', 'Load a run that was saved', null),
    method: 'put',
    body: show.snapshot,
    success: 204,
    refusals: [413],
  },
  {
    ...get('/stream', 'What changes, as server-sent events', null),
    response: 'text/event-stream',
  },

  get('/clock', 'What time it is', show.clock),
  post('/clock/freeze', 'Let time stand still', show.clock),
  post('/clock/resume', 'Let time run', show.clock),
  post('/clock/next', 'Go to the next thing due, and run it', show.clock),
  {
    ...post('/clock/advance', 'Go forward by milliseconds, running what falls due', show.clock),
    body: advanceBody,
    example: { ms: 600_000 },
  },
  {
    ...post('/clock/set', 'Go forward to an instant, running what falls due', show.clock),
    body: setBody,
    example: { now: '2099-01-01T00:00:00Z' },
  },

  get('/tenants', 'The accounts', show.list(show.tenant)),
  {
    ...post('/tenants', 'Add an account', show.tenant),
    body: tenantInput,
    example: {
      name: 'Wine & Co',
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: true },
      allowedDomains: ['shop.example', '*.wine.example'],
      sandboxMode: false,
      billingBlock: {
        code: 'PLAN_LIMIT_REACHED',
        message: 'The plan is used up',
        portalUrl: 'https://billing.ofage.example/',
      },
      rateLimits: { create: 1_000, validate: 500 },
      members: [{ email: 'anna@shop.example', role: 'owner' }],
      timeoutAttempts: 5,
    },
    success: 201,
  },
  { ...get('/tenants/{id}', 'One account', show.tenant), ...of('tenant') },
  {
    ...change('/tenants/{id}', 'Change an account', show.tenant, tenantInput),
    ...of('tenant'),
    example: { billingBlock: null, sandboxMode: true },
  },
  {
    ...get('/tenants/{id}/key-pairs', 'An account’s keys', show.list(show.keyPair)),
    ...of('tenant'),
  },
  {
    ...post('/tenants/{id}/key-pairs', 'Add a pair of keys', show.keyPair),
    ...of('tenant'),
    success: 201,
  },
  {
    ...change('/keys/{id}', 'Pause, resume or revoke a key', show.key, keyChange),
    ...of('key', 409),
    example: { status: 'paused' },
  },
  { ...remove('/keys/{id}', 'Revoke a key', 'key'), success: 200, response: show.key },

  {
    ...get('/tenants/{id}/next-outcomes', 'What the next sessions take', show.list(scenarioName)),
    ...of('tenant'),
  },
  {
    ...post('/tenants/{id}/next-outcomes', 'Add to it', show.list(scenarioName)),
    ...of('tenant', 409),
    body: nextOutcomesInput,
    example: { outcomes: ['failed_age_not_met', 'verified'] },
    success: 201,
  },
  remove('/tenants/{id}/next-outcomes', 'Forget it', 'tenant'),

  {
    ...get('/sessions', 'Sessions, newest first', show.page(show.session)),
    query: sessionQuery,
  },
  { ...get('/sessions/{id}', 'One session', show.session), ...of('session') },
  {
    ...post('/sessions/{id}/outcome', 'End a session with no browser', show.session),
    ...of('session', 409),
    body: outcomeInput,
    example: { outcome: 'verified_after_id' },
  },
  { ...get('/events', 'Events, oldest first', show.page(show.event)), query: eventQuery },
  {
    ...get('/deliveries', 'Deliveries with their attempts', show.page(show.delivery)),
    query: deliveryQuery,
  },

  ...webhookOperations,
  {
    ...get('/tenants/{id}/webhook-endpoints', 'Webhook endpoints', show.list(show.endpoint)),
    ...of('tenant'),
  },
  {
    ...post('/tenants/{id}/webhook-endpoints', 'Add a webhook endpoint', show.newEndpoint),
    ...of('tenant', 409),
    body: endpointInput,
    example: { url: 'https://shop.example/webhooks', events: ['verification.completed'] },
    success: 201,
  },
  { ...get('/webhook-endpoints/{id}', 'One endpoint', show.endpoint), ...of('endpoint') },
  {
    ...change('/webhook-endpoints/{id}', 'Change an endpoint', show.endpoint, endpointChange),
    ...of('endpoint'),
    example: { enabled: false },
  },
  remove('/webhook-endpoints/{id}', 'Delete an endpoint', 'endpoint'),

  get('/faults', 'What is to go wrong', show.list(show.fault)),
  {
    ...post(
      '/faults',
      'Make the next calls of an operation, or the next webhooks, go wrong',
      show.fault,
    ),
    body: faultInput,
    example: { operation: 'validate', fault: '503', count: 2 },
    success: 201,
    refusals: [404],
  },
  { ...remove('/faults', 'Let everything go well', 'fault'), path: '/control/v1/faults' },
  remove('/faults/{id}', 'Let what a fault was for go well', 'fault'),
  {
    ...get('/requests', 'The last 500 requests to each API, newest first', show.page(show.request)),
    query: requestQuery,
  },

  {
    ...get('/doctor', 'What is wrong with an integration', doctor),
    query: doctorQuery,
    refusals: [404],
  },
  get('/observations', 'What the merchant’s side told, oldest first', show.list(observation)),
  {
    ...post('/observations', 'Tell what the service cannot see', observation),
    body: observationInput,
    example: { kind: 'access_granted', sessionId: '<sessionId>', by: 'return page' },
    success: 201,
    refusals: [404],
  },
];

function get(path: string, summary: string, response: Operation['response']): Operation {
  return {
    method: 'get',
    path: `/control/v1${path}`,
    summary,
    security: 'loopback',
    success: 200,
    response,
    refusals: [],
  };
}

function post(path: string, summary: string, response: Operation['response']): Operation {
  return { ...get(path, summary, response), method: 'post' };
}

function change(
  path: string,
  summary: string,
  response: v.GenericSchema,
  body: v.GenericSchema,
): Operation {
  return { ...get(path, summary, response), method: 'patch', body };
}

function remove(path: string, summary: string, what: NonNullable<Operation['idOf']>): Operation {
  return { ...get(path, summary, null), ...of(what), method: 'delete', success: 204 };
}

function of(
  idOf: NonNullable<Operation['idOf']>,
  ...refusals: readonly number[]
): Pick<Operation, 'idOf' | 'refusals'> {
  return { idOf, refusals: [404, ...refusals] };
}
