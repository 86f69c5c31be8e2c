import * as v from 'valibot';
import type { FaultControl, FaultResource } from '../../api/faults.ts';
import { addFault, clearFaults, deleteFault } from '../../rules/faults.ts';
import { toIso } from '../../store/instant.ts';
import {
  API_FAULTS,
  API_OPERATIONS,
  FAULT_KINDS,
  FAULT_OPERATIONS,
  type FaultRow,
  WEBHOOK_FAULTS,
} from '../../store/rows.ts';
import { choice, optionalInteger, optionalText } from '../schemas/fields.ts';
import { count, faultKind, faultOperation, id, instant, textOrNull } from '../schemas/values.ts';
import { op, type OperationsOf } from './operation.ts';

export const faultResource = v.strictObject({
  id,
  operation: faultOperation,
  fault: faultKind,
  tenantId: textOrNull,
  remaining: count,
  delayMs: count,
  createdAt: instant,
});

export const faultOperations = {
  faults: op({
    summary: 'List the injected faults',
    response: v.array(faultResource),
    run: ({ transact }) => transact((db) => Array.from(db.all('faults'), toFaultResource)),
  }),
  addFault: op({
    summary: 'Inject a fault into the next calls of an operation, or into the next webhooks',
    input: v.object({
      operation: choice('operation', FAULT_OPERATIONS),
      fault: choice('fault', FAULT_KINDS),
      count: optionalInteger('count', 1, 1_000_000),
      tenantId: optionalText('tenantId'),
      delayMs: optionalInteger('delayMs', 0, 600_000),
    }),
    bodyRules: {
      anyOf: [
        { properties: { operation: { enum: API_OPERATIONS }, fault: { enum: API_FAULTS } } },
        { properties: { operation: { const: 'webhook' }, fault: { enum: WEBHOOK_FAULTS } } },
      ],
    },
    example: { operation: 'validate', fault: '503', count: 2 },
    response: faultResource,
    status: 201,
    refusals: [404],
    run: ({ transact }, input) =>
      transact((db, moment) => toFaultResource(addFault(db, input, moment))),
  }),
  clearFaults: op({
    summary: 'Remove all faults',
    response: null,
    run: ({ transact }) => transact(clearFaults),
  }),
  deleteFault: op({
    summary: 'Remove a fault',
    idOf: 'fault',
    response: null,
    run: ({ transact }, id) => transact((db) => deleteFault(db, id)),
  }),
} satisfies OperationsOf<FaultControl>;

export function toFaultResource({ createdAtMs, ...fault }: FaultRow): FaultResource {
  return { ...fault, createdAt: toIso(createdAtMs) };
}
