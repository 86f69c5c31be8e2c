import type { OfAgeError } from './errors.ts';
import type { CompletedResult } from './outcome.ts';

/** Options of the constructor. */
export interface OfAgeOptions {
  /**
   * The publishable key, which starts with `pk_`. A secret key is refused in every spelling: it
   * would be readable by everyone who opens the page.
   */
  apiKey: string;
  /**
   * The page that the shopper returns to after the check; `sessionId`, `status` and `timestamp` are
   * appended. An absolute `https:` URL, or `http:` on exactly `localhost` or `127.0.0.1`. Its domain must
   * also be allowed in the dashboard.
   */
  returnUrl: string;
  /**
   * The page to navigate to after a cancellation in `new-tab` mode; `status=cancelled`, `sessionId` and
   * `timestamp` are appended. Same rules as `returnUrl`.
   * @default no navigation
   */
  cancelUrl?: string | undefined;
  /**
   * `redirect` takes this page to the verification page; `new-tab` opens it beside this one.
   * @default 'redirect'
   */
  mode?: 'redirect' | 'new-tab' | undefined;
  /**
   * Opens a small window or a tab in `new-tab` mode. Phones always show a tab.
   * @default 'popup'
   */
  newTabTarget?: 'popup' | 'tab' | undefined;
  /**
   * Language of the verification page: `en`, `de`, `es`, `fr`, `pt` or `it`, also with a region
   * (`pt-BR`). Any other is left out, and the page follows the browser.
   * @default the browser's language
   */
  language?: string | undefined;
  /**
   * The installation of the service. Customers leave it unset.
   * @default 'production'
   */
  environment?: 'production' | 'staging' | undefined;
  /**
   * Called in `new-tab` mode when the shopper went through the check, verified or not. A hint for
   * the page; let your server ask validate before it grants anything.
   */
  onComplete?: ((result: CompletedResult) => void) | undefined;
  /**
   * Called in `new-tab` mode when the shopper left. Return exactly `false` to stay on this page
   * although `cancelUrl` is set; a promise of `false` comes too late and does not count.
   */
  onCancel?: (() => boolean | void) | undefined;
  /**
   * Called with the error that `verify()` rejects with, except `superseded`. If it is set, the browser does
   * not report an unhandled rejection.
   */
  onError?: ((error: OfAgeError) => void) | undefined;
}

/** Options of one `verify()` call. The verification policy is set in the dashboard. */
export interface VerifyOptions {
  /** Your own identifier of the user; comes back in webhooks, validate and the return address. */
  externalUserId?: string | undefined;
  /**
   * Skip the introduction and go straight to the camera.
   * @default false
   */
  skipIntro?: boolean | undefined;
  /**
   * Return right after a success, without the closing screen.
   * @default false
   */
  autoReturn?: boolean | undefined;
  /** Overrides the constructor's `language` for this call. */
  language?: string | undefined;
}
