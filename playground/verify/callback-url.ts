import { appendQuery } from '../shared/append-query.ts';
import type { HostedSession, SettledStatus } from './hosted-session.ts';

/**
 * Where the shopper goes when the check is over: `returnUrl` with the callback parameters, or for a
 * cancelled check `cancelUrl`, which gets no more than the session and what became of it. Never a
 * token: whatever stands here ends up in histories and logs.
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
