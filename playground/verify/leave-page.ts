import type { Ending } from './ending.ts';
import type { HostedSession } from './hosted-session.ts';
import { announcePresence } from './presence.ts';
import { liveOpener, postToShop } from './shop-window.ts';

/**
 * Ends the visit: shows the result for its time, notifies the shop's window if there is one, then closes
 * this window or navigates to the shop's address.
 *
 * The shop is not notified earlier, because the SDK closes this window on the message and the shopper would
 * not see the result. If the shopper closes the window earlier, the message is sent then.
 * @param atLeastMs The page stays open at least this long. Milliseconds
 */
export function leavePage(ending: Ending, atLeastMs = 0): void {
  // Chromium drops a message sent from `pagehide`, and Safari on iOS has no `beforeunload`; see
  // docs/browser-facts.md.
  for (const event of ['beforeunload', 'pagehide']) {
    window.addEventListener(event, () => notifyShop(ending), { once: true });
  }
  const waitMs = Math.max(ending.shownMs, atLeastMs);
  if (waitMs === 0) notifyShop(ending);
  setTimeout(() => leave(ending), waitMs);
}

function leave(ending: Ending): void {
  // A success with auto_return navigates to returnUrl, whose page can reach the shop even if this one
  // cannot.
  if (ending.status === 'verified' && ending.shownMs === 0) {
    notifyShop(ending);
    go(ending);
  } else leaveNow(ending);
}

/**
 * Closes the window or navigates at once. Notifies the shop first, because the SDK reports a window that
 * closes without a message as cancelled.
 */
export function leaveNow(ending: Ending): void {
  notifyShop(ending);
  closeOr(() => go(ending));
}

/**
 * Leaves a session that has no result to report, such as an expired one. Where this window was opened only
 * for the check, closing it tells the SDK of the shop.
 */
export function leaveWithoutResult(session: HostedSession): void {
  closeOr(() => {
    announcePresence(session, false);
    // Has no callback parameters, because they need a status.
    location.replace(session.cancelUrl ?? session.returnUrl);
  });
}

/** Closes a window that was opened only for the check. In any other window, calls `navigate`. */
function closeOr(navigate: () => void): void {
  if (!mayClose()) {
    navigate();
    return;
  }
  window.close();
  // If the window is still open after a second, the browser has refused to close it.
  setTimeout(navigate, 1_000);
}

/**
 * Tells whether this window was opened only for the check. Having an opener is not enough: a shop that was
 * opened by a script and then redirected here has one too, and closing the window would lose the shop.
 */
export function mayClose(): boolean {
  return liveOpener() !== null && history.length === 1;
}

let isShopNotified = false;

function notifyShop(ending: Ending): void {
  if (isShopNotified) return;
  isShopNotified = true;
  postToShop(ending.message, ending);
}

/** Uses `replace`, so that Back does not lead to a finished check. */
const go = ({ redirectUrl }: Ending): void => location.replace(redirectUrl);
