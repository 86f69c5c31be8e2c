import { findScenario, type ScenarioName, toPresetOutcome } from '../api/scenarios.ts';
import { recordChange } from '../store/changes.ts';
import { type Db, type Moment, newId } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { eventOf } from '../store/event-kinds.ts';
import type { JobHandler } from '../store/jobs.ts';
import type { Random } from '../store/random.ts';
import type { SessionRow, SessionStatus, VerificationMode } from '../store/rows.ts';
import { isAllowedUrl } from './allowed-domains.ts';
import { emitEvent } from './deliveries.ts';
import { type Caller, hasActivePublishableKey } from './keys.ts';
import { getTenant } from './tenants.ts';
import { REDELIVERY_WINDOW_MS } from './webhook-limits.ts';

const SESSION_LIFETIME_MS = 600_000;

/** The input for a new session: the validated body of a create request, and what else is known about it. */
export interface NewSession {
  readonly merchantId?: string | null | undefined;
  readonly returnUrl: string;
  readonly cancelUrl?: string | null | undefined;
  readonly merchantName?: string | null | undefined;
  readonly externalUserId?: string | null | undefined;
  readonly verificationMode?: VerificationMode | null | undefined;
  readonly challengeAge?: number | null | undefined;
  readonly faceMatchEnabled?: boolean | null | undefined;
  /** The `Origin` of the request. The hosted page sends its messages to it too, if the account allows it. */
  readonly pageOrigin?: string | null;
  /** If false, the account's queue of next outcomes is not used. */
  readonly takesNextOutcome?: boolean;
  /** True if the mock creates the session for a tool, and not for the merchant. */
  readonly isFromTool?: boolean;
}

/** Creates a session. All checks are made before the first write. */
export function createSession(
  db: Db,
  caller: Caller,
  input: NewSession,
  moment: Moment,
): SessionRow {
  const { key, tenant } = caller;
  assertMayCreate(db, caller, input);
  // Policy in a request with a publishable key is ignored. Only a secret key may override the account's
  // policy.
  const override = key.kind === 'secret' ? input : ({} as Partial<NewSession>);
  const faceMatchEnabled = override.faceMatchEnabled ?? tenant.policy.faceMatchEnabled;
  const externalUserId = input.externalUserId ?? null;
  const takesQueued = input.takesNextOutcome !== false;
  const preset = findPresetOutcome(db, tenant.id, externalUserId, takesQueued);
  assertCanHappen(preset, faceMatchEnabled);
  if (preset.isQueued) dropNextOutcome(db, tenant.id);

  const session: SessionRow = {
    id: newId(db, 'sessions', moment.random),
    tenantId: tenant.id,
    pairId: key.pairId,
    status: 'PENDING',
    createdAtMs: moment.nowMs,
    expiresAtMs: moment.nowMs + SESSION_LIFETIME_MS,
    settledAtMs: null,
    validatedAtMs: null,
    reason: null,
    returnUrl: input.returnUrl,
    cancelUrl: input.cancelUrl ?? null,
    pageOrigin: toAllowedOrigin(input.pageOrigin, tenant.allowedDomains),
    merchantName: input.merchantName ?? null,
    externalUserId,
    verificationMode: override.verificationMode ?? tenant.policy.verificationMode,
    challengeAge: override.challengeAge ?? tenant.policy.challengeAge,
    faceMatchEnabled,
    sandboxMode: tenant.sandboxMode,
    billingBlock: tenant.billingBlock,
    presetOutcome: preset.scenario,
    retries: 0,
    needsRetry: false,
    activeDevice: 'first',
    openDevices: [],
    ...(input.isFromTool === true && { isFromTool: true }),
  };
  db.put('sessions', session);
  scheduleExpiry(db, session);
  emitEvent(db, session, 'session.started', moment);
  planRetention(db, moment.nowMs);
  return session;
}

