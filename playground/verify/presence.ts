import type { HostedSession } from './hosted-session.ts';
import { liveOpener } from './live-opener.ts';

/** Tells the shop's window where this page is; see docs/guides/hosted-page.md. */
export interface PresenceMessage {
  readonly type: 'ofage:verification:presence';
  readonly sessionId: string;
  /** False just before the page leaves for another origin. */
  readonly present: boolean;
}

/**
 * Tells the shop's window that the page is there, or that it leaves for another origin. A window that reads
 * as closed was closed by the shopper in the first case, and in the second it may have been cut off by the
 * other page's COOP while the shopper is still looking at it.
 */
export function announcePresence({ sessionId, returnUrl }: HostedSession, present: boolean): void {
  const message: PresenceMessage = { type: 'ofage:verification:presence', sessionId, present };
  // To the shop alone: whoever else may hold the opener learns nothing.
  liveOpener()?.postMessage(message, new URL(returnUrl).origin);
}
