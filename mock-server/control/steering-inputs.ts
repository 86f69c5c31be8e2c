import * as v from 'valibot';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../rules/faults.ts';
import { choice, optionalInteger, optionalText } from '../rules/fields.ts';
import { MAX_NEXT_OUTCOMES } from '../rules/next-outcomes.ts';
import { SCENARIO_NAMES } from '../rules/scenarios.ts';
import type { FaultInput } from './steering.ts';

export const nextOutcomesInput = v.object({
  outcomes: v.pipe(
    v.array(choice('each value in outcomes', SCENARIO_NAMES), 'outcomes must be an array'),
    v.nonEmpty('outcomes should not be empty'),
    v.maxLength(
      MAX_NEXT_OUTCOMES,
      `outcomes must contain no more than ${MAX_NEXT_OUTCOMES} elements`,
    ),
  ),
});

export const faultInput = v.object({
  operation: choice('operation', FAULT_OPERATIONS),
  fault: choice('fault', FAULT_KINDS),
  count: optionalInteger('count', 1, 1_000_000),
  tenantId: optionalText('tenantId'),
  delayMs: optionalInteger('delayMs', 0, 600_000),
});

/** Fails to compile when a type promises what its schema would refuse. */
type Accepts<S extends v.GenericSchema, T extends v.InferInput<S>> = [S, T];
export type SteeringInputsAreAccepted = [Accepts<typeof faultInput, FaultInput>];
