import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { Device, SessionRow } from '../store/tables.ts';
import type { Moment } from '../store/moment.ts';
import { assertPending, getSession, leaveJobId } from './session-life.ts';

/** The caller of the hosted page's API. The kind of token determines the device. */
export interface Visit {
  readonly sessionId: string;
  readonly device: Device;
}

/** Time in which a closed page may come back, by reload or history, before its session is cancelled. */
export const LEAVE_GRACE_MS = 5_000;

/**
 * Records that the page is open on the device. This withdraws an earlier report that the page was closed.
 */
export function arriveAt(db: Db, { sessionId, device }: Visit): void {
  db.delete('jobs', leaveJobId(sessionId));
  const session = db.get('sessions', sessionId);
  if (session?.status !== 'PENDING' || session.openDevices.includes(device)) return;
  db.put('sessions', { ...session, openDevices: [...session.openDevices, device] });
}

/** @throws {ServiceError} conflict if the shopper continues on the other device */
export function assertActive(session: SessionRow, { device }: Visit): void {
  if (session.activeDevice === device) return;
  throw new ServiceError(
    'conflict',
    `The session is active on the ${session.activeDevice} device. To continue here, call continue on this device`,
  );
}

/** Makes this device the active one, on which the shopper continues. */
export function continueOn(db: Db, { sessionId, device }: Visit, moment: Moment): SessionRow {
  const session = getSession(db, sessionId, moment);
  if (session.status === 'EXPIRED' || session.activeDevice === device) return session;
  assertPending(session);
  return db.put('sessions', { ...session, activeDevice: device });
}

/**
 * Records that the page was closed or left. If it is still open on the other device, that device becomes
 * active. Otherwise the session is cancelled after {@link LEAVE_GRACE_MS}, unless the page comes back.
 */
export function leaveFrom(db: Db, { sessionId, device }: Visit, moment: Moment): SessionRow {
  const session = getSession(db, sessionId, moment);
  if (session.status !== 'PENDING') return session;
  const openDevices = session.openDevices.filter((open) => open !== device);
  const [other] = openDevices;
  if (other === undefined) {
    const dueMs = moment.nowMs + LEAVE_GRACE_MS;
    db.put('jobs', { id: leaveJobId(sessionId), kind: 'leave', dueMs, ref: sessionId });
  }
  const activeDevice = other ?? session.activeDevice;
  return db.put('sessions', { ...session, openDevices, activeDevice });
}
