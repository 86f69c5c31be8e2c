import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { EventRow } from '../core/tables.ts';
import { listPairs } from '../rules/keys.ts';
import { getTenant } from '../rules/tenants.ts';
import {
  toDeliveryResource,
  toKeyPairResource,
  toSessionResource,
  type DeliveryResource,
  type KeyPairResource,
  type SessionResource,
} from './resources.ts';

export interface SessionFilter {
  tenantId?: string | undefined;
  pairId?: string | undefined;
  status?: SessionResource['status'] | undefined;
  externalUserId?: string | undefined;
  /** Only sessions that were created before the one with this id. */
  before?: string | undefined;
  /** The newest so many. @default 100 */
  limit?: number | undefined;
}

export interface EventFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  /** Only what came before the one with this id. */
  before?: string | undefined;
  /** The newest so many. @default 100 */
  limit?: number | undefined;
}

export interface DeliveryFilter extends EventFilter {
  endpointId?: string | undefined;
}

const DEFAULT_LIMIT = 100;

export function listKeyPairs(db: Db, tenantId: string): KeyPairResource[] {
  return listPairs(db, getTenant(db, tenantId).id).map(toKeyPairResource);
}

/** Newest first. */
export function listSessions(db: Db, filter: SessionFilter): SessionResource[] {
  const { tenantId, pairId, status, externalUserId, before, limit = DEFAULT_LIMIT } = filter;
  const rows =
    tenantId === undefined ? [...db.all('sessions')] : db.find('sessions', 'tenantId', tenantId);
  const found: SessionResource[] = [];
  for (let at = endOf(rows, before) - 1; at >= 0 && found.length < limit; at -= 1) {
    const session = rows[at];
    if (!session) continue;
    if (pairId !== undefined && session.pairId !== pairId) continue;
    if (status !== undefined && session.status.toLowerCase() !== status) continue;
    if (externalUserId !== undefined && session.externalUserId !== externalUserId) continue;
    found.push(toSessionResource(session));
  }
  return found;
}

/** Oldest first. */
export function listEvents(
  db: Db,
  { tenantId, sessionId, before, limit = DEFAULT_LIMIT }: EventFilter,
): EventRow[] {
  const rows =
    sessionId === undefined ? [...db.all('events')] : db.find('events', 'sessionId', sessionId);
  return newest(
    rows
      .slice(0, endOf(rows, before))
      .filter((event) => tenantId === undefined || event.tenantId === tenantId),
    limit,
  );
}

/** Oldest first, with every attempt. */
export function listDeliveries(db: Db, filter: DeliveryFilter): DeliveryResource[] {
  const { tenantId, sessionId, endpointId, before, limit = DEFAULT_LIMIT } = filter;
  const rows =
    sessionId === undefined
      ? [...db.all('deliveries')]
      : db
          .find('events', 'sessionId', sessionId)
          .flatMap(({ id }) => db.find('deliveries', 'eventId', id));
  const wanted = rows
    .slice(0, endOf(rows, before))
    .filter(
      (delivery) =>
        (tenantId === undefined || delivery.tenantId === tenantId) &&
        (endpointId === undefined || delivery.endpointId === endpointId),
    );
  return newest(wanted, limit).flatMap((delivery) => {
    const event = db.get('events', delivery.eventId);
    return event ? [toDeliveryResource(db, delivery, event)] : [];
  });
}

/**
 * Where a page ends that goes up to a row.
 * @throws {ServiceError} invalid_body when the row is not there: an empty page would end the paging in silence
 */
function endOf(rows: readonly { readonly id: string }[], before: string | undefined): number {
  if (before === undefined) return rows.length;
  const at = rows.findLastIndex(({ id }) => id === before);
  if (at >= 0) return at;
  const sentence = `before must be the id of an item of this list, got "${before}"`;
  throw new ServiceError('invalid_body', sentence, [sentence]);
}

function newest<T>(rows: T[], limit: number): T[] {
  return rows.slice(Math.max(0, rows.length - limit));
}
