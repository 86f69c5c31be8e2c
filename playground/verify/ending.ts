import { settledAtMs, toCallbackUrl } from './addresses.ts';
import type { HostedSession, SettledStatus } from './hosted-session.ts';

/** The message to the shop's window. */
export interface CompletionMessage {
  readonly type: 'ofage:verification:complete';
  readonly sessionId: string;
  readonly status: SettledStatus;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly externalUserId?: string;
}

/** The last view of a settled session, and the way back to the shop. */
export interface Ending {
  readonly status: SettledStatus;
  readonly message: CompletionMessage;
  /** As in {@link HostedSession}. */
  readonly messageOrigins: readonly string[];
  readonly redirectUrl: string;
  /** Time for which the result is shown. Milliseconds. With 0, it is not shown. */
  readonly shownMs: number;
}

/** Returns the ending of a session, or `null` if the session is pending or expired. */
export function toEnding(session: HostedSession, autoReturn: boolean): Ending | null {
  const { status, sessionId, messageOrigins, externalUserId } = session;
  if (status === 'pending' || status === 'expired') return null;
  return {
    status,
    message: {
      type: 'ofage:verification:complete',
      sessionId,
      status,
      timestamp: settledAtMs(session),
      ...(externalUserId === null ? {} : { externalUserId }),
    },
    messageOrigins,
    redirectUrl: toCallbackUrl(session, status),
    shownMs: shownMs(status, autoReturn),
  };
}

/**
 * Returns 0 after a cancellation, because the shopper already knows about it, and after a success with
 * auto_return. A failure is shown longer, because it has a reason and a next step to read.
 */
function shownMs(status: SettledStatus, autoReturn: boolean): number {
  if (status === 'cancelled' || (status === 'verified' && autoReturn)) return 0;
  return status === 'verified' ? 1_200 : 12_000;
}
