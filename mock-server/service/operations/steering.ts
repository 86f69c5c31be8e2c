import * as v from 'valibot';
import * as show from './schemas/control.ts';
import { SCENARIO_NAMES } from '../../api/scenarios.ts';
import type { Steering } from '../../api/steering.ts';
import {
  addFault,
  API_FAULTS,
  API_OPERATIONS,
  clearFaults,
  deleteFault,
  FAULT_KINDS,
  FAULT_OPERATIONS,
  WEBHOOK_FAULTS,
} from '../../rules/faults.ts';
import {
  clearNextOutcomes,
  listNextOutcomes,
  MAX_NEXT_OUTCOMES,
  queueNextOutcomes,
} from '../../rules/sessions.ts';
import { choice, optionalInteger, optionalText } from '../input/fields.ts';
import { listRequests } from '../lists.ts';
import { toFaultResource } from '../to-wire.ts';
import { op, type OperationsOf } from './operation.ts';
import { filterInteger, filterText, limit } from './queries.ts';
import { scenarioName } from './schemas/values.ts';

export const steeringOperations = {
  nextOutcomes: op({
    summary: 'List the outcomes of the next sessions',
    idOf: 'tenant',
    response: v.array(scenarioName),
    run: ({ transact }, tenantId) => transact((db) => listNextOutcomes(db, tenantId)),
  }),
  queueNextOutcomes: op({
    summary: 'Add outcomes for the next sessions',
    idOf: 'tenant',
    input: v.object({
      outcomes: v.pipe(
        v.array(choice('each value in outcomes', SCENARIO_NAMES), 'outcomes must be an array'),
        v.nonEmpty('outcomes should not be empty'),
        v.maxLength(
          MAX_NEXT_OUTCOMES,
          `outcomes must contain no more than ${MAX_NEXT_OUTCOMES} elements`,
        ),
      ),
    }),
    example: { outcomes: ['failed_age_not_met', 'verified'] },
    response: v.array(scenarioName),
    status: 201,
    refusals: [409],
    run: ({ transact }, tenantId, { outcomes }) =>
      transact((db) => queueNextOutcomes(db, tenantId, outcomes)),
  }),
  clearNextOutcomes: op({
    summary: 'Clear the outcomes of the next sessions',
    idOf: 'tenant',
    response: null,
    run: ({ transact }, tenantId) => transact((db) => clearNextOutcomes(db, tenantId)),
  }),

  faults: op({
    summary: 'List the injected faults',
    response: v.array(show.fault),
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
    response: show.fault,
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

  requests: op({
    summary: 'List requests to the API and to the hosted page’s API, newest first',
    input: v.object({
      tenantId: filterText('tenantId'),
      sessionId: filterText('sessionId'),
      operation: v.optional(choice('operation', API_OPERATIONS)),
      status: filterInteger('status', 100, 599),
      before: filterInteger('before', 1, Number.MAX_SAFE_INTEGER),
      limit,
    }),
    response: v.array(show.request),
    async run({ flushRequests, transact }, filter) {
      await flushRequests();
      return transact((db) => listRequests(db, filter));
    },
  }),
} satisfies OperationsOf<Steering>;
