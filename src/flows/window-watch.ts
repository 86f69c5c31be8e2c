import type { Attempt } from '../attempt.ts';
import { tryTo } from '../try-to.ts';

/** A working cross-origin window lasts seconds; one about to be severed was seen for 28 ms at most. */
const ATTACHED_MS = 250;
/** Firefox sometimes delivers the last message after the close. */
const GRACE_MS = 1000;
/** For a window that closed without the shopper appearing here: it may have been cut off late. */
const LONG_GRACE_MS = 5000;
/** The shopper is back here some 10 ms before the close can be seen, and not yet in the look before. */
const RETURN_MS = 100;

/**
 * Cancels the attempt when the shopper closes the window. COOP: any mismatch cuts the opener and
 * turns `closed` to true while the window is open, so `closed` alone proves nothing. A real close is
 * preceded by a window that shows a page for a while, or comes with the shopper's return to this
 * page. See docs/browser-facts.md.
 */
export const watchWindow = (attempt: Attempt, popup: Window): void => {
  let shownSinceMs = 0;
  let openAtMs = 0;
  let closedAtMs = 0;
  let returnedAtMs = -Infinity;

  const look = (): void => {
    if (document.hidden) return;
    returnedAtMs = Date.now();
    attempt._look();
  };
  attempt._listen('focus', look);
  attempt._listen('visibilitychange', look);
  // A second click brings the window to the front again: the shopper did not stay.
  attempt._listen('blur', () => (returnedAtMs = -Infinity));
  attempt._listen('pageshow', attempt._look);

  attempt._check = (nowMs) => {
    if (!popup.closed) {
      openAtMs = nowMs;
      // A page of another origin throws when it is read.
      if (!shownSinceMs && tryTo(() => popup.location.href) !== 'about:blank') {
        shownSinceMs = nowMs;
      }
      return;
    }
    if (!attempt._result.sessionId) return attempt._cancel('closed_before_start');
    closedAtMs = closedAtMs || nowMs;
    const sinceMs = nowMs - closedAtMs;
    const returned = returnedAtMs >= openAtMs - RETURN_MS && returnedAtMs <= closedAtMs + GRACE_MS;
    if (sinceMs < ATTACHED_MS) return;
    if (returned || (shownSinceMs && openAtMs - shownSinceMs >= ATTACHED_MS)) {
      if (sinceMs >= (returned ? GRACE_MS : LONG_GRACE_MS)) attempt._cancel('closed');
    } else {
      closedAtMs = Infinity; // nothing after this moment proves a close
      // oxlint-disable-next-line no-console -- for the developer: it is how the page is set up
      console.warn('COOP: see handleReturn()');
    }
  };
};
