import * as v from 'valibot';
import type { Doctor, DoctorFilter, DoctorReport, ObservationResource } from '../../api/doctor.ts';
import type { RequestResource } from '../../api/requests.ts';
import { toCalls } from '../../doctor/calls.ts';
import { DOCTOR_CODES, examine } from '../../doctor/examine.ts';
import { UNTRIED_CODES } from '../../doctor/untried.ts';
import {
  type Hook,
  isDemoHook,
  isExaminedReport,
  isFromOtherSite,
  isLabHook,
  isLabReport,
  isLabRequest,
  isLabSession,
  type Records,
} from '../../doctor/records.ts';
import { endpointsOf, findLegacyWebhook } from '../../rules/endpoints.ts';
import { getSession } from '../../rules/sessions.ts';
import { getTenant } from '../../rules/tenants.ts';
import type { Db, Moment } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import { toIso } from '../../store/instant.ts';
import { OBSERVATION_KINDS, type ObservationRow } from '../../store/observations.ts';
import { countForgottenRequests } from '../request-recorder.ts';
import {
  choice,
  filterFlag,
  filterText,
  optionalText,
  requiredInstant,
  requiredText,
} from '../schemas/fields.ts';
import { parseInput } from '../schemas/parse-input.ts';
import {
  count,
  id,
  instant,
  instantOrNull,
  scenarioName,
  text,
  textOrNull,
} from '../schemas/values.ts';
import { toTenantResource } from './accounts.ts';
import { listDeliveries } from './deliveries.ts';
import { toEndpointResource } from './endpoints.ts';
import { type Context, op, type OperationsOf } from './operation.ts';
import { selectReports } from './reports.ts';
import { listRequests } from './requests.ts';
import { listSessions, toSessionResource } from './sessions.ts';
import { toLegacyResource } from './webhooks.ts';

const observationResource = v.strictObject({
  id: count,
  at: instant,
  kind: v.picklist(OBSERVATION_KINDS),
  tenantId: id,
  sessionId: id,
  eventId: textOrNull,
  by: textOrNull,
});

const evidence = v.strictObject({
  kind: v.picklist(['request', 'session', 'delivery', 'endpoint', 'observation', 'report']),
  id,
  at: instant,
  text,
  sessionId: textOrNull,
});

const finding = v.strictObject({
  code: v.picklist(DOCTOR_CODES),
  severity: v.picklist(['problem', 'warning', 'ok']),
  title: text,
  detail: text,
  why: text,
  advice: text,
  lastSeenAt: instantOrNull,
  evidence: v.array(evidence),
});

const doctorReport = v.strictObject({
  checkedAt: instant,
  seen: v.strictObject({
    requests: count,
    sessions: count,
    deliveries: count,
    observations: count,
    since: instantOrNull,
    forgottenRequests: count,
    labSessions: count,
  }),
  findings: v.array(finding),
  earlier: v.array(finding),
  untried: v.array(
    v.strictObject({
      code: v.picklist(UNTRIED_CODES),
      title: text,
      advice: text,
      command: textOrNull,
      outcome: v.nullable(scenarioName),
      url: textOrNull,
    }),
  ),
});

