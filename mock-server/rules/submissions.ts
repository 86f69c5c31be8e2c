import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { SessionRow } from '../store/tables.ts';
import { assertActive, type Visit } from './devices.ts';
import type { Moment } from '../store/moment.ts';
import { findScenario, type ScenarioName } from '../api/scenarios.ts';
import { assertMayStart, assertPending, getSession, settleSession } from './session-life.ts';

/** Maximum number of retaken images per session. The specification allows retakes and gives no number. */
export const MAX_RETRIES = 2;

/**
 * Submits an image from the camera. A usable image applies the session's preset scenario, or verifies the
 * shopper if none is set. After an unusable image the shopper may take another, until the retries are used
 * up and the session fails. With the preset `failed_image_quality`, no image is usable.
 * @throws {ServiceError} conflict if the session has ended, if it continues on the other device, if its
 *   account is blocked, or if it needs a retry first
 */
export function submitImage(
  db: Db,
  visit: Visit,
  quality: 'good' | 'poor',
  moment: Moment,
): SessionRow {
  const { sessionId } = visit;
  const session = getSession(db, sessionId, moment);
  assertPending(session);
  assertActive(session, visit);
  assertMayStart(session);
  if (session.needsRetry) {
    throw new ServiceError('conflict', 'The last image was not usable: retry first');
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
 * Allows another image in the same session.
 * @throws {ServiceError} conflict if the session has ended, if it continues on the other device, or if it
 *   needs no retry
 */
export function retrySession(db: Db, visit: Visit, moment: Moment): SessionRow {
  const session = getSession(db, visit.sessionId, moment);
  assertPending(session);
  assertActive(session, visit);
  if (!session.needsRetry) throw new ServiceError('conflict', 'The last image needs no retry');
  return db.put('sessions', { ...session, retries: session.retries + 1, needsRetry: false });
}

/**
 * Settles the session with the outcome chosen in the sandbox's menu, without an image.
 * @throws {ServiceError} forbidden outside sandbox mode; conflict if the session continues on the other
 *   device, or for the reasons of `settleSession`
 */
export function chooseOutcome(
  db: Db,
  visit: Visit,
  outcome: ScenarioName,
  moment: Moment,
): SessionRow {
  const session = getSession(db, visit.sessionId, moment);
  assertPending(session);
  if (!session.sandboxMode) {
    throw new ServiceError('forbidden', 'The outcome can only be chosen in sandbox mode');
  }
  assertActive(session, visit);
  return settleSession(db, visit.sessionId, outcome, moment);
}
