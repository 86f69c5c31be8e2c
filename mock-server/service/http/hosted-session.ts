import { MAX_RETRIES } from '../../rules/hosted-page.ts';
import type { SessionRow } from '../../store/tables.ts';
import type { TokenHolder } from './session-tokens.ts';

/** Returns the session as the hosted page shows it, with the URLs to send the shopper to at the end. */
export function toHostedSession(
  session: SessionRow,
  { device, handoffToken }: TokenHolder,
  verifyUrl: string,
  nowMs: number,
): object {
  return {
    sessionId: session.id,
    status: session.status.toLowerCase(),
    merchantName: session.merchantName,
    verificationMode: session.verificationMode,
    challengeAge: session.challengeAge,
    faceMatchEnabled: session.faceMatchEnabled,
    sandboxMode: session.sandboxMode,
    externalUserId: session.externalUserId,
    returnUrl: session.returnUrl,
    cancelUrl: session.cancelUrl,
    expiresAt: new Date(session.expiresAtMs).toISOString(),
    now: new Date(nowMs).toISOString(),
    settledAt: session.settledAtMs === null ? null : new Date(session.settledAtMs).toISOString(),
    reason: session.reason,
    presetOutcome: session.presetOutcome,
    retries: session.retries,
    retriesLeft: MAX_RETRIES - session.retries,
    needsRetry: session.needsRetry,
    device,
    activeDevice: session.activeDevice,
    // The URL in the QR code. The second device does not need it, because it was opened with this URL.
    handoffUrl:
      device === 'first' ? toPageUrl(verifyUrl, session.id, 'handoffToken', handoffToken) : null,
    ...(session.billingBlock && { billingBlock: session.billingBlock }),
  };
}

/** Returns the hosted page's URL for the holder of a token. */
export function toPageUrl(
  verifyUrl: string,
  sessionId: string,
  kind: 'sessionToken' | 'handoffToken',
  token: string,
): string {
  const separator = verifyUrl.includes('?') ? '&' : '?';
  return `${verifyUrl}${separator}sessionId=${sessionId}&${kind}=${token}`;
}
