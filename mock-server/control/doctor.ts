import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { Transaction } from '../core/store.ts';
import { toCalls } from '../doctor/calls.ts';
import { examine } from '../doctor/examine.ts';
import type { DoctorFinding } from '../doctor/finding.ts';
import type { Hook, Seen } from '../doctor/seen.ts';
import type { Moment } from '../rules/moment.ts';
import { getSession } from '../rules/session-life.ts';
import { getTenant } from '../rules/tenants.ts';
import { listDeliveries, listSessions } from './lists.ts';
import {
  toObservation,
  type ObservationInput,
  type ObservationLog,
  type ObservationResource,
} from './observations.ts';
import type { RequestLog } from './request-log.ts';
import { toEndpointResource, toSessionResource, toTenantResource } from './resources.ts';
import { toLegacyResource } from './webhook-resources.ts';

export interface DoctorFilter {
  /** Only this account. Requests whose key was not accepted are nobody's, and are looked at as well. */
  tenantId?: string | undefined;
  /** Only this session, and how its account is set up. */
  sessionId?: string | undefined;
}

export interface DoctorReport {
  checkedAt: string;
  /** What the judgement is made from. */
  seen: {
    /** Requests to the API. */
    requests: number;
    sessions: number;
    deliveries: number;
    observations: number;
    /** When the oldest of these was; null when there is nothing. */
    since: string | null;
    /** How many requests to the API came before those that are kept, and are not judged. */
    forgottenRequests: number;
  };
  /** Problems first, then warnings; one that is `ok` when there is neither. */
  findings: DoctorFinding[];
}

/** What looks for mistakes of an integration. */
export interface Doctor {
  /**
   * Says what is wrong with an integration, judging by the last 500 requests to the API, the newest 1,000
   * sessions and deliveries, and what was observed.
   */
  doctor(filter?: DoctorFilter): Promise<DoctorReport>;
  /** Tells what the service cannot see: what the merchant's side did with a result. */
  addObservation(input: ObservationInput): Promise<ObservationResource>;
  /** The last 500 of these, oldest first. Kept by each process or tab for itself. */
  observations(): Promise<ObservationResource[]>;
}

export interface DoctorParts {
  transact<T>(run: Transaction<T>): Promise<T>;
  momentIn(db: Db): Moment;
  readonly requests: RequestLog;
  readonly observed: ObservationLog;
}

/** How many sessions and deliveries are looked at. */
const MAX_LOOKED_AT = 1_000;

export function createDoctor({ transact, momentIn, requests, observed }: DoctorParts): Doctor {
  return {
    async doctor(filter = {}) {
      const kept = requests.list({ limit: Infinity });
      const seen = await transact((db) => look(db, filter, momentIn(db)));
      const all: Seen = {
        ...seen,
        calls: toCalls(kept).filter(
          ({ tenantId, sessionId }) =>
            isWanted(filter.sessionId, sessionId) &&
            (tenantId === null || isWanted(filter.tenantId, tenantId)),
        ),
        observations: observed
          .list()
          .filter(
            ({ tenantId, sessionId }) =>
              isWanted(filter.tenantId, tenantId) && isWanted(filter.sessionId, sessionId),
          ),
      };
      const { calls, sessions, deliveries, observations } = all;
      const times = [
        ...[calls, observations].flatMap((list) => list.slice(0, 1).map(({ at }) => at)),
        ...[sessions, deliveries].flatMap((list) =>
          list.slice(0, 1).map(({ createdAt }) => createdAt),
        ),
      ];
      return {
        checkedAt: new Date(all.nowMs).toISOString(),
        seen: {
          requests: calls.length,
          sessions: sessions.length,
          deliveries: deliveries.length,
          observations: observations.length,
          since: times.toSorted()[0] ?? null,
          forgottenRequests: requests.forgotten,
        },
        findings: examine(all),
      };
    },
    async addObservation(input) {
      return observed.add(await transact((db) => toObservation(db, input, momentIn(db))));
    },
    observations: async () => [...observed.list()],
  };
}

function isWanted(wanted: string | undefined, value: string | null): boolean {
  return wanted === undefined || wanted === value;
}

/** @throws {ServiceError} not_found or session_not_found when the filter asks for what there is not */
function look(
  db: Db,
  { tenantId, sessionId }: DoctorFilter,
  moment: Moment,
): Omit<Seen, 'calls' | 'observations'> {
  const { nowMs } = moment;
  const session = sessionId === undefined ? null : getSession(db, sessionId, moment);
  if (session && !isWanted(tenantId, session.tenantId))
    throw new ServiceError('session_not_found', 'Session not found');
  const wantedId = session?.tenantId ?? tenantId;
  const tenants = wantedId === undefined ? [...db.all('tenants')] : [getTenant(db, wantedId)];
  const filter = { tenantId, limit: MAX_LOOKED_AT };
  return {
    nowMs,
    tenants: tenants.map(toTenantResource),
    sessions: session ? [toSessionResource(session)] : listSessions(db, filter).toReversed(),
    deliveries: listDeliveries(db, { ...filter, sessionId }),
    hooks: tenants.flatMap(({ id }) => listHooks(db, id, nowMs)),
  };
}

function listHooks(db: Db, tenantId: string, nowMs: number): Hook[] {
  const endpoints = db.find('endpoints', 'tenantId', tenantId);
  const legacy = endpoints.length === 0 ? db.get('legacyWebhooks', tenantId) : undefined;
  return [
    ...endpoints.map((endpoint) => toEndpointResource(db, endpoint, nowMs)),
    ...(legacy ? [{ ...toLegacyResource(db, legacy, nowMs), id: tenantId, enabled: true }] : []),
  ];
}
