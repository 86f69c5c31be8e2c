import { recordChange } from '../store/changes.ts';
import type { Db } from '../store/db.ts';
import type { EndpointHealthRow } from '../store/rows.ts';
import { NO_FAILURES, planLane } from './lanes.ts';
import { findWebhookHoldSinceMs, WEBHOOK_HOLD_ID, isPublic } from './webhook-hold.ts';

/** Holds back the webhooks to public addresses until {@link releaseWebhooks}, if there are such addresses. */
export function holdWebhooks(db: Db, nowMs: number): void {
  if (listPublicHosts(db).length === 0) return;
  // A snapshot of a state with a hold has the beginning of that hold.
  if (findWebhookHoldSinceMs(db) === null)
    db.put('settings', { id: WEBHOOK_HOLD_ID, value: String(nowMs) });
  for (const { id } of publicLanes(db)) planLane(db, id, nowMs);
}

/**
 * Ends the hold. Its time counts neither for the deadlines of the held deliveries nor for a pause of their
 * endpoints.
 */
export function releaseWebhooks(db: Db, nowMs: number): void {
  const sinceMs = findWebhookHoldSinceMs(db);
  if (sinceMs === null) return;
  db.delete('settings', WEBHOOK_HOLD_ID);
  recordChange(db, { kind: 'state.released' });
  for (const lane of publicLanes(db)) {
    if (nowMs > sinceMs) continueLane(db, lane, { sinceMs, nowMs });
    planLane(db, lane.id, nowMs);
  }
}

function continueLane(
  db: Db,
  lane: EndpointHealthRow,
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): void {
  // A run of failures that went on during the hold would pause the endpoint before its next request.
  db.put('endpointHealth', { ...lane, ...NO_FAILURES });
  for (const delivery of db.queued('deadlines', lane.id)) {
    const heldMs = nowMs - Math.max(sinceMs, delivery.createdAtMs);
    db.put('deliveries', {
      ...delivery,
      deadlineAtMs: delivery.deadlineAtMs + Math.max(0, heldMs),
    });
  }
}

function publicLanes(db: Db): EndpointHealthRow[] {
  return [...db.all('endpointHealth')].filter(({ url }) => isPublic(url));
}

/** Returns the public hosts that get webhooks, or for which some are queued. */
export function listPublicHosts(db: Db): string[] {
  const enabled = [...db.all('endpoints')].filter((endpoint) => endpoint.enabled);
  const queued = publicLanes(db).filter(({ id }) => db.size('deadlines', id) > 0);
  const urls = [...enabled, ...queued].map(({ url }) => url);
  return [...new Set(urls.filter(isPublic).map((url) => new URL(url).host))];
}
