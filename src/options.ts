import type { OfAgeError } from './errors.ts';
import type { CompletedResult } from './outcome.ts';

/** Options of the constructor, which copies them. Later changes have no effect. */
export interface OfAgeOptions {
  /**
   * The publishable key, which starts with `pk_`. A value that contains a secret key is refused, because
   * everyone who opens the page could read it.
   */
  apiKey: string;
  /**
   * The page that the shopper returns to after the check. `sessionId`, `status`, `timestamp` and any
   * `externalUserId` are appended. Must be an absolute `https:` URL, or `http:` on exactly `localhost` or
   * `127.0.0.1`. Any other domain must also be allowed in the dashboard.
   */
  returnUrl: string;
  /**
   * The page to navigate to when the shopper cancels in `new-tab` mode. It is not used if no session has
   * been created yet. `status=cancelled`, `sessionId` and `timestamp` are appended. The same rules apply as
   * for `returnUrl`. Call `handleReturn()` on this page too, because the hosted page may go there itself.
   * @default no navigation
   */
  cancelUrl?: string | undefined;
  /**
   * `redirect` navigates this page to the hosted page. `new-tab` opens it in a new window or tab.
   * @default 'redirect'
   */
  mode?: 'redirect' | 'new-tab' | undefined;
  /**
   * The kind of window in `new-tab` mode: a small popup window or a tab. Phones always show a tab.
   * @default 'popup'
   */
  newTabTarget?: 'popup' | 'tab' | undefined;
  /**
   * Language of the hosted page: `en`, `de`, `es`, `fr`, `pt` or `it`, also with a region (`pt-BR`). Any
   * other value is ignored, and the page uses the browser's language.
   * @default the browser's language
   */
  language?: string | undefined;
  /**
   * The installation of the service. Merchants leave it unset.
   * @default 'production'
   */
  environment?: 'production' | 'staging' | undefined;
  /**
   * Called in `new-tab` mode when the shopper finished the check, verified or not. The result is a hint for
   * the page. Your server must call validate before it grants access.
   */
  onComplete?: ((result: CompletedResult) => void) | undefined;
  /**
   * Called in `new-tab` mode when the shopper cancelled. Return exactly `false` to stay on this page
   * although `cancelUrl` is set. A promise that resolves to `false` has no effect.
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
  /** Your own identifier of the user. It is returned in webhooks, validate and the return address. */
  externalUserId?: string | undefined;
  /**
   * Skips the introduction and shows the camera step at once.
   * @default false
   */
  skipIntro?: boolean | undefined;
  /**
   * Returns to the merchant right after a success, without the closing screen.
   * @default false
   */
  autoReturn?: boolean | undefined;
  /** Overrides the constructor's `language` for this call. */
  language?: string | undefined;
}
