import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { eventOf } from '../store/event-kinds.ts';
import type { SessionRow, SessionStatus } from '../store/tables.ts';
import { emitEvent } from './events.ts';
import type { Moment } from '../store/moment.ts';
import { findScenario, type ScenarioName } from '../api/scenarios.ts';

/**
 * Settles a session with a scenario's outcome.
 * @throws {ServiceError} session_not_found; conflict if the session has ended or expired. If the scenario
 *   verifies or fails the session, also conflict if its account is blocked, or if the scenario needs face
 *   match and the session has none
 */
export function settleSession(
  db: Db,
  sessionId: string,
  name: ScenarioName,
  moment: Moment,
): SessionRow {
  const session = getSession(db, sessionId, moment);
  const scenario = findScenario(name);
  if (!scenario) throw new RangeError(`Unknown scenario "${name}"`);
  assertPending(session);
  switch (scenario.outcome) {
    case 'pending':
      return session;
    case 'expired':
      // Sets the deadline to now, so that the response, the event and validate are consistent.
      return expireIfOver(db, { ...session, expiresAtMs: moment.nowMs }, moment);
    case 'cancelled':
      return endSession(db, session, 'CANCELLED', scenario.reason, moment);
    case 'verified':
    case 'failed':
      assertMayStart(session);
      if (scenario.needsFaceMatch && !session.faceMatchEnabled) {
        throw new ServiceError('conflict', `${name} needs a session with face match enabled`);
      }
      return endSession(
        db,
        session,
        scenario.outcome === 'verified' ? 'VERIFIED' : 'FAILED',
        scenario.reason,
        moment,
      );
  }
}

/**
 * Returns the session in its current state. A session past its deadline is expired first, even if its job
 * has not run yet.
 */
export function getSession(db: Db, sessionId: string, moment: Moment): SessionRow {
  const session = db.get('sessions', sessionId);
  if (!session) throw new ServiceError('session_not_found', 'Session not found');
  return expireIfOver(db, session, moment);
}

/** Expires a pending session whose deadline has passed. */
export function expireIfOver(db: Db, session: SessionRow, moment: Moment): SessionRow {
  if (session.status !== 'PENDING' || moment.nowMs < session.expiresAtMs) return session;
  return endSession(db, session, 'EXPIRED', null, moment);
}

/** Ends a pending session. This is the only transition from PENDING, and all other statuses are final. */
function endSession(
  db: Db,
  session: SessionRow,
  status: Exclude<SessionStatus, 'PENDING'>,
  reason: string | null,
  moment: Moment,
): SessionRow {
  const settledAtMs = status === 'EXPIRED' ? session.expiresAtMs : moment.nowMs;
  const ended = db.put('sessions', { ...session, status, reason, settledAtMs, needsRetry: false });
  db.delete('jobs', deadlineJobId(session.id));
  db.delete('jobs', leaveJobId(session.id));
  emitEvent(db, ended, eventOf(status), moment);
  return ended;
}

/** @throws {ServiceError} conflict if the account's billing blocks the verification */
export function assertMayStart(session: SessionRow): void {
  if (!session.billingBlock) return;
  throw new ServiceError('conflict', 'Verification cannot start: the account is blocked');
}

/** @throws {ServiceError} conflict if the session has ended */
export function assertPending(session: SessionRow): void {
  if (session.status === 'PENDING') return;
  throw new ServiceError(
    'conflict',
    `The session is no longer pending: its status is ${session.status.toLowerCase()}`,
  );
}

/** Returns the id of the job that expires a session at its deadline. */
export function deadlineJobId(sessionId: string): string {
  return `deadline:${sessionId}`;
}

/** Returns the id of the job that cancels a session after its page was closed. */
export function leaveJobId(sessionId: string): string {
  return `leave:${sessionId}`;
}
