import { BRAND } from '../api/brand.ts';
import type { Db } from '../store/db.ts';
import type { PauseReason } from '../store/tables.ts';
import { sweepLanes } from './deliveries.ts';
import { findLane, healthOf, NO_FAILURES, type Lane } from './lanes.ts';
import { findPauseReason, pauseTimerMs } from './pacing.ts';
import { membersOf } from './tenants.ts';

/** Pauses the endpoint if its failures, including the one just added, have lasted long enough. */
export function pauseAfterFailure(db: Db, lane: Lane, nowMs: number): void {
  const reason = findPauseReason(lane, healthOf(db, lane.id), nowMs);
  if (reason) pause(db, lane, reason, nowMs);
}

/** Pauses the endpoint after a day of failures, even if no request fails at that moment. */
export function pauseByTimer(db: Db, laneId: string, nowMs: number): void {
  const lane = findLane(db, laneId);
  if (!lane) return;
  const timerMs = pauseTimerMs(lane, healthOf(db, laneId));
  if (timerMs !== null && nowMs >= timerMs) pause(db, lane, 'failing', nowMs);
}

/** Ends a pause. Only new events are sent. Undelivered events stay undelivered. */
export function resume(db: Db, { id, endpoint }: Lane, nowMs: number): void {
  // Ends the remaining deliveries first, because they would be sent once the pause has ended.
  sweepLanes(db, endpoint.id, nowMs, Infinity);
  db.put('endpoints', { ...endpoint, pause: null });
  db.put('endpointHealth', {
    ...healthOf(db, id),
    ...NO_FAILURES,
    holdUntilMs: null,
  });
}

/** Pauses the endpoint and adds a notice and, if the account has owners or admins, one email to them. */
function pause(db: Db, { endpoint }: Lane, reason: PauseReason, nowMs: number): void {
  const { id: endpointId, tenantId, url } = endpoint;
  db.put('endpoints', { ...endpoint, pause: { atMs: nowMs, reason } });

  let pauseNo = 1;
  while (db.get('notices', `${endpointId}:${pauseNo}`)) pauseNo += 1;
  const id = `${endpointId}:${pauseNo}`;
  const text = toText(url, reason);
  const shared = { id, tenantId, text, createdAtMs: nowMs };
  db.put('notices', { ...shared, endpointId, url, reason });
  const to = membersOf(db, tenantId)
    .filter(({ role }) => role === 'owner' || role === 'admin')
    .map(({ email }) => email);
  if (to.length > 0)
    db.put('emails', { ...shared, to, subject: `${BRAND} paused your webhooks to ${url}` });
  sweepLanes(db, endpointId, nowMs);
}

function toText(url: string, reason: PauseReason): string {
  const why =
    reason === 'rejecting'
      ? 'the endpoint has rejected every request for an hour'
      : 'no request to the endpoint has succeeded for 24 hours';
  return (
    `Webhooks to ${url} are paused: ${why}. New events are recorded as not delivered. ` +
    'Correct the endpoint, then choose Test and resume. After that, Redeliver sends the missed events of the last seven days.'
  );
}
