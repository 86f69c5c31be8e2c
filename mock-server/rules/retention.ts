import type { Db } from '../store/db.ts';
import type { SessionRow } from '../store/tables.ts';
import { REDELIVERY_WINDOW_MS } from './webhook-limits.ts';

/**
 * Age at which an ended session and its events are deleted. An event that is exactly as old as the window of
 * redelivery can still be redelivered, so it is kept for one more millisecond.
 */
export const RETENTION_MS = REDELIVERY_WINDOW_MS + 1;

/** Maximum number of sessions that one transaction examines. */
const BATCH = 200;

/** Minimum time between two passes. */
const INTERVAL_MS = 3_600_000;

const JOB_ID = 'retain';

/** Schedules the deletion of old records, unless it is already scheduled. */
export function planRetention(db: Db, nowMs: number): void {
  if (!db.get('jobs', JOB_ID)) putJob(db, nowMs + RETENTION_MS);
}

/**
 * Deletes the oldest sessions whose retention has ended, with their events, deliveries, attempts, requests
 * and observations. Each call examines one batch and schedules a job for the next batch or the next pass. A
 * pass examines each session at most once.
 * @param keptId The id of the last session that this pass has kept. Any other value starts a new pass.
 */
export function dropOldRecords(db: Db, keptId: string, nowMs: number): void {
  const over: SessionRow[] = [];
  let lastKeptId = keptId;
  let examined = 0;
  for (const session of db.all('sessions', keptId)) {
    // Sessions are sorted by age, so all remaining ones are younger.
    if (session.createdAtMs > nowMs - RETENTION_MS) break;
    examined += 1;
    if (isOver(db, session, nowMs)) over.push(session);
    else lastKeptId = session.id;
    if (examined === BATCH) break;
  }
  for (const session of over) dropSession(db, session);
  if (examined === BATCH) return putJob(db, nowMs + 1, lastKeptId);
  const [oldest] = db.all('sessions');
  if (oldest) putJob(db, Math.max(nowMs + INTERVAL_MS, oldest.createdAtMs + RETENTION_MS));
}

function putJob(db: Db, dueMs: number, ref = JOB_ID): void {
  db.put('jobs', { id: JOB_ID, kind: 'retain', dueMs, ref });
}

/**
 * Tells whether a session can be deleted: it and its events must be old enough, and no delivery may be
 * queued or in progress.
 */
function isOver(db: Db, session: SessionRow, nowMs: number): boolean {
  const isOld = (atMs: number): boolean => atMs <= nowMs - RETENTION_MS;
  if (session.settledAtMs === null || !isOld(session.settledAtMs)) return false;
  // If a timeout was processed late, its event is younger than the end of the session.
  return db
    .find('events', 'sessionId', session.id)
    .every(
      ({ id, createdAtMs }) =>
        isOld(createdAtMs) &&
        db
          .find('deliveries', 'eventId', id)
          .every(({ status, leaseUntilMs }) => status !== 'pending' && leaseUntilMs === null),
    );
}

function dropSession(db: Db, { id }: SessionRow): void {
  for (const event of db.find('events', 'sessionId', id)) {
    for (const delivery of db.find('deliveries', 'eventId', event.id)) {
      for (const attempt of db.find('attempts', 'deliveryId', delivery.id))
        db.delete('attempts', attempt.id);
      db.delete('deliveries', delivery.id);
    }
    db.delete('events', event.id);
  }
  for (const request of db.find('requests', 'sessionId', id)) db.delete('requests', request.id);
  for (const observation of db.find('observations', 'sessionId', id))
    db.delete('observations', observation.id);
  db.delete('sessions', id);
}
