import type { Db } from '../store/db.ts';
import type { EventKind, EventRow, SessionRow } from '../store/tables.ts';
import { queueDeliveries } from './deliveries.ts';
import { newId, type Moment } from '../store/moment.ts';
import { toEventBody } from './payload.ts';
import { planRetention } from './retention.ts';

/**
 * Writes a session's event and its deliveries in the transaction that changes the session, so that they
 * become durable together. A session has each kind of event at most once.
 */
export function emitEvent(db: Db, session: SessionRow, kind: EventKind, moment: Moment): void {
  const id = newId(db, 'events', moment.random);
  const event: EventRow = {
    id,
    tenantId: session.tenantId,
    sessionId: session.id,
    pairId: session.pairId,
    kind,
    createdAtMs: moment.nowMs,
    // The body of an inline event contains the time when it is first sent.
    body: kind === 'session.started' ? null : toEventBody({ id, kind, session, ...moment }),
  };
  db.put('events', event);
  queueDeliveries(db, event, moment);
  planRetention(db, moment.nowMs);
}
