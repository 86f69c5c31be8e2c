import { fail, type OfAgeError } from './errors.ts';
import type { CompletedResult } from './outcome.ts';
import { parseUrl } from './urls.ts';

/** What the constructor takes. */
export interface OfAgeOptions {
  /**
   * The publishable key, which starts with `pk_`. A secret key is refused in every spelling: it
   * would be readable by everyone who opens the page.
   */
  apiKey: string;
  /**
   * Where the shopper goes after the check; `sessionId`, `status` and `timestamp` are appended.
   * An absolute `https:` URL, or `http:` on exactly `localhost` or `127.0.0.1`. Its domain must
   * also be allowed in the dashboard.
   */
  returnUrl: string;
  /**
   * Where this page goes after a cancellation in `new-tab` mode; `status=cancelled`, `sessionId`
   * and `timestamp` are appended. Same rules as `returnUrl`.
   * @default no navigation
   */
  cancelUrl?: string | undefined;
  /**
   * `redirect` takes this page to the verification page; `new-tab` opens it beside this one.
   * @default 'redirect'
   */
  mode?: 'redirect' | 'new-tab' | undefined;
  /**
   * What `new-tab` opens: a small window or a tab. Phones show a tab either way.
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
   * Which installation of the service to use. Customers leave it unset.
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
   * Called with what `verify()` rejects with. When it is set, a rejection that nobody handles is
   * not reported by the browser.
   */
  onError?: ((error: OfAgeError) => void) | undefined;
}

/** What one call of `verify()` takes: conveniences only. Policy is set in the dashboard. */
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

/** What each option must be: a typeof word, or the allowed words with a bar between them. */
type Rules<T> = Record<keyof T, string>;

export const OPTION_RULES: Rules<OfAgeOptions> = {
  apiKey: 'string',
  returnUrl: 'string',
  cancelUrl: 'string',
  mode: 'redirect|new-tab',
  newTabTarget: 'popup|tab',
  language: 'string',
  environment: 'production|staging',
  onComplete: 'function',
  onCancel: 'function',
  onError: 'function',
};

export const CALL_RULES: Rules<VerifyOptions> = {
  externalUserId: 'string',
  skipIntro: 'boolean',
  autoReturn: 'boolean',
  language: 'string',
};

/** Copies options that follow their rules; throws what a developer has to know at once. */
export const parseOptions = <T extends object>(input: unknown, rules: Rules<T>): T => {
  const options = Object.assign({}, input) as T;
  for (const name of Object.keys(options) as Array<string & keyof T>) {
    const value: unknown = options[name];
    const rule = rules[name];
    // A word of the list, and only where there is a list: the text 'function' is no function.
    const words = String(rule).split('|');
    const good = words[1] ? words.indexOf(value as string) >= 0 : typeof value === rule;
    if (value === undefined ? rule : good) continue;
    fail(
      'invalid_option',
      name + ' must be ' + (rule || 'left out: policy is set in the dashboard'),
    );
  }
  return options;
};

/** Checks what a word cannot say: the key's kind, and the addresses. */
export const checkOptions = ({ apiKey, returnUrl, cancelUrl }: OfAgeOptions): void => {
  if (!apiKey) fail('api_key_required', 'apiKey is required');
  // Anywhere a word can begin: "Bearer sk_", quotes, blanks. The key itself is never repeated.
  if (/\bsk_/i.test(apiKey)) fail('secret_key_blocked', 'Secret key in browser');
  if (!/^pk_[!-~]+$/.test(apiKey)) fail('api_key_invalid');
  if (!returnUrl) fail('return_url_required', 'returnUrl is required');
  parseUrl(returnUrl, 'return_url_invalid');
  if (cancelUrl) parseUrl(cancelUrl, 'cancel_url_invalid');
};
