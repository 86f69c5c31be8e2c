import type * as v from 'valibot';
import { legacyInput } from '../../control/inputs.ts';
import { explainInput, triggerInput } from '../../control/webhook-inputs.ts';
import { list, session } from './control-schemas.ts';
import type { Method, Operation } from './operation.ts';
import * as show from './webhook-schemas.ts';

/** What the dashboard's webhook buttons do. */
export const webhookOperations: readonly Operation[] = [
  {
    ...on('post', '/webhook-endpoints/{id}/test', 'Send a test event', show.test),
    ...of('endpoint', 409),
  },
  {
    ...on('post', '/webhook-endpoints/{id}/resume', 'Test, and end the pause', show.test),
    ...of('endpoint', 409),
  },
  {
    ...on('post', '/webhook-endpoints/{id}/redeliver', 'Send what is missing', show.redelivery),
    ...of('endpoint', 409),
  },
  {
    ...on('get', '/tenants/{id}/legacy-webhook', 'The single webhook', show.legacyWebhook),
    ...of('legacy'),
  },
  {
    ...on('put', '/tenants/{id}/legacy-webhook', 'Set the single webhook', show.legacyWebhook),
    ...of('tenant'),
    body: legacyInput,
    example: { url: 'https://shop.example/legacy', events: ['session.timeout'] },
  },
  {
    ...on('post', '/tenants/{id}/legacy-webhook/migrate', 'Make it an endpoint', show.endpoint),
    ...of('legacy', 409),
    success: 201,
  },
  {
    ...on('delete', '/tenants/{id}/legacy-webhook', 'Delete the single webhook', null),
    ...of('legacy'),
    success: 204,
  },
  on('get', '/emails', 'What was mailed to owners and admins', list(show.email)),
  on('get', '/notices', 'What the dashboard says about pauses', list(show.notice)),
  {
    ...on('post', '/webhooks/explain', 'Why a signature does not verify', show.explanation),
    body: explainInput,
    example: { body: '{}', signature: `sha256=${'0'.repeat(64)}` },
  },
  {
    ...on('post', '/events/trigger', 'Make an event happen', session),
    body: triggerInput,
    example: { name: 'verification.completed', externalUserId: 'anna' },
    success: 201,
    refusals: [404, 409],
  },
];

function on(
  method: Method,
  path: string,
  summary: string,
  response: v.GenericSchema | null,
): Operation {
  return {
    method,
    path: `/control/v1${path}`,
    summary,
    security: 'loopback',
    success: 200,
    response,
    refusals: [],
  };
}

function of(
  idOf: NonNullable<Operation['idOf']>,
  ...refusals: readonly number[]
): Pick<Operation, 'idOf' | 'refusals'> {
  return { idOf, refusals: [404, ...refusals] };
}
