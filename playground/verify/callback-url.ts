import { appendQuery } from '../shared/append-query.ts';
import type { HostedSession, SettledStatus } from './hosted-session.ts';

/**
 * Returns the address to send the shopper to after the check: `returnUrl` with the callback parameters or,
 * if the check was cancelled, `cancelUrl`, which gets only the session and its status. Never contains a
 * token, because addresses end up in histories and logs.
 */
export function toCallbackUrl(session: HostedSession, status: SettledStatus): string {
  const { sessionId, returnUrl, cancelUrl, externalUserId } = session;
  const timestamp = String(settledAtMs(session));
  if (status === 'cancelled' && cancelUrl !== null) {
    return appendQuery(cancelUrl, { status, sessionId, timestamp });
  }
  return appendQuery(returnUrl, {
    sessionId,
    status,
    timestamp,
    ...(externalUserId === null ? {} : { externalUserId }),
  });
}

/** Milliseconds since the epoch, by the service's clock. */
export function settledAtMs(session: HostedSession): number {
  return Date.parse(session.settledAt ?? session.now);
}
