import type { Attempt } from '../attempt.ts';
import { PRESENCE_TYPE } from '../brand.ts';
import type { Fields } from '../outcome.ts';
import { tryTo } from '../try-to.ts';
import { warn } from '../warnings.ts';

// The states: what is known about the window. `closed` alone proves nothing, because COOP sets it on an open
// window too. States, events and verdicts are numbers, so that the table is a matrix and the file stays small.

/** The window shows the blank page. */
const BLANK = 0;
/** The window still shows the blank page, and the hosted page has been requested. */
const LOADING = 1;
/** The shopper began to close the window before the hosted page arrived. */
const CLOSING = 2;
/** The hosted page has just arrived. If it has COOP, the browser cuts the window off now. */
const ARRIVED = 3;
/** The hosted page arrived and COOP did not cut the window off. */
const WORKING = 4;
/** The hosted page announced that it is open. */
const PRESENT = 5;
/** The hosted page announced that it leaves for another site, whose COOP may cut the window off. */
const LEFT = 6;
/** The window is closed or cut off, and nothing tells which. Only the return page can end the attempt. */
const LOST = 7;

// The events.

/** The blank page is asked to unload before there is a session, so the shopper closes the window. */
const ABANDON = 0;
/** The blank page is asked to unload: first by the SDK, which requests the hosted page, then by a close. */
const UNLOAD = 1;
/** The blank page has unloaded. */
const ARRIVE = 2;
/** The window is still open SETTLE_MS after the blank page unloaded. */
const SETTLE = 3;
/** The hosted page announced that it is open. */
const ANNOUNCE = 4;
/** The hosted page announced that it unloads, to show another page or because the window closes. */
const WITHDRAW = 5;
/** The hosted page announced that it leaves for another origin. */
const LEAVE = 6;
/** `closed` is set, and the last message of the window had time to arrive. Leads to a verdict, not a state. */
const CLOSE = 7;

// The verdicts about a closed window.

/** Nothing more is said about a window that is lost. */
const NONE = 0;
/** The shopper closed the window. */
const CANCEL = 1;
/** The shopper closed the window if this page got the focus at that moment. */
const ASK_FOCUS = 2;
/** The shopper closed the window, or COOP cut it off. */
const UNCLEAR = 3;

type State =
  | typeof BLANK
  | typeof LOADING
  | typeof CLOSING
  | typeof ARRIVED
  | typeof WORKING
  | typeof PRESENT
  | typeof LEFT
  | typeof LOST;
type Event =
  | typeof ABANDON
  | typeof UNLOAD
  | typeof ARRIVE
  | typeof SETTLE
  | typeof ANNOUNCE
  | typeof WITHDRAW
  | typeof LEAVE;
type Verdict = typeof NONE | typeof CANCEL | typeof ASK_FOCUS | typeof UNCLEAR;

/** The next state for each state and event, and the verdict. An event that means nothing keeps the state. */
// prettier-ignore
const TABLE: Record<State, Record<Event, State> & Record<typeof CLOSE, Verdict>> = [
  //             ABANDON  UNLOAD   ARRIVE   SETTLE   ANNOUNCE WITHDRAW LEAVE  CLOSE
  /* BLANK */   [CLOSING, LOADING, ARRIVED, BLANK,   PRESENT, BLANK,   LEFT,  UNCLEAR],
  /* LOADING */ [LOADING, CLOSING, ARRIVED, LOADING, PRESENT, LOADING, LEFT,  UNCLEAR],
  /* CLOSING */ [CLOSING, CLOSING, CLOSING, CLOSING, PRESENT, CLOSING, LEFT,  ASK_FOCUS],
  /* ARRIVED */ [ARRIVED, ARRIVED, ARRIVED, WORKING, PRESENT, ARRIVED, LEFT,  UNCLEAR],
  /* WORKING */ [WORKING, WORKING, WORKING, WORKING, PRESENT, WORKING, LEFT,  ASK_FOCUS],
  /* PRESENT */ [PRESENT, PRESENT, PRESENT, PRESENT, PRESENT, WORKING, LEFT,  CANCEL],
  /* LEFT */    [LEFT,    LEFT,    LEFT,    LEFT,    PRESENT, LEFT,    LEFT,  UNCLEAR],
  /* LOST */    [LOST,    LOST,    LOST,    LOST,    LOST,    LOST,    LOST,  NONE],
];

/**
 * Interval between two checks of the window. Browsers stretch it to at least a second while the page is
 * hidden.
 */
const POLL_MS = 100;
/**
 * Time after which the hosted page's COOP can no longer cut the window off. It did so at most 187 ms after
 * the blank page had unloaded, on a busy computer.
 */
const SETTLE_MS = 500;
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
  'window closed or cut off by COOP: call handleReturn() at returnUrl, on this origin';

/**
 * Cancels the attempt when the shopper closes the window, as far as that can be told from a window that COOP
 * cut off. See docs/browser-facts.md for the measurements.
 *
 * @param isReturnForeign - true if the return page is on another origin, so that it cannot report. The hosted page
 *   may address its messages to that origin, too. Until it announces itself, a shopper who closes the window
 *   may have passed.
 * @returns a function to call with each announcement of the hosted page, as parsePresence() returns it
 */
export const watchWindow = (
  attempt: Attempt,
  popup: Window,
  isReturnForeign: boolean,
): ((announcement: Presence) => void) => {
  let state: State = BLANK;
  let arrivedAtMs = Infinity;
  let closedAtMs = Infinity;
  let returnedAtMs = -Infinity;
  let isFocusReported = false;

  const note = (event: Event): void => {
    state = TABLE[state][event];
  };

  const poll = (): void => {
    const nowMs = performance.now();
    if (!popup.closed) {
      if (!isReturnForeign && nowMs - arrivedAtMs >= SETTLE_MS) note(SETTLE);
    } else if (!attempt._result.sessionId) attempt._cancel('closed_before_start');
    else {
      closedAtMs = Math.min(closedAtMs, nowMs);
      if (nowMs - closedAtMs >= GRACE_MS) decide(nowMs - closedAtMs);
    }
  };

  const decide = (sinceMs: number): void => {
    const verdict = TABLE[state][CLOSE];
    const isAsking = verdict === ASK_FOCUS;
    if (verdict === CANCEL || (isAsking && Math.abs(closedAtMs - returnedAtMs) < FOCUS_MS)) {
      attempt._cancel('closed');
    } else if (isAsking && !isFocusReported) {
      if (sinceMs >= LONG_GRACE_MS) attempt._cancel('closed');
    } else if (verdict) {
      state = LOST;
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
  tryTo(() => {
    popup.addEventListener('beforeunload', () => {
      note(attempt._result.sessionId ? UNLOAD : ABANDON);
    });
    popup.addEventListener('pagehide', () => {
      arrivedAtMs = performance.now();
      note(ARRIVE);
    });
  });
  const timer = setInterval(poll, POLL_MS);
  attempt._defer(() => clearInterval(timer));
  return note;
};

/** An announcement of the hosted page. */
type Presence = typeof ANNOUNCE | typeof LEAVE | typeof WITHDRAW;

/**
 * Parses a message of the hosted page, whose data may be anything, including null. The page sends true when it
 * is present, false when it leaves for another origin, and anything else when it unloads for an unknown reason.
 */
export const parsePresence = (data: Fields, sessionId: string): Presence | undefined =>
  tryTo(() => {
    if (data.type !== PRESENCE_TYPE || data.sessionId !== sessionId) return;
    if (data.present === true) return ANNOUNCE;
    return data.present === false ? LEAVE : WITHDRAW;
  });
