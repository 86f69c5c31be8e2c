import * as v from 'valibot';
import { EVENT_KINDS } from '../rules/endpoints.ts';
import { choice, optionalText } from '../rules/fields.ts';
import { SCENARIO_NAMES } from '../rules/scenarios.ts';
import type { ExplainInput, TriggerInput } from './input-types.ts';

export const explainInput = v.object({
  // An empty body is a body, and a frequent fault.
  body: v.string('body must be a string'),
  headers: v.nullish(
    v.record(
      v.string(),
      v.string('each value in headers must be a string'),
      'headers must be an object',
    ),
  ),
  signature: optionalText('signature'),
  secret: optionalText('secret'),
  tenantId: optionalText('tenantId'),
});

export const triggerInput = v.object({
  name: choice('name', [...SCENARIO_NAMES, ...EVENT_KINDS]),
  tenantId: optionalText('tenantId'),
  externalUserId: optionalText('externalUserId'),
});

/** Fails to compile when a type promises what its schema would refuse. */
type Accepts<S extends v.GenericSchema, T extends v.InferInput<S>> = [S, T];
export type WebhookInputTypesAreAccepted = [
  Accepts<typeof explainInput, ExplainInput>,
  Accepts<typeof triggerInput, TriggerInput>,
];
