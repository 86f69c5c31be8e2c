import type { Attempt } from '../attempt.ts';
import { tryTo } from '../try-to.ts';
import { warn } from '../warnings.ts';

/** Knowledge about the window. `closed` alone proves nothing, because COOP sets it on an open window too. */
type State =
  /** The window shows the blank page. */
  | 'blank'
  /** The window still shows the blank page, and the hosted page has been requested. */
  | 'loading'
  /** The shopper began to close the window before the hosted page arrived. */
  | 'closing'
  /** The hosted page has just arrived. If it has COOP, the browser cuts the window off now. */
  | 'arrived'
  /** The hosted page arrived and COOP did not cut the window off. */
  | 'working'
  /** The hosted page announced that it is open. */
  | 'present'
  /** The hosted page announced that it leaves for another site, whose COOP may cut the window off. */
  | 'left'
  /** The window is closed or cut off, and nothing tells which. Only the return page can end the attempt. */
  | 'lost';

/** What `closed` means in a state, once the last message of the window had time to arrive. */
type Closed =
  /** The shopper closed the window. */
  | 'cancel'
  /** The shopper closed the window if this page got the focus at that moment. */
  | 'ask focus'
  /** The shopper closed the window, or COOP cut it off. */
  | 'unclear';

interface Row {
  /** The blank page is asked to unload before there is a session, so the shopper closes the window. */
  _abandon?: State;
  /** The blank page is asked to unload: first by the SDK, which requests the hosted page, then by a close. */
  _unload?: State;
  /** The blank page has unloaded. */
  _arrive?: State;
  /** The window is still open SETTLE_MS after the blank page unloaded. */
  _settle?: State;
  /** The hosted page announced that it is open. */
  _present?: State;
  /** The hosted page announced that it unloads, to show another page or because the window closes. */
  _withdraw?: State;
  /** The hosted page announced that it leaves for another origin. */
  _leave?: State;
  _closed?: Closed;
}

/** The meaning of each event in each state. An event that is missing in a row changes nothing. */
// prettier-ignore
const TABLE: Record<State, Row> = {
  blank:   { _abandon: 'closing', _unload: 'loading', _arrive: 'arrived', _present: 'present', _leave: 'left', _closed: 'unclear' },
  loading: { _unload: 'closing', _arrive: 'arrived', _present: 'present', _leave: 'left', _closed: 'unclear' },
  closing: { _settle: 'working',                     _present: 'present', _leave: 'left', _closed: 'ask focus' },
  arrived: { _settle: 'working',                     _present: 'present', _leave: 'left', _closed: 'unclear' },
  working: {                                         _present: 'present', _leave: 'left', _closed: 'ask focus' },
  present: { _withdraw: 'working',                                        _leave: 'left', _closed: 'cancel' },
  left:    {                                         _present: 'present',                 _closed: 'unclear' },
  lost:    {},
};

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

const OUT_OF_REACH = 'window closed, or cut off by COOP: call handleReturn() at returnUrl';

/**
 * Cancels the attempt when the shopper closes the window, as far as that can be told from a window that COOP
 * cut off. See docs/browser-facts.md for the measurements.
 *
 * @returns a function to call with each announcement of the hosted page: true when it is present, false when
 *   it leaves for another origin, anything else when it unloads for an unknown reason
 */
export const watchWindow = (attempt: Attempt, popup: Window): ((present: unknown) => void) => {
  let state: State = 'blank';
  let arrivedAtMs = Infinity;
  let closedAtMs = Infinity;
  let returnedAtMs = -Infinity;
  let isFocusReported = false;

  const become = (next: State | undefined): void => {
    state = next || state;
  };

  const poll = (): void => {
    const nowMs = performance.now();
    if (!popup.closed) {
      if (nowMs - arrivedAtMs >= SETTLE_MS) become(TABLE[state]._settle);
    } else if (!attempt._result.sessionId) attempt._cancel('closed_before_start');
    else {
      closedAtMs = Math.min(closedAtMs, nowMs);
      if (nowMs - closedAtMs >= GRACE_MS) decide(nowMs - closedAtMs);
    }
  };

  const decide = (sinceMs: number): void => {
    const closed = TABLE[state]._closed;
    const isAsking = closed === 'ask focus';
    if (closed === 'cancel' || (isAsking && Math.abs(closedAtMs - returnedAtMs) < FOCUS_MS)) {
      attempt._cancel('closed');
    } else if (isAsking && !isFocusReported) {
      if (sinceMs >= LONG_GRACE_MS) attempt._cancel('closed');
    } else if (closed) {
      state = 'lost';
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
      const { _abandon, _unload } = TABLE[state];
      become(attempt._result.sessionId ? _unload : _abandon);
    });
    popup.addEventListener('pagehide', () => {
      arrivedAtMs = performance.now();
      become(TABLE[state]._arrive);
    });
  });
  const timer = setInterval(poll, POLL_MS);
  attempt._defer(() => clearInterval(timer));
  return (present) => {
    const { _present, _leave, _withdraw } = TABLE[state];
    become(present === true ? _present : present === false ? _leave : _withdraw);
  };
};