/** @throws {ServiceError} if the account, its keys or its domains do not allow this session. */
function assertMayCreate(db: Db, { key, tenant }: Caller, input: NewSession): void {
  if (typeof input.merchantId === 'string' && input.merchantId !== tenant.id) {
    throw new ServiceError(
      'merchant_mismatch',
      'merchantId does not match the authenticated API key',
    );
  }
  if (!isAllowedUrl(input.returnUrl, tenant.allowedDomains)) {
    throw new ServiceError('return_url_not_allowed', 'Return URL domain not allowed');
  }
  // The specification has this rule only for returnUrl, but cancelUrl redirects the same shopper.
  if (typeof input.cancelUrl === 'string' && !isAllowedUrl(input.cancelUrl, tenant.allowedDomains))
    throw new ServiceError('return_url_not_allowed', 'Cancel URL domain not allowed');
  if (!hasActivePublishableKey(db, key.pairId)) {
    throw new ServiceError(
      'launch_configuration_unavailable',
      'The session cannot be launched: its API key pair has no active publishable key',
    );
  }
}

/** Returns the origin, or null if the account's pages cannot have it. Then its page learns nothing. */
function toAllowedOrigin(
  origin: string | null | undefined,
  allowedDomains: readonly string[],
): string | null {
  return origin != null && isAllowedUrl(origin, allowedDomains) ? new URL(origin).origin : null;
}

function scheduleExpiry(db: Db, { id: ref, expiresAtMs: dueMs }: SessionRow): void {
  // Sessions created at the same instant expire in the order of their creation. In the order of their
  // random ids, a million expiries would access memory at random, which doubles their cost.
  const rank = db.count('sessions');
  db.put('jobs', { id: deadlineJobId(ref), kind: 'deadline', dueMs, ref, rank });
}

/**
 * Returns the result of a session for the merchant's server. Reading a settled result consumes it. Reading
 * a pending one does not.
 *
 * From `expiresAt` on, a result that was not read before is refused as expired, even if the session was
 * settled in time. The specification is ambiguous here. Code that handles this stricter reading also works
 * with the lenient one.
 */
export function validateSession(
  db: Db,
  { tenant }: Caller,
  sessionId: string,
  moment: Moment,
): SessionRow {
  const found = db.get('sessions', sessionId);
  if (!found) throw new ServiceError('session_not_found', 'Session not found');
  if (found.tenantId !== tenant.id) {
    throw new ServiceError('wrong_tenant', 'Session does not belong to this tenant');
  }
  if (found.validatedAtMs !== null) {
    throw new ServiceError('session_used', 'Session has already been used');
  }
  const session = expireIfOver(db, found, moment);
  if (session.status === 'EXPIRED' || moment.nowMs >= session.expiresAtMs) {
    throw new ServiceError('session_expired', 'Session has expired');
  }
  if (session.status === 'PENDING') return session;
  return db.put('sessions', { ...session, validatedAtMs: moment.nowMs });
}

/** The scenario that is set for a new session in advance, and its source. */
interface PresetOutcome {
  readonly scenario: string | null;
  readonly isQueued: boolean;
}

/** Finds the scenario that the `externalUserId` names, or else the first of the account's queue. */
function findPresetOutcome(
  db: Db,
  tenantId: string,
  externalUserId: string | null,
  takesQueued: boolean,
): PresetOutcome {
  const named = toPresetOutcome(externalUserId);
  // If the caller names a scenario, the queue is left unchanged for other sessions.
  const queued = named === null && takesQueued ? peekNextOutcome(db, tenantId) : null;
  return { scenario: named ?? queued, isQueued: queued !== null };
}

/**
 * Refuses a scenario that is impossible for the session. Otherwise every usable image would be refused.
 * @throws {ServiceError} invalid_body
 */
function assertCanHappen({ scenario, isQueued }: PresetOutcome, faceMatchEnabled: boolean): void {
  if (scenario === null || faceMatchEnabled || !findScenario(scenario)?.needsFaceMatch) return;
  const source = isQueued ? 'The next outcome of the account is' : 'externalUserId names';
  throw new ServiceError(
    'invalid_body',
    `${source} the scenario ${scenario}, which needs a session with face match enabled`,
  );
}

