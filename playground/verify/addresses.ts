import { appendQuery } from '../shared/append-query.ts';
import type { HostedSession, SettledStatus } from './hosted-session.ts';
import { PSEUDO, type PageLanguage } from './language.ts';

export interface PageAddress {
  readonly sessionId: string | null;
  /** The session's token, or on a second device the one in the QR code. */
  readonly token: string | null;
  readonly lang: string | null;
  readonly skipIntro: boolean;
  readonly autoReturn: boolean;
}

export function parsePageAddress(search: string): PageAddress {
  const params = new URLSearchParams(search);
  return {
    sessionId: params.get('sessionId'),
    token: params.get('sessionToken') ?? params.get('handoffToken'),
    lang: params.get('lang'),
    skipIntro: params.get('skip_intro') === 'true',
    autoReturn: params.get('auto_return') === 'true',
  };
}

/**
 * Returns the address to send the shopper to after the check, with the callback parameters. It is
 * `returnUrl` or, after a cancellation, the `cancelUrl` if there is one, which does not get the
 * `externalUserId`. Never contains a token, because addresses end up in histories and logs.
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

/**
 * Returns the time at which the session was settled, or of the last response if it is pending, in
 * milliseconds since the epoch by the service's clock.
 */
export function settledAtMs(session: HostedSession): number {
  return Date.parse(session.settledAt ?? session.now);
}

/** Returns the second device's link with the shopper's language added. */
export function toHandoffUrl(handoffUrl: string, language: PageLanguage): string {
  return language === PSEUDO ? handoffUrl : appendQuery(handoffUrl, { lang: language });
}
