import * as v from 'valibot';
import type {
  AttemptResource,
  DeliveryControl,
  DeliveryFilter,
  DeliveryResource,
  EventFilter,
  EventResource,
} from '../../api/deliveries.ts';
import { isForLegacyWebhook } from '../../rules/endpoints.ts';
import { findPlannedStart } from '../../rules/lanes.ts';
import { toEventBody } from '../../rules/payload.ts';
import type { Db } from '../../store/db.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import { toIso, toIsoOrNull } from '../../store/instant.ts';
import type { AttemptRow, DeliveryRow, EventRow } from '../../store/rows.ts';
import { choice, filterText } from '../schemas/fields.ts';
import {
  count,
  eventKind,
  id,
  instant,
  instantOrNull,
  text,
  textOrNull,
  webhookFault,
} from '../schemas/values.ts';
import { assertPage, createTextMatch, DEFAULT_LIMIT, pageFilter, take, toMatch } from './lists.ts';
import { op, type OperationsOf } from './operation.ts';

export const eventResource = v.strictObject({
  id,
  tenantId: id,
  sessionId: id,
  event: eventKind,
  createdAt: instant,
  body: textOrNull,
});

const deliveryStatus = v.picklist(['pending', 'delivered', 'undelivered', 'cancelled']);

export const deliveryResource = v.strictObject({
  id,
  eventId: id,
  event: eventKind,
  tenantId: id,
  sessionId: id,
  endpointId: textOrNull,
  url: text,
  policy: v.picklist(['durable', 'timeout', 'inline']),
  status: deliveryStatus,
  reason: textOrNull,
  createdAt: instant,
  nextAttemptAt: instantOrNull,
  waitsFor: v.nullable(v.picklist(['failures', 'retry_after', 'release'])),
  redeliveries: count,
  deliveredAt: instantOrNull,
  undeliveredAt: instantOrNull,
  attempts: v.array(
    v.strictObject({
      n: count,
      startedAt: instant,
      finishedAt: instantOrNull,
      outcome: v.nullable(v.picklist(['ok', 'reject', 'fail', 'lost'])),
      httpStatus: v.nullable(count),
      error: textOrNull,
      retryAfterMs: v.nullable(count),
      durationMs: v.nullable(count),
      hops: count,
      bodySha256: textOrNull,
      signature: textOrNull,
      fault: v.nullable(webhookFault),
    }),
  ),
});

const eventFilter = v.object({
  tenantId: filterText('tenantId'),
  sessionId: filterText('sessionId'),
  ...pageFilter,
});

export const deliveryOperations = {
  events: op({
    summary: 'List events, oldest first',
    input: eventFilter,
    response: v.array(eventResource),
    order: 'oldest first',
    run: ({ transact }, filter) =>
      transact((db) => listEvents(db, filter).map((event) => toEventResource(db, event))),
  }),
  deliveries: op({
    summary: 'List deliveries with their attempts, oldest first',
    input: v.object({
      ...eventFilter.entries,
      endpointId: filterText('endpointId'),
      status: v.optional(choice('status', deliveryStatus.options)),
      event: v.optional(choice('event', EVENT_KINDS)),
      text: filterText('text'),
    }),
    response: v.array(deliveryResource),
    order: 'oldest first',
    run: ({ transact }, filter) => transact((db) => listDeliveries(db, filter)),
  }),
} satisfies OperationsOf<DeliveryControl>;

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
  const { tenantId, sessionId, endpointId, status, event: kind, text } = filter;
  const { before, limit = DEFAULT_LIMIT } = filter;
  const match = toMatch('endpointId', endpointId);
  const rows =
    sessionId === undefined
      ? db.newest('deliveries', { match, before })
      : newestOfSession(db, sessionId, before);
  const isEventWanted = createEventMatch(db, kind, text);
  const isWanted = (delivery: DeliveryRow): boolean =>
    (tenantId === undefined || delivery.tenantId === tenantId) &&
    (endpointId === undefined || delivery.endpointId === endpointId) &&
    (status === undefined || delivery.status === status) &&
    isEventWanted(delivery);
  return take(assertPage(rows, before), limit, isWanted)
    .toReversed()
    .flatMap((delivery) => {
      const event = db.get('events', delivery.eventId);
      return event ? [toDeliveryResource(db, delivery, event)] : [];
    });
}

/** Returns a function that tells whether a delivery has the kind of event and matches the text. */
function createEventMatch(
  db: Db,
  kind: DeliveryFilter['event'],
  text = '',
): (delivery: DeliveryRow) => boolean {
  if (kind === undefined && text.trim() === '') return () => true;
  const isFound = createTextMatch(text);
  return ({ id, eventId }) => {
    const event = db.get('events', eventId);
    if (!event || (kind !== undefined && event.kind !== kind)) return false;
    const session = db.get('sessions', event.sessionId);
    return isFound([id, eventId, event.sessionId], [session?.externalUserId]);
  };
}

function newestOfSession(db: Db, sessionId: string, before?: string): DeliveryRow[] | null {
  const rows = db
    .find('events', 'sessionId', sessionId)
    .flatMap(({ id }) => db.find('deliveries', 'eventId', id));
  const end = before === undefined ? rows.length : rows.findIndex(({ id }) => id === before);
  return end < 0 ? null : rows.slice(0, end).toReversed();
}

export function toEventResource(db: Db, event: EventRow): EventResource {
  const { id, tenantId, sessionId, kind, createdAtMs } = event;
  const body = event.body ?? toUnsentBody(db, event);
  return { id, tenantId, sessionId, event: kind, createdAt: toIso(createdAtMs), body };
}

/**
 * Builds the body that an endpoint would have received, for an event that was queued for no endpoint.
 * Returns null if the event has deliveries or its session no longer exists.
 */
function toUnsentBody(db: Db, { id, sessionId, kind, createdAtMs }: EventRow): string | null {
  const session = db.get('sessions', sessionId);
  if (!session || db.find('deliveries', 'eventId', id).length > 0) return null;
  return toEventBody({ id, kind, session, nowMs: createdAtMs });
}

export function toDeliveryResource(
  db: Db,
  delivery: DeliveryRow,
  { kind, sessionId }: EventRow,
): DeliveryResource {
  const planned = findPlannedStart(db, delivery);
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: kind,
    tenantId: delivery.tenantId,
    sessionId,
    endpointId: isForLegacyWebhook(delivery) ? null : delivery.endpointId,
    url: delivery.url,
    policy: delivery.policy,
    status: delivery.status,
    reason: delivery.reason,
    createdAt: toIso(delivery.createdAtMs),
    nextAttemptAt: toIsoOrNull(planned?.atMs ?? null),
    waitsFor: planned?.waitsFor ?? null,
    redeliveries: delivery.redeliveryNo,
    deliveredAt: toIsoOrNull(delivery.deliveredAtMs),
    undeliveredAt: toIsoOrNull(delivery.undeliveredAtMs),
    attempts: db.find('attempts', 'deliveryId', delivery.id).map(toAttemptResource),
  };
}

function toAttemptResource(attempt: AttemptRow): AttemptResource {
  const { n, outcome, httpStatus, error, retryAfterMs, durationMs, hops, bodySha256 } = attempt;
  return {
    n,
    startedAt: toIso(attempt.startedAtMs),
    finishedAt: toIsoOrNull(attempt.finishedAtMs),
    outcome,
    httpStatus,
    error,
    retryAfterMs,
    durationMs,
    hops,
    bodySha256,
    signature: attempt.signature ?? null,
    fault: attempt.fault ?? null,
  };
}