export const doctorOperations = {
  doctor: op({
    summary: 'Find mistakes in an integration',
    input: v.object({
      tenantId: filterText('tenantId'),
      sessionId: filterText('sessionId'),
      since: v.optional(requiredInstant('since')),
      labs: filterFlag('labs'),
    }),
    response: doctorReport,
    refusals: [404],
    run: (context, filter) => examineIntegration(context, filter),
  }),
  observations: op({
    summary: 'List the merchant’s observations, oldest first',
    response: v.array(observationResource),
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
    response: observationResource,
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

export function toObservationResource(row: ObservationRow): ObservationResource {
  const { no, atMs, kind, tenantId, sessionId, eventId, by } = row;
  return { id: no, at: toIso(atMs), kind, tenantId, sessionId, eventId, by };
}

/** Maximum number of sessions, and of deliveries, to examine. */
const MAX_EXAMINED = 1_000;

async function examineIntegration(
  { transact, flushRequests }: Pick<Context, 'transact' | 'flushRequests'>,
  filter: DoctorFilter,
): Promise<DoctorReport> {
  await flushRequests();
  const { forgottenRequests, labSessions, ...all } = await transact((db, moment) => ({
    ...readRecords(db, filter, moment),
    forgottenRequests: countForgottenRequests(db),
  }));
  const { calls, sessions, deliveries, observations } = all;
  const times = [
    ...[calls, observations].flatMap((list) => list.slice(0, 1).map(({ at }) => at)),
    ...[sessions, deliveries].flatMap((list) => list.slice(0, 1).map(({ createdAt }) => createdAt)),
  ];
  const report = examine(all);
  return {
    checkedAt: toIso(all.nowMs),
    seen: {
      requests: calls.length,
      sessions: sessions.length,
      deliveries: deliveries.length,
      observations: observations.length,
      since: times.toSorted()[0] ?? null,
      forgottenRequests,
      labSessions,
    },
    ...report,
    // A single session cannot try everything.
    untried: filter.sessionId === undefined ? report.untried : [],
  };
}

/** The records to examine, and the number of sessions of the labs that were left out. */
interface Examined extends Records {
  readonly labSessions: number;
}

/**
 * @throws {ServiceError} not_found or session_not_found if the account or session of the filter does not
 *   exist, or if the session belongs to a different account
 */
function readRecords(db: Db, filter: DoctorFilter, moment: Moment): Examined {
  const { tenantId, sessionId, labs = false } = filter;
  const { nowMs } = moment;
  const session = sessionId === undefined ? null : getSession(db, sessionId, moment);
  if (session && !isWanted(tenantId, session.tenantId))
    throw new ServiceError('session_not_found', 'Session not found');
  const wantedId = session?.tenantId ?? tenantId;
  const rows = wantedId === undefined ? [...db.all('tenants')] : [getTenant(db, wantedId)];
  const tenants = rows.map((tenant) => toTenantResource(db, tenant));
  const listed = { tenantId, limit: MAX_EXAMINED };
  const isFromTool = (table: 'sessions' | 'requests', id: string | number): boolean =>
    db.get(table, String(id))?.isFromTool === true;
  const requests = listRequests(db, { limit: Infinity }).filter(
    (request) =>
      !isFromTool('requests', request.id) && (session !== null || labs || !isLabRequest(request)),
  );
  const sessions = session ? [toSessionResource(session)] : listSessions(db, listed).toReversed();
  const isForeign = (request: RequestResource): boolean => isFromOtherSite(request, tenants);
  // A request whose key is unknown belongs to no account. It may have been meant for any account that
  // existed at that time.
  const allCalls = toCalls(requests.filter((request) => !isForeign(request))).filter((call) =>
    call.tenantId === null
      ? rows.some(({ createdAtMs }) => call.atMs >= createdAtMs)
      : isWanted(tenantId, call.tenantId),
  );
  const records: Records = {
    nowMs,
    tenants,
    sessions: sessions.map((one) => ({ ...one, isFromTool: isFromTool('sessions', one.id) })),
    deliveries: listDeliveries(db, { ...listed, sessionId }),
    hooks: tenants.flatMap(({ id }) => listHooks(db, id, nowMs)),
    demoTenantIds: [],
    calls: allCalls.filter((call) => isWanted(sessionId, call.sessionId)),
    hasServerCalled: allCalls.some(({ key }) => key === 'secret'),
    since: null,
    foreignCalls: session ? [] : toCalls(requests.filter(isForeign)),
    observations: listObservations(db)
      .filter((row) => isWanted(tenantId, row.tenantId) && isWanted(sessionId, row.sessionId))
      .map(toObservationResource),
    reports: selectReports(db, { tenantId, sessionId, limit: Infinity })
      .filter((report) => report.tenantId !== null && isExaminedReport(report))
      .toReversed(),
  };
  // A session that the filter names is always examined.
  if (session) return { ...records, labSessions: 0 };
  const { since } = filter;
  if (since === undefined) return leaveOut(db, records, filter);
  const lastBeforeAt = findLastBefore(leaveOut(db, records, { labs }), Date.parse(since));
  return leaveOut(db, { ...records, since: { at: since, lastBeforeAt } }, filter);
}

/** Returns the time of the newest record before a time, or null if there are none. */
function findLastBefore(
  { calls, sessions, deliveries, reports }: Records,
  beforeMs: number,
): string | null {
  const times = [
    ...calls.map(({ at }) => at),
    ...sessions.map(({ createdAt }) => createdAt),
    ...deliveries.flatMap(({ attempts }) => attempts.map(({ startedAt }) => startedAt)),
    ...reports.map(({ at }) => at),
  ];
  return (
    times
      .filter((at) => Date.parse(at) < beforeMs)
      .toSorted()
      .at(-1) ?? null
  );
}

function isWanted(wanted: string | undefined, value: string | null): boolean {
  return wanted === undefined || wanted === value;
}

/**
 * Leaves out the sessions that the filter excludes and the records about them, requests and observations
 * from before `since` and, unless `labs` is set, the endpoints of the playground with their deliveries.
 */
function leaveOut(db: Db, records: Records, { since, labs = false }: DoctorFilter): Examined {
  const sinceMs = since === undefined ? -Infinity : Date.parse(since);
  const isSince = (at: string): boolean => Date.parse(at) >= sinceMs;
  const isExamined = (sessionId: string | null): boolean => {
    const session = sessionId === null ? undefined : db.get('sessions', sessionId);
    return !session || (session.createdAtMs >= sinceMs && (labs || !isLabSession(session)));
  };
  const isOwn = (hook: Pick<Hook, 'url'>): boolean =>
    labs || !(isLabHook(hook) || isDemoHook(hook));
  const { calls, foreignCalls, sessions, deliveries, hooks, observations, reports } = records;
  return {
    ...records,
    foreignCalls: foreignCalls.filter(({ at }) => isSince(at)),
    calls: calls.filter(({ at, sessionId }) => isSince(at) && isExamined(sessionId)),
    sessions: sessions.filter(({ id }) => isExamined(id)),
    deliveries: deliveries.filter((one) => isExamined(one.sessionId) && isOwn(one)),
    hooks: hooks.filter(isOwn),
    demoTenantIds: hooks
      .filter((hook) => !labs && hook.enabled && isDemoHook(hook))
      .map((hook) => hook.tenantId),
    observations: observations.filter(({ at, sessionId }) => isSince(at) && isExamined(sessionId)),
    reports: reports.filter(
      (report) =>
        isSince(report.at) && isExamined(report.sessionId) && (labs || !isLabReport(report)),
    ),
    labSessions: sessions.filter(
      (session) => !labs && isLabSession(session) && isSince(session.createdAt),
    ).length,
  };
}

function listHooks(db: Db, tenantId: string, nowMs: number): Hook[] {
  const endpoints = endpointsOf(db, tenantId);
  const legacy = endpoints.length === 0 ? findLegacyWebhook(db, tenantId) : undefined;
  return [
    ...endpoints.map((endpoint) => toEndpointResource(db, endpoint, nowMs)),
    ...(legacy ? [{ ...toLegacyResource(db, legacy, nowMs), id: tenantId, enabled: true }] : []),
  ];
}

const MAX_OBSERVATIONS = 500;

/** Adds an observation, and drops the oldest beyond {@link MAX_OBSERVATIONS}. */
function addObservation(db: Db, observation: Omit<ObservationRow, 'id' | 'no'>): ObservationRow {
  const known = listObservations(db);
  const no = (known.at(-1)?.no ?? 0) + 1;
  for (const { id } of known.slice(0, 1 - MAX_OBSERVATIONS)) db.delete('observations', id);
  return db.put('observations', { id: String(no), no, ...observation });
}

/** Lists the observations, oldest first. */
function listObservations(db: Db): ObservationRow[] {
  // A snapshot may have them in any order.
  return [...db.all('observations')].sort((a, b) => a.no - b.no);
}
