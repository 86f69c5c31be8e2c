import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import {
  toIso,
  type ApiKey,
  type EventKind,
  type Session,
  type State,
  type Tables,
} from './model.ts';
import { checkCreateBody, checkValidateBody, Refusal, type CreateBody } from './bodies.ts';

const LIFETIME_MS = 10 * 60_000;
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/**
 * Dispatches an event of a session. `timestampMs` is null if the event gets the time of its first attempt.
 */
export type Emit = (
  session: Session,
  kind: EventKind,
  data: Record<string, unknown>,
  timestampMs: number | null,
) => void;

interface Service {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly verifyUrl: string;
}

export function createSession(
  { tables, clock, emit, verifyUrl }: Service,
  key: ApiKey,
  input: unknown,
) {
  const { account, pairId, kind } = key;
  const body = checkCreateBody(input);
  if (body.merchantId !== undefined && body.merchantId !== account.id)
    throw new Refusal(400, 'merchantId does not match the API key');
  for (const url of [body.returnUrl, body.cancelUrl]) {
    if (url !== undefined && !isAllowed(url, account.allowedDomains))
      throw new Refusal(400, 'Return URL domain not allowed');
  }
  const pair = [...tables.keys.values()].filter((other) => other.pairId === pairId);
  if (!pair.some((other) => other.kind === 'publishable' && other.active))
    throw new Refusal(
      503,
      'The launch configuration is incomplete',
      'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE',
    );
  // A browser cannot be trusted with the policy.
  const policy: Partial<CreateBody> = kind === 'secret' ? body : {};
  const now = clock.now();
  const session: Session = {
    id: randomUUID(),
    account,
    pairId,
    returnUrl: body.returnUrl,
    externalUserId: body.externalUserId ?? null,
    verificationMode: policy.verificationMode ?? account.verificationMode,
    challengeAge: policy.challengeAge ?? account.challengeAge,
    faceMatchEnabled: policy.faceMatchEnabled ?? account.faceMatchEnabled,
    sandbox: account.sandbox,
    createdAtMs: now,
    expiresAtMs: now + LIFETIME_MS,
    state: 'PENDING',
    settledAtMs: null,
    used: false,
  };
  tables.sessions.set(session.id, session);
  emit(session, 'session.started', describe(session, now), null);
  clock.at(session.expiresAtMs, () => expire(session, emit));
  const sessionToken = randomBytes(32).toString('base64url');
  return {
    sessionId: session.id,
    sessionToken,
    verifyUrl: `${verifyUrl}?sessionId=${session.id}&sessionToken=${sessionToken}`,
    expiresAt: toIso(session.expiresAtMs),
    testMode: false,
    sandboxMode: session.sandbox,
    externalUserId: session.externalUserId,
    faceMatchEnabled: session.faceMatchEnabled,
    handoffToken: randomBytes(16).toString('base64url'),
    ...(account.billingBlock && { billingBlock: account.billingBlock }),
  };
}

/** @param consumes False leaves the session unused, which the specification forbids. */
export function validateSession(
  { tables, clock }: Service,
  { account, kind }: ApiKey,
  input: unknown,
  consumes: boolean,
) {
  if (kind !== 'secret') throw new Refusal(401, 'Private API key required for session validation');
  const { sessionId } = checkValidateBody(input);
  const session = tables.sessions.get(sessionId);
  if (!session) throw new Refusal(404, 'Session not found');
  if (session.account !== account) throw new Refusal(403, 'Session does not belong to this tenant');
  if (session.used) throw new Refusal(400, 'Session has already been used');
  if (clock.now() >= session.expiresAtMs) throw new Refusal(400, 'Session has expired');
  // A pending session can be validated again when it has a result.
  session.used = consumes && session.state !== 'PENDING';
  const verified = session.state === 'VERIFIED';
  return {
    sessionId,
    merchantId: account.id,
    verified,
    accessGranted: verified,
    status: session.state.toLowerCase(),
    verificationMode: session.verificationMode,
    challengeAge: session.challengeAge,
    faceMatchEnabled: session.faceMatchEnabled,
    externalUserId: session.externalUserId,
    testMode: false,
    timestamp: toIso(session.settledAtMs ?? clock.now()),
    expiresAt: toIso(session.expiresAtMs),
  };
}

export type Outcome = 'verified' | 'failed' | 'cancelled';
const RESULTS: Record<Outcome, { state: State; kind: EventKind; reason?: string }> = {
  verified: { state: 'VERIFIED', kind: 'verification.completed' },
  failed: { state: 'FAILED', kind: 'verification.failed', reason: 'age_not_met' },
  cancelled: { state: 'CANCELLED', kind: 'verification.cancelled', reason: 'cancelled' },
};

/** Ends a pending session with a result. A settled session keeps its first result. */
export function settleSession({ clock, emit }: Service, session: Session, outcome: Outcome): void {
  if (session.state !== 'PENDING') return;
  const { state, kind, reason } = RESULTS[outcome];
  const now = clock.now();
  session.state = state;
  session.settledAtMs = now;
  const { sessionId, ...rest } = describe(session, now);
  const data = { sessionId, verified: outcome === 'verified', ...(reason && { reason }), ...rest };
  emit(session, kind, data, now);
}

function expire(session: Session, emit: Emit): void {
  if (session.state !== 'PENDING') return;
  session.state = 'EXPIRED';
  const { expiresAtMs } = session;
  const data = { ...describe(session, expiresAtMs), expiresAt: toIso(expiresAtMs) };
  emit(session, 'session.timeout', data, expiresAtMs);
}

/** Returns the fields that the data of every event has. */
function describe(session: Session, occurredAtMs: number) {
  const { id: sessionId, verificationMode, challengeAge, externalUserId } = session;
  return {
    sessionId,
    verificationMode,
    challengeAge,
    timestamp: toIso(occurredAtMs),
    ...(externalUserId !== null && { externalUserId }),
  };
}

function isAllowed(text: string, domains: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  return LOCAL_HOSTS.includes(hostname) || domains.includes(hostname);
}
