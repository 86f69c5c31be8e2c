import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { SessionRow } from '../core/tables.ts';
import type { Moment } from './moment.ts';
import { findScenario } from './scenarios.ts';
import { assertMayStart, assertPending, getSession, settleSession } from './session-life.ts';

/** How often another image may be taken on one session. The specification allows it and gives no number. */
export const MAX_RETRIES = 2;

/**
 * Hands in what the camera took. A usable image ends the session as its preset scenario says, or as
 * verified; after one that is not, another may be taken, until the retries are used up.
 * @throws {ServiceError} conflict when the session has ended, is blocked, or waits for a retry
 */
export function submitImage(
  db: Db,
  sessionId: string,
  quality: 'good' | 'poor',
  moment: Moment,
): SessionRow {
  const session = getSession(db, sessionId, moment);
  if (session.status === 'EXPIRED') return session;
  assertPending(session);
  assertMayStart(session);
  if (session.needsRetry) {
    throw new ServiceError('conflict', 'The last image was not usable: a retry comes first');
  }
  const preset = findScenario(session.presetOutcome ?? 'verified')?.name ?? 'verified';
  if (quality === 'good' && preset !== 'failed_image_quality') {
    return settleSession(db, sessionId, preset, moment);
  }
  if (session.retries >= MAX_RETRIES) {
    return settleSession(db, sessionId, 'failed_image_quality', moment);
  }
  return db.put('sessions', { ...session, needsRetry: true });
}

/**
 * Goes back to the camera, on the same session.
 * @throws {ServiceError} conflict when the session has ended, or the last image was usable
 */
export function retrySession(db: Db, sessionId: string, moment: Moment): SessionRow {
  const session = getSession(db, sessionId, moment);
  if (session.status === 'EXPIRED') return session;
  assertPending(session);
  if (!session.needsRetry) throw new ServiceError('conflict', 'There is no image to take again');
  return db.put('sessions', { ...session, retries: session.retries + 1, needsRetry: false });
}
