import type { Attempt } from '../attempt.ts';
import type { Show } from './flow.ts';

/**
 * Leaves for the verification page. Nothing tells a page that a navigation was stopped or answered
 * by a download, and Back may bring it back alive: both would leave the promise pending for ever.
 * No unload or beforeunload listener, since those keep a page out of the back/forward cache.
 */
export const openRedirect = (attempt: Attempt): Show => {
  const expectLeave = (ms: number): void => attempt._expect(ms, 'navigation_failed');

  // The page is going away, so that a failing request means nothing.
  attempt._listen('pagehide', () => (attempt._fail = () => {}));
  attempt._listen('pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) attempt._cancel('history_back');
  });
  return (_session, url) => {
    expectLeave(15_000);
    // A hidden page may be throttled or already replaced: wait until somebody can see it.
    attempt._check = () => {
      if (document.hidden) expectLeave(15_000);
    };
    location.assign(url); // not replace(): Back must lead to this page
    // Chromium says when a navigation was aborted; a moment later, in case another one began. Not
    // before: ours may abort one of the page's own.
    const { navigation } = window as { navigation?: EventTarget };
    if (navigation) attempt._listen('navigateerror', () => expectLeave(1000), navigation);
  };
};
