import type { Attempt } from '../attempt.ts';
import { tryTo } from '../try-to.ts';
import type { Flow } from './flow.ts';

/**
 * If this page is still shown after this time, the navigation has failed, for example because of a 204
 * response, a download, the Stop button or "stay on page".
 */
const LEAVE_MS = 5000;
/** Time in which another navigation may replace an aborted one. */
const ABORTED_MS = 1000;
/** A delay of more than eleven days, which in practice never ends. */
const NEVER_MS = 1e9;

/**
 * Navigates to the hosted page. A page gets no pagehide event when a navigation is stopped or ends in a
 * download, and the Back button may restore the page from the back/forward cache. In both cases the promise
 * would stay pending forever, so the flow uses a timer and pageshow. It adds no unload listener, because
 * that would keep the page out of the back/forward cache.
 */
export const openRedirect = (attempt: Attempt): Flow => {
  attempt._listen('pagehide', () => {
    attempt._isLeaving = true;
  });
  attempt._listen('pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) attempt._cancel('history_back');
  });
  return {
    _focus: () => true,
    _show: (_session, url) => {
      const expectLeave = (ms: number): void =>
        // Timers may be throttled on a hidden page, so the timeout starts when the shopper can see the
        // page.
        attempt._expect(document.hidden ? NEVER_MS : ms, 'navigation_failed');
      expectLeave(LEAVE_MS);
      attempt._listen('visibilitychange', () => expectLeave(LEAVE_MS), document);
      location.assign(url); // not replace(), because the Back button must lead to this page
      // Chromium reports an aborted navigation. The listener is added after assign(), because assign() may
      // itself abort another navigation of the page. A script of the page may have replaced `navigation`.
      tryTo(() => {
        const { navigation } = window as { navigation?: EventTarget };
        if (navigation) attempt._listen('navigateerror', () => expectLeave(ABORTED_MS), navigation);
      });
    },
  };
};
