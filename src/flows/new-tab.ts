import type { Attempt } from '../attempt.ts';
import { MESSAGE_TYPE, RELAY_TYPE } from '../brand.ts';
import { awaitReturn, outcomeReader } from '../channel.ts';
import { isForeign } from '../environment.ts';
import type { Language } from '../language.ts';
import type { OfAgeOptions } from '../options.ts';
import type { Fields } from '../outcome.ts';
import { appendParams } from '../urls.ts';
import type { Flow } from './flow.ts';
import { openWindow } from './open-window.ts';
import { showPlaceholder } from './placeholder.ts';
import { parsePresence, watchWindow } from './window-watch.ts';

/** The lifetime of a session, ten minutes, plus a margin of five seconds. */
const LIFETIME_MS = 605_000;

/**
 * Opens the window at once, because WebKit allows it only during the click. Then loads the hosted page in
 * it and listens for an outcome on every channel that may carry one.
 */
export const openNewTab = (attempt: Attempt, options: OfAgeOptions, language?: Language): Flow => {
  const popup = openWindow(options);
  attempt._defer(() => popup.close());
  attempt._listen('pagehide', () => {
    // If the page unloads before there is a session, the blank window would stay open. Once there is one, the
    // shopper may continue in the window.
    if (!attempt._result.sessionId) popup.close();
  });
  const notePresence = watchWindow(attempt, popup, isForeign(options.returnUrl));
  showPlaceholder(popup, language);

  return {
    _isReachable: () => !popup.closed,
    _focus: () => popup.focus(),
    _canLeaveAgain: () => false,
    _leaveAgain() {},
    _show: ({ sessionId, origin, verifyUrl }, params) => {
      if (popup.closed) return attempt._cancel('closed_before_start');
      // The lifetime starts here and is not calculated from expiresAt, because this computer's clock may be
      // wrong.
      attempt._expect(LIFETIME_MS, 'session_expired');

      const readOutcome = outcomeReader(attempt, sessionId);
      // Listens on two channels, and the first outcome wins. COOP cuts off postMessage, and storage
      // partitioning cuts off the BroadcastChannel of a cross-site frame.
      awaitReturn(attempt, sessionId);
      attempt._listen(
        'message',
        ({ isTrusted, source, origin: from, data }: MessageEvent<Fields>) => {
          if (!isTrusted) return;
          // Firefox and WebKit null the source of a message sent while its window closes; see
          // docs/browser-facts.md. While the window is open, a message without a source comes from another page.
          if (source !== popup && (source || !popup.closed)) return;
          if (from === location.origin) readOutcome(data, RELAY_TYPE);
          if (from !== origin) return;
          readOutcome(data, MESSAGE_TYPE);
          // WebKit nulls the source of a message only if the window closes, so that a page which unloads
          // because the shopper closes it still counts as present.
          const presence = source ? parsePresence(data, sessionId) : undefined;
          if (presence) notePresence(presence);
        },
      );
      popup.location.replace(appendParams(verifyUrl, params)); // the blank page leaves no history entry
    },
  };
};
