import { randomBytes } from 'node:crypto';
import { parseCreateBody, parseValidateBody, Refusal } from './bodies.ts';
import { createSession, toIso, type ApiKey, type Service, type Session } from './state.ts';

const VERIFY_URL = 'https://verify.second.example/start';
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

export function startSession(service: Service, key: ApiKey, input: unknown) {
  const { clock, keys, sessions } = service;
  const { account, pairId } = key;
  const body = parseCreateBody(input);
  if (body.merchantId !== undefined && body.merchantId !== account.id)
    throw new Refusal(400, 'merchantId does not match the API key');
  for (const url of [body.returnUrl, body.cancelUrl]) {
    if (url !== undefined && !isAllowed(url, account.allowedDomains))
      throw new Refusal(400, 'Return URL domain not allowed');
  }
  const pair = [...keys.values()].filter((other) => other.pairId === pairId);
  if (!pair.some(({ isSecret, isActive }) => !isSecret && isActive)) {
    const code = 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE';
    throw new Refusal(503, 'The launch configuration is incomplete', code);
  }
  const session = createSession(key, body, clock.now());
  const { id: sessionId, expiresAtMs, externalUserId, policy } = session;
  sessions.set(sessionId, session);
  clock.at(expiresAtMs, () => expire(session));
  const sessionToken = randomBytes(32).toString('base64url');
  return {
    sessionId,
    sessionToken,
    verifyUrl: `${VERIFY_URL}?sessionId=${sessionId}&sessionToken=${sessionToken}`,
    expiresAt: toIso(expiresAtMs),
    testMode: false,
    sandboxMode: account.sandboxMode,
    externalUserId,
    faceMatchEnabled: policy.faceMatchEnabled,
    handoffToken: randomBytes(16).toString('base64url'),
    billingBlock: account.billingBlock,
  };
}

export function validateSession(service: Service, key: ApiKey, input: unknown) {
  const { clock, sessions, grantsTwice } = service;
  if (!key.isSecret) throw new Refusal(401, 'Private API key required for session validation');
  const { sessionId } = parseValidateBody(input);
  const session = sessions.get(sessionId);
  if (!session) throw new Refusal(404, 'Session not found');
  if (session.account !== key.account)
    throw new Refusal(403, 'Session does not belong to this tenant');
  if (session.isUsed) throw new Refusal(400, 'Session has already been used');
  if (clock.now() >= session.expiresAtMs) throw new Refusal(400, 'Session has expired');
  const { status, policy, externalUserId, settledAtMs, expiresAtMs } = session;
  // A pending session can be validated again when it has a result.
  session.isUsed = status !== 'pending' && !grantsTwice;
  return {
    sessionId,
    merchantId: key.account.id,
    verified: status === 'verified',
    accessGranted: status === 'verified',
    status,
    ...policy,
    externalUserId,
    testMode: false,
    timestamp: toIso(settledAtMs ?? clock.now()),
    expiresAt: toIso(expiresAtMs),
  };
}

type Result = 'verified' | 'failed' | 'cancelled';

/** Ends a pending session, as the hosted page does. A settled session keeps its first result. */
export function settleSession(service: Service, session: Session, status: Result): void {
  if (session.status !== 'pending') return;
  session.status = status;
  session.settledAtMs = service.clock.now();
}

function expire(session: Session): void {
  if (session.status === 'pending') session.status = 'expired';
}

function isAllowed(text: string, domains: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  return LOCAL_HOSTS.includes(hostname) || domains.includes(hostname);
}
