import type { Attempt } from '../attempt.ts';
import { tryTo } from '../try-to.ts';
import { appendParams } from '../urls.ts';
import type { Flow, PageParams } from './flow.ts';

/**
 * If this page is still shown after this time, the navigation has failed. A slow network needs longer than
 * a few seconds, and most browsers report neither a 204 response nor a download nor the Stop button.
 */
const LEAVE_MS = 60_000;
/** A delay of more than eleven days, which in practice never ends. */
const NEVER_MS = 1e9;
/** A second click navigates to the same session for this time. */
const LIFETIME_MS = 600_000;

/**
 * Navigates to the hosted page. A page gets no pagehide event when a navigation is stopped or ends in a
 * download, and the Back button may restore the page from the back/forward cache. In both cases the promise
 * would stay pending forever, so the flow uses a timer and pageshow. It adds no unload listener, because
 * that would keep the page out of the back/forward cache.
 */
export const openRedirect = (attempt: Attempt): Flow => {
  let verifyUrl = ''; // empty until there is a session
  let expiresAtMs = 0;

  attempt._listen('pagehide', () => {
    attempt._isLeaving = true;
  });
  attempt._listen('pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) attempt._cancel('history_back');
  });
  // Timers may be throttled on a hidden page, so the timeout starts when the shopper can see the page.
  const expectLeave = (): void =>
    attempt._expect(document.hidden ? NEVER_MS : LEAVE_MS, 'navigation_failed');
  const leave = (params: PageParams): void => {
    expectLeave();
    location.assign(appendParams(verifyUrl, params)); // not replace(), because the Back button must lead to this page
  };
  return {
    _isReachable: () => !verifyUrl,
    _focus() {},
    _show: (session, params) => {
      verifyUrl = session.verifyUrl;
      expiresAtMs = performance.now() + LIFETIME_MS;
      leave(params);
      attempt._listen('visibilitychange', expectLeave, document);
      // A script of the page may have replaced `navigation`.
      tryTo(() => {
        const { navigation } = window as { navigation?: EventTarget };
        if (!navigation) return;
        // Chromium reports an aborted navigation, for example by the Stop button. If another navigation
        // aborted it, that one is announced before the timer runs. It may be a history.replaceState() of the
        // page, which does not stop the browser from leaving.
        attempt._listen('navigateerror', () => attempt._expect(0, 'navigation_failed'), navigation);
        attempt._listen('navigate', expectLeave, navigation);
      });
    },
    _canLeaveAgain: () => performance.now() < expiresAtMs,
    _leaveAgain: leave,
  };
};
