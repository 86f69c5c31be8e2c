import * as v from 'valibot';
import { SCENARIO_NAMES } from '../../api/scenarios.ts';
import type { SessionControl, SessionFilter, SessionResource } from '../../api/sessions.ts';
import {
  clearNextOutcomes,
  getSession,
  listNextOutcomes,
  MAX_NEXT_OUTCOMES,
  queueNextOutcomes,
  settleSession,
} from '../../rules/sessions.ts';
import type { Db } from '../../store/db.ts';
import { toIso, toIsoOrNull } from '../../store/instant.ts';
import type { SessionRow } from '../../store/rows.ts';
import {
  choice,
  filterFlag,
  filterInteger,
  filterText,
  requiredInstant,
} from '../schemas/fields.ts';
import {
  age,
  billingBlock,
  count,
  device,
  flag,
  id,
  instant,
  instantOrNull,
  mode,
  scenarioName,
  status,
  text,
  textOrNull,
} from '../schemas/values.ts';
import { assertPage, DEFAULT_LIMIT, pageFilter, take, toMatch } from './lists.ts';
import { op, type OperationsOf } from './operation.ts';
import {
  countSessions,
  createPeriodMatch,
  createSessionMatch,
  sessionStatistics,
  toStatus,
} from './session-search.ts';

export const sessionResource = v.strictObject({
  id,
  tenantId: id,
  pairId: id,
  status,
  createdAt: instant,
  expiresAt: instant,
  settledAt: instantOrNull,
  validatedAt: instantOrNull,
  reason: textOrNull,
  returnUrl: text,
  cancelUrl: textOrNull,
  pageOrigin: textOrNull,
  merchantName: textOrNull,
  externalUserId: textOrNull,
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
  sandboxMode: flag,
  billingBlock: v.nullable(billingBlock),
  retries: count,
  needsRetry: flag,
  activeDevice: device,
  openDevices: v.array(device),
  presetOutcome: textOrNull,
  steps: v.array(
    v.strictObject({
      at: instant,
      kind: v.picklist(['image_refused', 'retried', 'continued']),
      device,
    }),
  ),
});

/** The fields of a filter that select sessions. */
const sessionSearch = {
  tenantId: filterText('tenantId'),
  pairId: filterText('pairId'),
  status: v.optional(choice('status', status.options)),
  externalUserId: filterText('externalUserId'),
  text: filterText('text'),
  reason: filterText('reason'),
  from: v.optional(requiredInstant('from')),
  to: v.optional(requiredInstant('to')),
  labs: filterFlag('labs'),
};

export const sessionOperations = {
  sessions: op({
    summary: 'List sessions, newest first',
    input: v.object({ ...sessionSearch, ...pageFilter }),
    response: v.array(sessionResource),
    run: ({ transact }, filter) => transact((db) => listSessions(db, filter)),
  }),
  session: op({
    summary: 'Get a session',
    idOf: 'session',
    response: sessionResource,
    run: ({ transact }, id) =>
      transact((db, moment) => toSessionResource(getSession(db, id, moment))),
  }),
  sessionStatistics: op({
    summary: 'Count all sessions that match a filter',
    input: v.object({
      ...sessionSearch,
      stepMs: filterInteger('stepMs', 1, Number.MAX_SAFE_INTEGER),
    }),
    response: sessionStatistics,
    run: ({ transact }, filter) => transact((db, { nowMs }) => countSessions(db, filter, nowMs)),
  }),
  settle: op({
    summary: 'Settle a session without a browser',
    idOf: 'session',
    input: v.object({ outcome: choice('outcome', SCENARIO_NAMES) }),
    example: { outcome: 'verified_after_id' },
    response: sessionResource,
    refusals: [409],
    run: ({ transact }, sessionId, { outcome }) =>
      transact((db, moment) => toSessionResource(settleSession(db, sessionId, outcome, moment))),
  }),

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
} satisfies OperationsOf<SessionControl>;

/** Lists sessions, newest first. */
export function listSessions(db: Db, filter: SessionFilter): SessionResource[] {
  const { before, limit = DEFAULT_LIMIT } = filter;
  const match = toMatch('tenantId', filter.tenantId);
  const rows = assertPage(db.newest('sessions', { match, before }), before);
  const isFound = createSessionMatch(filter);
  const isInPeriod = createPeriodMatch(filter);
  const isWanted = (session: SessionRow): boolean => isInPeriod(session) && isFound(session);
  return take(rows, limit, isWanted).map(toSessionResource);
}

export function toSessionResource(session: SessionRow): SessionResource {
  const { createdAtMs, expiresAtMs, settledAtMs, validatedAtMs, ...others } = session;
  const { isFromTool: _isFromTool, steps = [], ...rest } = others;
  return {
    ...rest,
    status: toStatus(session),
    createdAt: toIso(createdAtMs),
    expiresAt: toIso(expiresAtMs),
    settledAt: toIsoOrNull(settledAtMs),
    validatedAt: toIsoOrNull(validatedAtMs),
    steps: steps.map(({ atMs, ...step }) => ({ at: toIso(atMs), ...step })),
  };
}