/** Maximum length of an account's queue. Only a runaway loop would need more. */
export const MAX_NEXT_OUTCOMES = 1_000;

/** Lists the queued scenarios for the account's next sessions, in order. */
export function listNextOutcomes(db: Db, tenantId: string): ScenarioName[] {
  const { scenarios = [] } = db.get('outcomeQueues', getTenant(db, tenantId).id) ?? {};
  return scenarios.flatMap((name) => findScenario(name)?.name ?? []);
}

/** Adds scenarios to the end of the account's queue. Returns the whole queue. */
export function queueNextOutcomes(
  db: Db,
  tenantId: string,
  scenarios: readonly ScenarioName[],
): ScenarioName[] {
  const queue = [...listNextOutcomes(db, tenantId), ...scenarios];
  if (queue.length > MAX_NEXT_OUTCOMES) {
    throw new ServiceError(
      'conflict',
      `An account can have at most ${MAX_NEXT_OUTCOMES} queued outcomes`,
    );
  }
  db.put('outcomeQueues', { id: tenantId, scenarios: queue });
  recordChange(db, {
    kind: 'outcome.queued',
    tenantId,
    subject: scenarios.join(', '),
    amount: scenarios.length,
  });
  return queue;
}

export function clearNextOutcomes(db: Db, tenantId: string): void {
  const queue = db.get('outcomeQueues', getTenant(db, tenantId).id);
  if (!queue) return;
  db.delete('outcomeQueues', tenantId);
  recordChange(db, { kind: 'outcome.cleared', tenantId, amount: queue.scenarios.length });
}

function peekNextOutcome(db: Db, tenantId: string): string | null {
  return db.get('outcomeQueues', tenantId)?.scenarios[0] ?? null;
}

function dropNextOutcome(db: Db, tenantId: string): void {
  const [, ...scenarios] = db.get('outcomeQueues', tenantId)?.scenarios ?? [];
  if (scenarios.length === 0) db.delete('outcomeQueues', tenantId);
  else db.put('outcomeQueues', { id: tenantId, scenarios });
}

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
function expireIfOver(db: Db, session: SessionRow, moment: Moment): SessionRow {
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
function deadlineJobId(sessionId: string): string {
  return `deadline:${sessionId}`;
}

/** Returns the id of the job that cancels a session after its page was closed. */
export function leaveJobId(sessionId: string): string {
  return `leave:${sessionId}`;
}

/**
 * Creates the handlers of the sessions' scheduled jobs: the deadline after ten minutes, the end of the
 * grace period of a closed page, and the deletion of old records.
 */
export function createSessionJobs(
  random: Random,
): Record<'deadline' | 'leave' | 'retain', JobHandler> {
  return {
    deadline(db, { ref }, nowMs) {
      const session = db.get('sessions', ref);
      if (session) expireIfOver(db, session, { nowMs, random });
      return undefined;
    },
    leave(db, { ref }, nowMs) {
      const moment = { nowMs, random };
      const session = db.get('sessions', ref);
      // The job may run late. At or after the deadline, the session expires instead of being cancelled.
      if (session && expireIfOver(db, session, moment).status === 'PENDING')
        settleSession(db, ref, 'cancelled', moment);
      return undefined;
    },
    retain(db, { ref }, nowMs) {
      dropOldRecords(db, ref, nowMs);
      return undefined;
    },
  };
}

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
function planRetention(db: Db, nowMs: number): void {
  if (!db.get('jobs', JOB_ID)) putJob(db, nowMs + RETENTION_MS);
}

/**
 * Deletes the oldest sessions whose retention has ended, with their events, deliveries, attempts, requests,
 * observations and reports. Each call examines one batch and schedules a job for the next batch or the next pass. A
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
  for (const report of db.find('reports', 'sessionId', id)) db.delete('reports', report.id);
  db.delete('sessions', id);
}
