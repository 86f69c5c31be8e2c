import type { Attempt } from '../attempt.ts';
import { tryTo } from '../try-to.ts';
import { warn } from '../warnings.ts';

/**
 * Interval between two checks of the window. Browsers stretch it to at least a second while the page is
 * hidden.
 */
const POLL_MS = 100;
/**
 * A window that has shown the hosted page for this long counts as working. If the hosted page's COOP cuts
 * the window off, it has shown that page for 28 ms at most.
 */
const WORKING_MS = 500;
/** Maximum time between a real close and the focus event that this page gets with it, in either order. */
const FOCUS_MS = 400;
/** Time for the last message, which Firefox sometimes delivers after the window was closed. */
const GRACE_MS = 1000;
/**
 * Like GRACE_MS, for a browser that reports no focus changes. There, a close looks the same as a window that
 * COOP severs on a later page, so the SDK waits longer for a result before it cancels.
 */
const LONG_GRACE_MS = 5000;

const OUT_OF_REACH =
  'the window was closed, or COOP cut it off. Now only handleReturn() can report its result';

/**
 * Cancels the attempt when the shopper closes the window. `closed` alone is not reliable, because a COOP
 * mismatch cuts the window off and sets `closed` to true while the window is open. A close counts as real
 * if the hosted page had announced that it was present. Without any announcement, it counts if this page
 * gets the focus at the same moment, and the window worked before or its blank page fired a second
 * beforeunload event. In a browser that reports no focus changes, the close of such a window counts after a
 * longer wait. See docs/browser-facts.md for the measurements.
 *
 * @returns a function to call with the announcements of the hosted page: true when it is present, false
 *   when it navigates to another origin
 */
export const watchWindow = (attempt: Attempt, popup: Window): ((isPresent: boolean) => void) => {
  let shownAtMs = Infinity;
  let closedAtMs = Infinity;
  let returnedAtMs = -Infinity;
  let isWorking = false;
  let isFocusReported = false;
  let isOutOfReach = false;
  /** Undefined until the hosted page has announced itself. */
  let isPageThere: boolean | undefined;

  const poll = (): void => {
    const nowMs = performance.now();
    if (!popup.closed) {
      if (!isBlank(popup)) {
        shownAtMs = Math.min(shownAtMs, nowMs);
        isWorking = nowMs - shownAtMs >= WORKING_MS;
      }
    } else if (!attempt._result.sessionId) attempt._cancel('closed_before_start');
    else if (!isOutOfReach) {
      closedAtMs = Math.min(closedAtMs, nowMs);
      if (nowMs - closedAtMs >= GRACE_MS) decide(nowMs);
    }
  };

  const decide = (nowMs: number): void => {
    const isUnknown = isWorking && isPageThere === undefined;
    if (isPageThere || (isUnknown && Math.abs(closedAtMs - returnedAtMs) < FOCUS_MS)) {
      attempt._cancel('closed');
    } else if (isUnknown && !isFocusReported) {
      if (nowMs - closedAtMs >= LONG_GRACE_MS) attempt._cancel('closed');
    } else {
      isOutOfReach = true;
      warn(OUT_OF_REACH);
    }
  };

  const noteReturn = (): void => {
    if (document.hidden) isFocusReported = true;
    else {
      returnedAtMs = performance.now();
      poll();
    }
  };
  attempt._listen('focus', noteReturn);
  attempt._listen('visibilitychange', noteReturn, document);
  attempt._listen('blur', () => {
    isFocusReported = true;
    // The shopper left this page again, or a second click brought the window to the front.
    returnedAtMs = -Infinity;
  });
  onUnload(popup, (isRequested) => {
    isWorking = isRequested;
  });
  const timer = setInterval(poll, POLL_MS);
  attempt._defer(() => clearInterval(timer));
  return (isPresent) => {
    isPageThere = isPresent;
  };
};

/**
 * Tells whether the window still shows the blank page. Reading the location of a cross-origin page throws.
 */
const isBlank = (popup: Window): boolean => tryTo(() => popup.location.href) === 'about:blank';

/**
 * Calls `note` at each beforeunload event of the blank page; the argument is false for the first event. The
 * first event comes when the hosted page is requested, the second when the shopper closes the window before
 * that page arrives. When COOP cuts the window off, there is no second event.
 */
const onUnload = (popup: Window, note: (isRequested: boolean) => void): void => {
  let isRequested = false;
  tryTo(() =>
    popup.addEventListener('beforeunload', () => {
      note(isRequested);
      isRequested = true;
    }),
  );
};
