import type { HostedSession } from './hosted-session.ts';
import { postToShop } from './shop-window.ts';

/** The message that reports this page's presence to the shop's window; see docs/browser-facts.md. */
export interface PresenceMessage {
  readonly type: 'ofage:verification:presence';
  readonly sessionId: string;
  /**
   * True while the page is open, and false just before it leaves for another origin. Null when it unloads,
   * either because the shopper closes the window or because another page follows, which may have COOP.
   */
  readonly present: boolean | null;
}

/**
 * Reports to the shop's window that the page is open, unloads, or is about to leave for another origin. The
 * shop uses the last report when this window reads as closed. If the page was open, the shopper closed the
 * window. If it had left, the other page's COOP may have severed the window while the shopper is still
 * looking at it.
 */
export function announcePresence(
  session: HostedSession,
  present: PresenceMessage['present'],
): void {
  const { sessionId } = session;
  const message: PresenceMessage = { type: 'ofage:verification:presence', sessionId, present };
  postToShop(message, session);
}
