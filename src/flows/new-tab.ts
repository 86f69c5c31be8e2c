import type { Attempt, Ending } from '../attempt.ts';
import { MESSAGE_TYPE, NAMESPACE, RELAY_TYPE } from '../brand.ts';
import { openChannel } from '../channel.ts';
import { fail } from '../errors.ts';
import type { Language } from '../language.ts';
import type { OfAgeOptions } from '../options.ts';
import { parseNotice, type Fields } from '../outcome.ts';
import { tryTo } from '../try-to.ts';
import type { Show } from './flow.ts';
import { showPlaceholder } from './placeholder.ts';
import { watchWindow } from './window-watch.ts';

/** Ten minutes, and five seconds for the clock of the service. */
const LIFETIME_MS = 605_000;

/**
 * Opens the window now, in the click: WebKit refuses a tenth of a second later. Then shows the
 * verification page in it and waits for an outcome on every channel that may carry one.
 */
export const openNewTab = (
  attempt: Attempt,
  { newTabTarget }: OfAgeOptions,
  language?: Language,
): Show => {
  // A new random name each time: a fixed one could be a window that somebody else opened first.
  // Firefox throws in a sandbox without allow-popups.
  const popup = tryTo(() =>
    open(
      '',
      NAMESPACE + crypto.getRandomValues(new Uint32Array(2)).join(''),
      newTabTarget === 'tab' ? '' : 'width=480,height=720',
    ),
  );
  if (!popup || popup.closed) {
    fail('popup_blocked', '', {
      details: {
        reason:
          origin === 'null'
            ? 'sandboxed'
            : tryTo(() => navigator.userActivation.isActive) === false
              ? 'no_user_gesture'
              : 'blocked',
      },
    });
  }
  attempt._focus = () => {
    popup.focus();
    return !popup.closed;
  };
  attempt._defer(() => popup.close());
  // Leaving before there is a session would orphan a blank window; a running check may go on.
  attempt._listen('pagehide', () => attempt._result.sessionId || popup.close());
  watchWindow(attempt, popup);
  showPlaceholder(popup, language);

  return ({ sessionId, origin }, url) => {
    if (popup.closed) return attempt._cancel('closed_before_start');
    // Counted from here and not from expiresAt: this computer's clock may be wrong.
    attempt._expect(LIFETIME_MS, 'session_expired');
    const accept = (data: Fields, type: string): void => {
      // Whatever was sent, even null or what throws when it is read.
      const notice = tryTo(
        () => data.type === type && data.sessionId === sessionId && parseNotice(data),
      );
      if (notice) {
        const reason = notice.status === 'cancelled' ? 'user' : undefined;
        attempt._finish(Object.assign({ reason }, notice) as Ending);
      }
    };
    // Two channels, the first outcome wins: COOP cuts the one, a cross-site frame the other.
    attempt._listen('message', (event: MessageEvent<Fields>) => {
      if (!event.isTrusted) return;
      // Firefox and WebKit null the source of a message sent while its window closes; see
      // docs/browser-facts.md. With an open popup a null source is somebody else's.
      if (event.source !== popup && (event.source || !popup.closed)) return;
      if (event.origin === origin) accept(event.data, MESSAGE_TYPE);
      else if (event.origin === location.origin) accept(event.data, RELAY_TYPE);
    });
    tryTo(() => {
      const channel = openChannel(sessionId, (data) => {
        // Any answer tells the return page to close its window, which may be out of our reach.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
        channel.postMessage(0);
        accept(data, RELAY_TYPE);
      });
      attempt._defer(() => channel.close());
    });
    popup.location.replace(url); // the blank page leaves no history entry
  };
};
