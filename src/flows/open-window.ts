import { NAMESPACE } from '../brand.ts';
import { fail } from '../errors.ts';
import type { OfAgeOptions } from '../options.ts';
import { findPopupObstacle } from '../self-check.ts';
import { tryTo } from '../try-to.ts';

/** Set when a click in this frame opened no usable window: a later click would not either. */
let isFrameRefused = false;

/**
 * Opens a blank window. Must run in the click, before anything is awaited: WebKit refuses a tenth of
 * a second later.
 *
 * @throws an OfAgeError `popup_blocked`
 */
export const openWindow = ({ newTabTarget }: OfAgeOptions): Window => {
  // Looked for before the window opens, because opening uses up the click.
  const obstacle = findPopupObstacle();
  // A new random name each time: another page may have opened a window with a fixed name before.
  const name = NAMESPACE + crypto.getRandomValues(new Uint32Array(2)).join('');
  const popup =
    // A document without an origin would hear nothing from its window.
    obstacle !== 'sandboxed' &&
    !isFrameRefused &&
    // Firefox throws in a sandbox without allow-popups.
    tryTo(() => findOpener().open('', name, newTabTarget === 'tab' ? '' : 'width=480,height=720'));
  if (popup && !popup.closed) return popup;
  // Below a top page with COOP, browsers open a window that the frame can neither use nor close. The
  // next click must not open another one.
  if (!obstacle && window.top !== window) isFrameRefused = true;
  const reason = obstacle || (isFrameRefused ? 'framed' : 'blocked');
  // In a sandbox, a frame or a web view a click does not help.
  const isClickMissing = reason === 'no_user_gesture' || reason === 'blocked';
  const cure = isClickMissing
    ? 'call verify() in the click handler before any await, allow pop-ups, or '
    : '';
  return fail(
    'popup_blocked',
    `Cannot open the verification window (${reason}): ${cure}set mode to "redirect"`,
    { details: { reason } },
  );
};

/**
 * Returns the object whose `open` method opens windows. A script of the page may have declared a
 * function named `open`, which replaces window.open; unlike the browser's own it is not configurable.
 * document.open with three arguments is the same function.
 */
const findOpener = (): Pick<Window, 'open'> => {
  const own = Object.getOwnPropertyDescriptor(window, 'open');
  return own && !own.configurable ? (document as never) : window;
};
