import type { Attempt } from '../attempt.ts';
import { tryTo } from '../try-to.ts';
import type { Flow } from './flow.ts';

/** The navigation has failed when the page is still here then: 204, a download, Stop, "stay on page". */
const LEAVE_MS = 5000;
/** Time for another navigation to take the place of an aborted one. */
const ABORTED_MS = 1000;
/** Longer than any page lives. */
const NEVER_MS = 1e9;

/**
 * Leaves for the verification page. Nothing tells a page that a navigation was stopped or answered
 * by a download, and Back may bring it back alive: both would leave the promise pending for ever.
 * No unload or beforeunload listener, since those keep a page out of the back/forward cache.
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
        // A hidden page may be throttled: the time begins when the shopper can see it.
        attempt._expect(document.hidden ? NEVER_MS : ms, 'navigation_failed');
      expectLeave(LEAVE_MS);
      attempt._listen('visibilitychange', () => expectLeave(LEAVE_MS), document);
      location.assign(url); // not replace(): Back must lead to this page
      // Chromium reports an aborted navigation. The listener comes after assign(), which may itself
      // abort another navigation of the page. A script of the page may have replaced `navigation`.
      tryTo(() => {
        const { navigation } = window as { navigation?: EventTarget };
        if (navigation) attempt._listen('navigateerror', () => expectLeave(ABORTED_MS), navigation);
      });
    },
  };
};
