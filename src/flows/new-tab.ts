import type { Attempt, Ending } from '../attempt.ts';
import { MESSAGE_TYPE, PRESENCE_TYPE, RELAY_TYPE } from '../brand.ts';
import { openChannel } from '../channel.ts';
import type { Language } from '../language.ts';
import type { OfAgeOptions } from '../options.ts';
import { parseNotice, type Fields } from '../outcome.ts';
import { tryTo } from '../try-to.ts';
import { appendParams } from '../urls.ts';
import type { Flow } from './flow.ts';
import { openWindow } from './open-window.ts';
import { showPlaceholder } from './placeholder.ts';
import { watchWindow } from './window-watch.ts';

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
  const notePresence = watchWindow(attempt, popup);
  showPlaceholder(popup, language);

  return {
    _focus: () => {
      popup.focus();
      return !popup.closed;
    },
    _leaveAgain: () => false,
    _show: ({ sessionId, origin, verifyUrl }, params) => {
      if (popup.closed) return attempt._cancel('closed_before_start');
      // The lifetime starts here and is not calculated from expiresAt, because this computer's clock may be
      // wrong.
      attempt._expect(LIFETIME_MS, 'session_expired');

      /** Reads a message of this session. Its data may be anything, including null. */
      const read = <T>(data: Fields, type: string, parse: (data: Fields) => T): T | undefined =>
        tryTo(() => (data.type === type && data.sessionId === sessionId ? parse(data) : undefined));
      const accept = (data: Fields, type: string): void => {
        const notice = read(data, type, parseNotice);
        if (!notice) return;
        const reason = notice.status === 'cancelled' ? 'user' : undefined;
        attempt._finish(Object.assign({ reason }, notice) as Ending);
      };
      // Listens on two channels, and the first outcome wins. COOP cuts off postMessage, and storage
      // partitioning cuts off the BroadcastChannel of a cross-site frame.
      attempt._listen('message', (event: MessageEvent<Fields>) => {
        if (!event.isTrusted) return;
        // Firefox and WebKit null the source of a message sent while its window closes; see
        // docs/browser-facts.md. While the window is open, a message without a source comes from another page.
        if (event.source !== popup && (event.source || !popup.closed)) return;
        if (event.origin === origin) {
          accept(event.data, MESSAGE_TYPE);
          // WebKit nulls the source of a message only if the window closes, so that a page which unloads
          // because the shopper closes it still counts as present.
          if (event.source) read(event.data, PRESENCE_TYPE, ({ present }) => notePresence(present));
        } else if (event.origin === location.origin) accept(event.data, RELAY_TYPE);
      });
      tryTo(() => {
        const channel = openChannel(sessionId, (data) => {
          // The reply 0 makes the return page close its own window, which this page may be unable to close.
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
          channel.postMessage(0);
          accept(data, RELAY_TYPE);
        });
        attempt._defer(() => channel.close());
      });
      popup.location.replace(appendParams(verifyUrl, params)); // the blank page leaves no history entry
    },
  };
};
