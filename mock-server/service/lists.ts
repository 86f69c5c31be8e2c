import type { KeyPairResource } from '../api/keys.ts';
import type {
  DeliveryFilter,
  DeliveryResource,
  EventFilter,
  SessionFilter,
  SessionResource,
} from '../api/sessions.ts';
import type { RequestFilter, RequestResource } from '../api/steering.ts';
import { isLabSession } from '../doctor/labs.ts';
import { listPairs } from '../rules/keys.ts';
import { getTenant } from '../rules/tenants.ts';
import type { RequestRow } from '../store/capped-tables.ts';
import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { SessionRow } from '../store/tables.ts';
import type { DeliveryRow, EventRow } from '../store/webhook-rows.ts';
import {
  toDeliveryResource,
  toKeyPairResource,
  toRequestResource,
  toSessionResource,
} from './to-wire.ts';

const DEFAULT_LIMIT = 100;

export function listKeyPairs(db: Db, tenantId: string): KeyPairResource[] {
  return listPairs(db, getTenant(db, tenantId).id).map(toKeyPairResource);
}

/** Lists sessions, newest first. */
export function listSessions(db: Db, filter: SessionFilter): SessionResource[] {
  const { tenantId, pairId, status, externalUserId, labs = true } = filter;
  const { before, limit = DEFAULT_LIMIT } = filter;
  const match = toMatch('tenantId', tenantId);
  const rows = assertPage(db.newest('sessions', { match, before }), before);
  const isWanted = (session: SessionRow): boolean =>
    (pairId === undefined || session.pairId === pairId) &&
    (status === undefined || session.status.toLowerCase() === status) &&
    (externalUserId === undefined || session.externalUserId === externalUserId) &&
    (labs || !isLabSession(session));
  return take(rows, limit, isWanted).map(toSessionResource);
}

/** Lists events, oldest first. */
export function listEvents(
  db: Db,
  { tenantId, sessionId, before, limit = DEFAULT_LIMIT }: EventFilter,
): EventRow[] {
  const match = toMatch('sessionId', sessionId) ?? toMatch('tenantId', tenantId);
  const rows = assertPage(db.newest('events', { match, before }), before);
  const isWanted = (event: EventRow): boolean =>
    tenantId === undefined || event.tenantId === tenantId;
  return take(rows, limit, isWanted).toReversed();
}

/** Lists deliveries with all their attempts, oldest first. */
export function listDeliveries(db: Db, filter: DeliveryFilter): DeliveryResource[] {
  const { tenantId, sessionId, endpointId, before, limit = DEFAULT_LIMIT } = filter;
  const match = toMatch('endpointId', endpointId);
  const rows =
    sessionId === undefined
      ? db.newest('deliveries', { match, before })
      : newestOfSession(db, sessionId, before);
  const isWanted = (delivery: DeliveryRow): boolean =>
    (tenantId === undefined || delivery.tenantId === tenantId) &&
    (endpointId === undefined || delivery.endpointId === endpointId);
  return take(assertPage(rows, before), limit, isWanted)
    .toReversed()
    .flatMap((delivery) => {
      const event = db.get('events', delivery.eventId);
      return event ? [toDeliveryResource(db, delivery, event)] : [];
    });
}

function newestOfSession(db: Db, sessionId: string, before?: string): DeliveryRow[] | null {
  const rows = db
    .find('events', 'sessionId', sessionId)
    .flatMap(({ id }) => db.find('deliveries', 'eventId', id));
  const end = before === undefined ? rows.length : rows.findIndex(({ id }) => id === before);
  return end < 0 ? null : rows.slice(0, end).toReversed();
}

function toMatch<Column extends string>(column: Column, value: string | undefined) {
  return value === undefined ? undefined : { column, value };
}

/**
 * @throws {ServiceError} invalid_body if `rows` is null, which means that `before` is unknown. An empty
 *   page instead would end the paging without an error.
 */
function assertPage<T>(rows: Iterable<T> | null, before: string | undefined): Iterable<T> {
  if (rows) return rows;
  const sentence = `before must be the id of an item of this list, got "${before}"`;
  throw new ServiceError('invalid_body', sentence, [sentence]);
}

/** Returns the first `limit` matching rows. Stops iterating as soon as it has them. */
function take<T>(rows: Iterable<T>, limit: number, isWanted: (row: T) => boolean): T[] {
  const taken: T[] = [];
  for (const row of rows) {
    if (taken.length >= limit) break;
    if (isWanted(row)) taken.push(row);
  }
  return taken;
}

/** Lists requests, newest first. */
export function listRequests(
  db: Db,
  { before = Infinity, limit = 100, ...filter }: RequestFilter = {},
): RequestResource[] {
  return [...db.all('requests')]
    .filter((row) => row.no < before && isWantedRequest(row, filter))
    .sort((a, b) => b.no - a.no)
    .slice(0, limit)
    .map(toRequestResource);
}

type WantedRequests = Omit<RequestFilter, 'before' | 'limit'>;

function isWantedRequest(row: RequestRow, wanted: WantedRequests): boolean {
  const { tenantId, sessionId, operation, status } = wanted;
  return (
    (tenantId === undefined || row.tenantId === tenantId) &&
    (sessionId === undefined || row.sessionId === sessionId) &&
    (operation === undefined || row.operation === operation) &&
    (status === undefined || row.status === status)
  );
}
