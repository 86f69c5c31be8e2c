import * as v from 'valibot';
import { SCENARIO_NAMES } from '../../api/scenarios.ts';
import type { SessionControl } from '../../api/sessions.ts';
import { getSession, settleSession } from '../../rules/sessions.ts';
import { choice } from '../input/fields.ts';
import { listDeliveries, listEvents, listSessions } from '../lists.ts';
import { toEventResource, toSessionResource } from '../to-wire.ts';
import { op, type OperationsOf } from './operation.ts';
import { filterFlag, filterText, limit } from './queries.ts';
import * as show from './schemas/control.ts';

const STATUSES = ['pending', 'verified', 'failed', 'cancelled', 'expired'] as const;

const page = { before: filterText('before'), limit };

const eventFilter = v.object({
  tenantId: filterText('tenantId'),
  sessionId: filterText('sessionId'),
  ...page,
});

export const sessionOperations = {
  sessions: op({
    summary: 'List sessions, newest first',
    input: v.object({
      tenantId: filterText('tenantId'),
      pairId: filterText('pairId'),
      status: v.optional(choice('status', STATUSES)),
      externalUserId: filterText('externalUserId'),
      labs: filterFlag('labs'),
      ...page,
    }),
    response: v.array(show.session),
    run: ({ transact }, filter) => transact((db) => listSessions(db, filter)),
  }),
  session: op({
    summary: 'Get a session',
    idOf: 'session',
    response: show.session,
    run: ({ transact }, id) =>
      transact((db, moment) => toSessionResource(getSession(db, id, moment))),
  }),
  settle: op({
    summary: 'Settle a session without a browser',
    idOf: 'session',
    input: v.object({ outcome: choice('outcome', SCENARIO_NAMES) }),
    example: { outcome: 'verified_after_id' },
    response: show.session,
    refusals: [409],
    run: ({ transact }, sessionId, { outcome }) =>
      transact((db, moment) => toSessionResource(settleSession(db, sessionId, outcome, moment))),
  }),
  events: op({
    summary: 'List events, oldest first',
    input: eventFilter,
    response: v.array(show.event),
    order: 'oldest first',
    run: ({ transact }, filter) =>
      transact((db) => listEvents(db, filter).map((event) => toEventResource(db, event))),
  }),
  deliveries: op({
    summary: 'List deliveries with their attempts, oldest first',
    input: v.object({ ...eventFilter.entries, endpointId: filterText('endpointId') }),
    response: v.array(show.delivery),
    order: 'oldest first',
    run: ({ transact }, filter) => transact((db) => listDeliveries(db, filter)),
  }),
} satisfies OperationsOf<SessionControl>;
