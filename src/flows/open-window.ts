import { NAMESPACE } from '../brand.ts';
import { fail } from '../errors.ts';
import type { OfAgeOptions } from '../options.ts';
import { findPopupObstacle, isLasting } from '../self-check.ts';
import { tryTo } from '../try-to.ts';

/** Set when a click in this frame opened a window that the frame cannot use, as a later click would. */
let isFrameRefused = false;

/**
 * Opens a blank window. Must run in the click handler, before anything is awaited, because WebKit blocks a
 * window that is opened 100 ms later.
 *
 * @throws an OfAgeError `popup_blocked`
 */
export const openWindow = ({ newTabTarget }: OfAgeOptions): Window => {
  // Must be checked before the window opens, because opening a window uses up the user activation of the
  // click.
  const obstacle = findPopupObstacle();
  // Uses a new random name each time, because another page may already have a window with a fixed name.
  const name = NAMESPACE + crypto.getRandomValues(new Uint32Array(2)).join('');
  const popup =
    // A document with an opaque origin would receive no messages from its window.
    window.origin !== 'null' &&
    !isFrameRefused &&
    openBlank(name, newTabTarget === 'tab' ? '' : 'width=480,height=720');
  if (popup && !popup.closed) return popup;
  const isFramed = window.top !== window;
  // If the top page sets COOP, browsers open a window that the frame can neither use nor close. The next
  // click must not open another one. A window uses up the click, and a popup blocker does not.
  if (!obstacle && isFramed && findPopupObstacle()) isFrameRefused = true;
  const reason = obstacle || (isFramed ? 'framed' : 'blocked');
  const retryable = !isFrameRefused && !isLasting(obstacle);
  const cure = retryable ? 'call verify() first in a click, allow pop-ups or ' : '';
  return fail(
    'popup_blocked',
    `Cannot open the window (${reason}): ${cure}set mode to "redirect"`,
    {
      retryable,
      details: { reason },
    },
  );
};

/**
 * Calls window.open or, where a script of the page has replaced it by an unrelated function or variable
 * named `open`, document.open, which does the same with three arguments.
 */
const openBlank = (name: string, features: string): Window | null | undefined => {
  // Firefox throws in a sandbox that lacks allow-popups.
  const open = (opener: Pick<Window, 'open'>): Window | null | undefined =>
    tryTo(() => opener.open('', name, features));
  const own = Object.getOwnPropertyDescriptor(window, 'open');
  // A function that a classic script declares is not configurable and is not called. One that a script
  // assigned may be a wrapper of the browser's function, which returns a window or null.
  const popup = own && !own.configurable ? undefined : open(window);
  // In jsdom, document.open is not native: it would erase the document.
  const hasDocumentOpen = /native code/.test(String(document.open));
  return popup === undefined && hasDocumentOpen ? open(document as never) : popup;
};
