import { findScenario, type ScenarioName } from '../api/scenarios.ts';
import type { Db, Moment } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { Device, SessionRow, SessionStep } from '../store/rows.ts';
import {
  assertMayStart,
  assertPending,
  getSession,
  leaveJobId,
  settleSession,
} from './sessions.ts';

/**
 * Maximum number of steps to keep of one session. The oldest are dropped, because a shopper can change the
 * device any number of times.
 */
const MAX_STEPS = 20;

/** Stores a session together with what the shopper did. */
function putStep(
  db: Db,
  session: SessionRow,
  kind: SessionStep['kind'],
  { nowMs: atMs }: Moment,
): SessionRow {
  const step = { kind, device: session.activeDevice, atMs };
  return db.put('sessions', {
    ...session,
    steps: [...(session.steps ?? []), step].slice(-MAX_STEPS),
  });
}

/** The caller of the hosted page's API. The kind of token determines the device. */
export interface PageCaller {
  readonly sessionId: string;
  readonly device: Device;
}

/** Time in which a closed page may come back, by reload or history, before its session is cancelled. */
export const LEAVE_GRACE_MS = 5_000;

/**
 * Records that the page is open on the device. This withdraws an earlier report that the page was closed.
 */
export function arriveAt(db: Db, { sessionId, device }: PageCaller): void {
  db.delete('jobs', leaveJobId(sessionId));
  const session = db.get('sessions', sessionId);
  if (session?.status !== 'PENDING' || session.openDevices.includes(device)) return;
  db.put('sessions', { ...session, openDevices: [...session.openDevices, device] });
}

/** @throws {ServiceError} conflict if the shopper continues on the other device */
function assertActive(session: SessionRow, { device }: PageCaller): void {
  if (session.activeDevice === device) return;
  throw new ServiceError(
    'conflict',
    `The session is active on the ${session.activeDevice} device. To continue here, call continue on this device`,
  );
}

/** Makes this device the active one, on which the shopper continues. */
export function continueOn(db: Db, { sessionId, device }: PageCaller, moment: Moment): SessionRow {
  const session = getSession(db, sessionId, moment);
  if (session.status === 'EXPIRED' || session.activeDevice === device) return session;
  assertPending(session);
  return putStep(db, { ...session, activeDevice: device }, 'continued', moment);
}

/**
 * Records that the page was closed or left. If it is still open on the other device, that device becomes
 * active. Otherwise the session is cancelled after {@link LEAVE_GRACE_MS}, unless the page comes back.
 */
export function leaveFrom(db: Db, { sessionId, device }: PageCaller, moment: Moment): SessionRow {
  const session = getSession(db, sessionId, moment);
  if (session.status !== 'PENDING') return session;
  const openDevices = session.openDevices.filter((open) => open !== device);
  const [other] = openDevices;
  if (other === undefined) {
    const dueMs = moment.nowMs + LEAVE_GRACE_MS;
    db.put('jobs', { id: leaveJobId(sessionId), kind: 'leave', dueMs, ref: sessionId });
  }
  const left = { ...session, openDevices, activeDevice: other ?? session.activeDevice };
  if (left.activeDevice === session.activeDevice) return db.put('sessions', left);
  return putStep(db, left, 'continued', moment);
}

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
  caller: PageCaller,
  quality: 'good' | 'poor',
  moment: Moment,
): SessionRow {
  const { sessionId } = caller;
  const session = getSession(db, sessionId, moment);
  assertPending(session);
  assertActive(session, caller);
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
  return putStep(db, { ...session, needsRetry: true }, 'image_refused', moment);
}

/**
 * Allows another image in the same session.
 * @throws {ServiceError} conflict if the session has ended, if it continues on the other device, or if it
 *   needs no retry
 */
export function retrySession(db: Db, caller: PageCaller, moment: Moment): SessionRow {
  const session = getSession(db, caller.sessionId, moment);
  assertPending(session);
  assertActive(session, caller);
  if (!session.needsRetry) throw new ServiceError('conflict', 'The last image needs no retry');
  const retried = { ...session, retries: session.retries + 1, needsRetry: false };
  return putStep(db, retried, 'retried', moment);
}

/**
 * Settles the session with the outcome chosen in the sandbox's menu, without an image.
 * @throws {ServiceError} forbidden outside sandbox mode; conflict if the session continues on the other
 *   device, or for the reasons of `settleSession`
 */
export function chooseOutcome(
  db: Db,
  caller: PageCaller,
  outcome: ScenarioName,
  moment: Moment,
): SessionRow {
  const session = getSession(db, caller.sessionId, moment);
  assertPending(session);
  if (!session.sandboxMode) {
    throw new ServiceError('forbidden', 'The outcome can only be chosen in sandbox mode');
  }
  assertActive(session, caller);
  return settleSession(db, caller.sessionId, outcome, moment);
}
