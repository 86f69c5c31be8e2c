import type { Ending } from './ending.ts';
import { liveOpener } from './live-opener.ts';

/**
 * Ends the visit: notifies the shop's window if there is one, then closes this window or navigates to the
 * shop's address. The message is sent before any navigation, because a shop that watches for a closed
 * window must have received it by then.
 */
export function leavePage(ending: Ending): void {
  tell(ending);
  // After a success with auto_return, navigates to returnUrl. That page can reach the shop even if this one
  // cannot.
  if (ending.shownMs === 0 && ending.status !== 'cancelled') go(ending);
  else setTimeout(() => leaveNow(ending), ending.shownMs);
}

/**
 * Closes the window or navigates at once. Notifies the shop first unless that was already done, because the
 * check may have ended while the page was loading. The SDK reports a window that closes without a message
 * as cancelled.
 */
export function leaveNow(ending: Ending): void {
  tell(ending);
  if (!mayClose()) {
    go(ending);
    return;
  }
  window.close();
  // Still open: the browser refused to close the window, or no page received the message.
  setTimeout(() => go(ending), 1_000);
}

/**
 * Tells whether this window was opened only for the check. Having an opener is not enough: a shop that was
 * opened by a script and then redirected here has one too, and closing the window would lose the shop.
 */
export function mayClose(): boolean {
  return liveOpener() !== null && history.length === 1;
}

let isShopNotified = false;

function tell({ message, targetOrigin }: Ending): void {
  if (isShopNotified) return;
  isShopNotified = true;
  liveOpener()?.postMessage(message, targetOrigin);
}

/** Uses `replace`, so that Back does not lead to a finished check. */
const go = ({ redirectUrl }: Ending): void => location.replace(redirectUrl);
