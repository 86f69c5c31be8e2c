import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { SessionRow, VerificationMode } from '../store/tables.ts';
import { isAllowedUrl } from './allowed-domains.ts';
import { emitEvent } from './events.ts';
import { hasActivePublishableKey, type Caller } from './keys.ts';
import { newId, type Moment } from '../store/moment.ts';
import { dropNextOutcome } from './next-outcomes.ts';
import { assertCanHappen, findPresetOutcome } from './preset-outcome.ts';
import { deadlineJobId, expireIfOver } from './session-life.ts';

const SESSION_LIFETIME_MS = 600_000;

/** The input for a new session: the validated body of a create request, and one internal flag. */
export interface NewSession {
  readonly merchantId?: string | null | undefined;
  readonly returnUrl: string;
  readonly cancelUrl?: string | null | undefined;
  readonly merchantName?: string | null | undefined;
  readonly externalUserId?: string | null | undefined;
  readonly verificationMode?: VerificationMode | null | undefined;
  readonly challengeAge?: number | null | undefined;
  readonly faceMatchEnabled?: boolean | null | undefined;
  /** If false, the account's queue of next outcomes is not used. */
  readonly takesNextOutcome?: boolean;
}

/** Creates a session. All checks are made before the first write. */
export function createSession(
  db: Db,
  caller: Caller,
  input: NewSession,
  moment: Moment,
): SessionRow {
  const { key, tenant } = caller;
  assertMayStart(db, caller, input);
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
  };
  db.put('sessions', session);
  scheduleExpiry(db, session);
  emitEvent(db, session, 'session.started', moment);
  return session;
}

/** @throws {ServiceError} if the account, its keys or its domains do not allow this session. */
function assertMayStart(db: Db, { key, tenant }: Caller, input: NewSession): void {
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
