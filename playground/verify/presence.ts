import type { HostedSession } from './hosted-session.ts';
import { liveOpener } from './live-opener.ts';

/** The message that reports this page's presence to the shop's window; see docs/guides/hosted-page.md. */
export interface PresenceMessage {
  readonly type: 'ofage:verification:presence';
  readonly sessionId: string;
  /** False just before the page leaves for another origin. */
  readonly present: boolean;
}

/**
 * Reports to the shop's window that the page is open, or that it leaves for another origin. If the window
 * then reads as closed, the shopper closed it in the first case. In the second case the other page's COOP
 * may have severed it while the shopper is still looking at it.
 */
export function announcePresence({ sessionId, returnUrl }: HostedSession, present: boolean): void {
  const message: PresenceMessage = { type: 'ofage:verification:presence', sessionId, present };
  // Addressed only to the shop's origin, so that any other opener learns nothing.
  liveOpener()?.postMessage(message, new URL(returnUrl).origin);
}
