import type { Ending } from './ending.ts';
import { liveOpener } from './live-opener.ts';

/**
 * Ends the visit: tells the shop's window when there is one, and then either closes this window or
 * goes where the shop asked. The message leaves before any navigation: a shop that watches for a
 * closed window must have heard by then.
 */
export function leavePage(ending: Ending): void {
  tell(ending);
  // A success with auto_return goes on to returnUrl, whose page can reach the shop where we cannot.
  if (ending.shownMs === 0 && ending.status !== 'cancelled') go(ending);
  else setTimeout(() => leaveNow(ending), ending.shownMs);
}

/**
 * Closes the window or goes on, at once. A shop that has not heard yet hears it first: the check may have
 * ended while the page was loading, and a window that closes without a word is taken for cancelled.
 */
export function leaveNow(ending: Ending): void {
  tell(ending);
  if (!mayClose()) {
    go(ending);
    return;
  }
  window.close();
  // Still here: the browser refused, or the shop's page is gone and nobody took the message.
  setTimeout(() => go(ending), 1_000);
}

/**
 * Whether this window was opened for the check alone. An opener is not enough: a shop that was itself
 * opened by a script, and then went here by redirect, has one too, and closing would lose the shop.
 */
export function mayClose(): boolean {
  return liveOpener() !== null && history.length === 1;
}

let isTold = false;

function tell({ message, targetOrigin }: Ending): void {
  if (isTold) return;
  isTold = true;
  liveOpener()?.postMessage(message, targetOrigin);
}

/** `replace`: Back must not lead to a check that is over. */
const go = ({ redirectUrl }: Ending): void => location.replace(redirectUrl);
