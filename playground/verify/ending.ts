import { settledAtMs, toCallbackUrl } from './callback-url.ts';
import type { HostedSession, SettledStatus } from './hosted-session.ts';

/** What is told to the shop's window. */
export interface CompletionMessage {
  readonly type: 'ofage:verification:complete';
  readonly sessionId: string;
  readonly status: SettledStatus;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly externalUserId?: string;
}

/** How a settled session ends for the shopper. */
export interface Ending {
  readonly status: SettledStatus;
  readonly message: CompletionMessage;
  /** Of `returnUrl`: whoever else may hold the opener learns nothing. */
  readonly targetOrigin: string;
  readonly redirectUrl: string;
  /** How long the result stays on screen. Milliseconds; 0 leaves it out. */
  readonly shownMs: number;
}

/** The ending of a session, or `null` while it has none. */
export function toEnding(session: HostedSession, autoReturn: boolean): Ending | null {
  const { status, sessionId, returnUrl, externalUserId } = session;
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
    targetOrigin: new URL(returnUrl).origin,
    redirectUrl: toCallbackUrl(session, status),
    shownMs: shownMs(status, autoReturn),
  };
}

/** Who cancelled knows it already; who failed has a reason to read. */
function shownMs(status: SettledStatus, autoReturn: boolean): number {
  if (status === 'cancelled' || (status === 'verified' && autoReturn)) return 0;
  return status === 'verified' ? 3_000 : 12_000;
}
