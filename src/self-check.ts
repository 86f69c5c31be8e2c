import { isSupported } from './environment.ts';
import { tryTo } from './try-to.ts';

/** Why a window may not open here. */
export type PopupObstacle = 'sandboxed' | 'webview' | 'no_user_gesture';

/** What this page can do; everything is read at once, without a request or a window. */
export interface SelfCheck {
  /**
   * What follows: this is no browser page, and nothing else is known; use `redirect` mode; use
   * `new-tab` mode only with `handleReturn()` on the return page; or use either mode.
   */
  advice: 'unsupported' | 'redirect' | 'return-page' | 'any';
  /** The page is cross-origin isolated: a verification window cannot report to it directly. */
  crossOriginIsolated?: boolean;
  /** The page runs in a frame. */
  framed?: boolean;
  /**
   * Why a window may not open: the page has no origin of its own (a sandboxed frame), it runs in
   * another app's browser (a guess from the browser's name), or no click is fresh enough.
   */
  popupObstacle?: PopupObstacle | undefined;
  /** localStorage is open; without it the client's limit does not survive a reload. */
  storage?: boolean;
}

/**
 * Checks what this page can do, for a support ticket or before choosing a mode. A page's COOP
 * header cannot be read from inside, except that cross-origin isolation implies `same-origin`.
 *
 * @returns facts, and the advice that follows from them
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
  return {
    // Isolation cuts the window's messages off, and a frame's channel may be partitioned.
    advice:
      (crossOriginIsolated && framed) || (popupObstacle && popupObstacle !== 'no_user_gesture')
        ? 'redirect'
        : crossOriginIsolated
          ? 'return-page'
          : 'any',
    crossOriginIsolated,
    framed,
    popupObstacle,
    storage: !!tryTo(() => localStorage),
  };
}

/** The likeliest reason for a window that does not open; undefined when there is none to see. */
export function findPopupObstacle(): PopupObstacle | undefined {
  const { userAgent, userActivation } = navigator as Navigator & {
    userActivation?: UserActivation;
  };
  if (window.origin === 'null') return 'sandboxed';
  // Only a hint, from the browser's name: such lists age.
  if (/FBA[NV]|Instagram|Line\/|MicroMessenger|; wv/.test(userAgent)) return 'webview';
  return userActivation && !userActivation.isActive ? 'no_user_gesture' : undefined;
}
