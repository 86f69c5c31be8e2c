import type { Db } from '../store/db.ts';
import { EVENT_RULES } from '../store/event-kinds.ts';
import type { DeliveryRow, EventRow } from '../store/tables.ts';
import { planLane } from './lane-jobs.ts';
import { findLane, lanesOf, stopOf, toLaneId } from './lanes.ts';
import { newId, type Moment } from '../store/moment.ts';
import { routesOf } from './routes.ts';
import { DELIVERY_WINDOW_MS, INLINE_WINDOW_MS, SWEEP_BATCH } from './webhook-limits.ts';

/** The reason why an event was not delivered. */
export type GiveUpReason =
  | 'paused'
  | 'disabled'
  /** The event was not delivered within 24 hours, or an inline event within ten minutes. */
  | 'expired'
  /** The event used up the attempts of its kind. */
  | 'attempts'
  /** Inline events only: the receiver rejected the event. */
  | 'rejected'
  /** Inline events only: the service stopped during the request. */
  | 'lost';

/**
 * Creates an event's deliveries. Later changes to an endpoint's address, subscriptions or key pair do not
 * affect these deliveries.
 */
export function queueDeliveries(db: Db, event: EventRow, moment: Moment): void {
  const { nowMs, random } = moment;
  for (const { id: endpointId, url, pause } of routesOf(db, event)) {
    const isPaused = pause !== null;
    const lane = toLaneId({ endpointId, url });
    const policy = EVENT_RULES[event.kind].delivery;
    const windowMs = policy === 'inline' ? INLINE_WINDOW_MS : DELIVERY_WINDOW_MS;
    db.put('deliveries', {
      id: newId(db, 'deliveries', random),
      eventId: event.id,
      tenantId: event.tenantId,
      endpointId,
      lane,
      url,
      policy,
      status: isPaused ? 'undelivered' : 'pending',
      attempts: 0,
      baseAttempts: 0,
      nextAtMs: nowMs,
      deadlineAtMs: nowMs + windowMs,
      leaseUntilMs: null,
      leaseToken: null,
      createdAtMs: nowMs,
      deliveredAtMs: null,
      undeliveredAtMs: isPaused ? nowMs : null,
      reason: isPaused ? 'paused' : null,
      redeliveryNo: 0,
    });
    planLane(db, lane, nowMs);
  }
}

/** Ends a delivery without success. A lease is kept, because the request in flight may still succeed. */
export function giveUp(db: Db, delivery: DeliveryRow, reason: GiveUpReason, nowMs: number): void {
  db.put('deliveries', { ...delivery, status: 'undelivered', undeliveredAtMs: nowMs, reason });
}

/**
 * Ends the waiting deliveries of an endpoint that is paused, disabled or deleted. Requests in flight
 * continue, and a success still marks its delivery as delivered.
 * @param limit Maximum number of waiting deliveries to end in each lane. The lane's job ends the rest.
 */
export function sweepLanes(db: Db, endpointId: string, nowMs: number, limit = SWEEP_BATCH): void {
  for (const { id } of lanesOf(db, endpointId)) {
    sweepLane(db, id, nowMs, limit);
    planLane(db, id, nowMs);
  }
}

export function sweepLane(db: Db, laneId: string, nowMs: number, limit = SWEEP_BATCH): void {
  const lane = findLane(db, laneId);
  const stop = lane && stopOf(lane);
  if (lane && !stop) return;
  for (let swept = 0; swept < limit; swept += 1) {
    const delivery = db.first('deadlines', laneId);
    if (!delivery) break;
    end(delivery);
  }
  for (const delivery of db.queued('leases', laneId)) {
    if (delivery.status === 'pending') end(delivery);
  }

  function end(delivery: DeliveryRow): void {
    if (stop) giveUp(db, delivery, stop, nowMs);
    else db.put('deliveries', { ...delivery, status: 'cancelled' });
  }
}
