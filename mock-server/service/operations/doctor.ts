import * as v from 'valibot';
import { type Doctor, OBSERVATION_KINDS } from '../../api/doctor.ts';
import { addObservation, listObservations } from '../../rules/observations.ts';
import { getSession } from '../../rules/sessions.ts';
import { choice, optionalText, requiredInstant, requiredText } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { toObservationResource } from '../to-wire.ts';
import { examineIntegration } from './examine-integration.ts';
import { op, type OperationsOf } from './operation.ts';
import { filterFlag, filterText } from './queries.ts';
import * as show from './schemas/doctor.ts';

export const doctorOperations = {
  doctor: op({
    summary: 'Find mistakes in an integration',
    input: v.object({
      tenantId: filterText('tenantId'),
      sessionId: filterText('sessionId'),
      since: v.optional(requiredInstant('since')),
      labs: filterFlag('labs'),
    }),
    response: show.doctor,
    refusals: [404],
    run: (context, filter) => examineIntegration(context, filter),
  }),
  observations: op({
    summary: 'List the merchant’s observations, oldest first',
    response: v.array(show.observation),
    run: ({ transact }) => transact((db) => listObservations(db).map(toObservationResource)),
  }),
  addObservation: op({
    summary: 'Report an observation from the merchant’s code',
    input: v.object({
      kind: choice('kind', OBSERVATION_KINDS),
      sessionId: requiredText('sessionId'),
      eventId: optionalText('eventId'),
      at: v.nullish(requiredInstant('at')),
      by: v.nullish(
        v.pipe(
          v.string('by must be a string'),
          v.maxLength(100, 'by must be shorter than or equal to 100 characters'),
        ),
      ),
    }),
    bodyRules: {
      if: { properties: { kind: { const: 'webhook_processed' } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { eventId: { type: 'string', minLength: 1 } }, required: ['eventId'] },
    },
    example: { kind: 'access_granted', sessionId: '<sessionId>', by: 'return page' },
    response: show.observation,
    status: 201,
    refusals: [404],
    run({ transact }, { kind, sessionId, eventId, at, by }) {
      if (kind === 'webhook_processed') parseInput(processedInput, { eventId });
      return transact((db, moment) => {
        const { tenantId } = getSession(db, sessionId, moment);
        const row = addObservation(db, {
          atMs: at == null ? moment.nowMs : Date.parse(at),
          kind,
          tenantId,
          sessionId,
          eventId: eventId ?? null,
          by: by ?? null,
        });
        return toObservationResource(row);
      });
    },
  }),
} satisfies OperationsOf<Doctor>;

const processedInput = v.object({ eventId: requiredText('eventId') });
