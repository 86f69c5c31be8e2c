import { isSupported } from './environment.ts';
import { tryTo } from './try-to.ts';

/** A reason why a window might not open on this page. */
export type PopupObstacle = 'sandboxed' | 'file' | 'webview' | 'no_user_gesture';

/** Capabilities of the page. They are read synchronously, without a request or a window. */
export interface SelfCheck {
  /**
   * `unsupported`: this is not a browser page or lacks fetch, URL, URLSearchParams or crypto, so no other
   * field is set. `redirect`: use `redirect` mode. `return-page`: use `new-tab` mode only if the return page
   * calls `handleReturn()`. `any`: both modes work.
   */
  advice: 'unsupported' | 'redirect' | 'return-page' | 'any';
  /**
   * True if the page is cross-origin isolated, so that a verification window cannot report to it directly.
   */
  crossOriginIsolated?: boolean;
  /** True if the page runs in a frame, where storage partitioning may block the return page's report. */
  framed?: boolean;
  /**
   * The reason why a window might not open. `sandboxed`: the page has an opaque origin, as in a sandboxed
   * frame. `file`: the page was opened from a file, which also has an opaque origin. `webview`: the user agent is that of a
   * browser inside another app, or of an app on the home screen of iOS. `no_user_gesture`: the call was not made
   * in a click.
   */
  popupObstacle?: PopupObstacle | undefined;
  /** True if localStorage is available. Without it, the client's rate limit does not survive a reload. */
  storage?: boolean;
}

/**
 * Checks what this page can do, for a support ticket or before choosing a mode. A page's COOP
 * header cannot be read from inside, except that cross-origin isolation implies `same-origin`.
 *
 * @returns the capabilities, and the advice derived from them
 *
 * @example
 * ```ts
 * import { OfAge, selfCheck } from 'ofage';
 *
 * const mode = selfCheck().advice === 'any' ? 'new-tab' : 'redirect';
 * new OfAge({ apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return', mode });
 * ```
 */
export function selfCheck(): SelfCheck {
  if (!isSupported()) return { advice: 'unsupported' };
  const { crossOriginIsolated = false, top, self } = window;
  const framed = top !== self;
  const popupObstacle = findPopupObstacle();
  // Cross-origin isolation blocks the window's messages, and a frame's channel may be partitioned. A page of
  // an extension or an app gets neither, because no returnUrl can be on its origin.
  const mustRedirect =
    (crossOriginIsolated && framed) || isLasting(popupObstacle) || !isWebOrigin(location);
  const windowAdvice = crossOriginIsolated ? 'return-page' : 'any';
  return {
    advice: mustRedirect ? 'redirect' : windowAdvice,
    crossOriginIsolated,
    framed,
    popupObstacle,
    storage: !!tryTo(() => localStorage),
  };
}

/** An opaque origin may be that of a frame which its page on the web wrote. */
const isWebOrigin = ({ origin }: Location): boolean => /^(http|null)/.test(origin);

/** Returns true for an obstacle that another click does not remove. */
export const isLasting = (obstacle: PopupObstacle | undefined): boolean =>
  !!obstacle && obstacle !== 'no_user_gesture';

/** Returns the likeliest reason why a window will not open, or undefined if none is found. */
export function findPopupObstacle(): PopupObstacle | undefined {
  const { userAgent, userActivation } = navigator as Navigator & {
    userActivation?: UserActivation;
  };
  if (window.origin === 'null') return location.protocol === 'file:' ? 'file' : 'sandboxed';
  // On Apple's systems every browser names Safari, and an app that shows pages does not. Android marks apps with
  // `wv`. LINE and WeChat are recognised by name, because some of their versions look like a browser.
  if (/\((iP|Mac.*KHTML)(?!.*Safari\/)|; wv|Line\/|MicroMessenger/.test(userAgent))
    return 'webview';
  return userActivation && !userActivation.isActive ? 'no_user_gesture' : undefined;
}
