import type { DoctorFilter, DoctorReport } from '../control/doctor.ts';
import { listDeliveries, listSessions } from '../control/lists.ts';
import { toObservationResource } from '../control/observations.ts';
import { listRequests } from '../control/requests.ts';
import { toEndpointResource, toSessionResource, toTenantResource } from '../control/resources.ts';
import { toLegacyResource } from '../control/webhook-resources.ts';
import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import { toCalls } from '../doctor/calls.ts';
import { examine } from '../doctor/examine.ts';
import type { Hook, Records } from '../doctor/records.ts';
import type { Moment } from '../core/moment.ts';
import { listObservations } from '../requests/observations.ts';
import { countForgottenRequests } from '../requests/request-log.ts';
import { getSession } from '../sessions/session-life.ts';
import { getTenant } from '../accounts/tenants.ts';
import { endpointsOf } from '../webhooks/endpoints.ts';
import { findLegacyWebhook } from '../webhooks/legacy-webhook.ts';
import type { Context } from './context.ts';

/** Maximum number of sessions and deliveries to examine. */
const MAX_EXAMINED = 1_000;

/** Reads the recorded data of an integration and examines it. */
export async function examineIntegration(
  { transact, flushRequests }: Pick<Context, 'transact' | 'flushRequests'>,
  filter: DoctorFilter,
): Promise<DoctorReport> {
  await flushRequests();
  const { forgottenRequests, ...all } = await transact((db, moment) => ({
    ...readRecords(db, filter, moment),
    forgottenRequests: countForgottenRequests(db),
  }));
  const { calls, sessions, deliveries, observations } = all;
  const times = [
    ...[calls, observations].flatMap((list) => list.slice(0, 1).map(({ at }) => at)),
    ...[sessions, deliveries].flatMap((list) => list.slice(0, 1).map(({ createdAt }) => createdAt)),
  ];
  return {
    checkedAt: new Date(all.nowMs).toISOString(),
    seen: {
      requests: calls.length,
      sessions: sessions.length,
      deliveries: deliveries.length,
      observations: observations.length,
      since: times.toSorted()[0] ?? null,
      forgottenRequests,
    },
    findings: examine(all),
  };
}

function isWanted(wanted: string | undefined, value: string | null): boolean {
  return wanted === undefined || wanted === value;
}

/**
 * @throws {ServiceError} not_found or session_not_found if the account or session of the filter does not
 *   exist
 */
function readRecords(db: Db, { tenantId, sessionId }: DoctorFilter, moment: Moment): Records {
  const { nowMs } = moment;
  const session = sessionId === undefined ? null : getSession(db, sessionId, moment);
  if (session && !isWanted(tenantId, session.tenantId))
    throw new ServiceError('session_not_found', 'Session not found');
  const wantedId = session?.tenantId ?? tenantId;
  const tenants = wantedId === undefined ? [...db.all('tenants')] : [getTenant(db, wantedId)];
  const filter = { tenantId, limit: MAX_EXAMINED };
  return {
    nowMs,
    tenants: tenants.map(toTenantResource),
    sessions: session ? [toSessionResource(session)] : listSessions(db, filter).toReversed(),
    deliveries: listDeliveries(db, { ...filter, sessionId }),
    hooks: tenants.flatMap(({ id }) => listHooks(db, id, nowMs)),
    // A request whose key was not accepted belongs to no account.
    calls: toCalls(listRequests(db, { limit: Infinity })).filter(
      (call) =>
        isWanted(sessionId, call.sessionId) &&
        (call.tenantId === null || isWanted(tenantId, call.tenantId)),
    ),
    observations: listObservations(db)
      .filter((row) => isWanted(tenantId, row.tenantId) && isWanted(sessionId, row.sessionId))
      .map(toObservationResource),
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
