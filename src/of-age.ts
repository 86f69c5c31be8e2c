import { createSession } from './api.ts';
import { createAttempt, type Attempt } from './attempt.ts';
import { PRODUCTION_API, STAGING_API, VERSION } from './brand.ts';
import { awaitReturn } from './channel.ts';
import { checkOptions } from './check-options.ts';
import { isPrerendering, isSupported } from './environment.ts';
import { fail, type OfAgeError } from './errors.ts';
import type { Flow } from './flows/flow.ts';
import { openNewTab } from './flows/new-tab.ts';
import { openRedirect } from './flows/redirect.ts';
import { resolveLanguage } from './language.ts';
import type { OfAgeOptions, VerifyOptions } from './options.ts';
import type { VerifyResult } from './outcome.ts';
import { CALL_RULES, OPTION_RULES, parseOptions } from './parse-options.ts';
import { checkRateLimit } from './rate-limit.ts';

/** A configured instance of the SDK. It can run any number of verifications, one at a time. */
export interface OfAge {
  /**
   * Verifies the shopper's age. Call it directly in a click handler, because browsers may block a window
   * that opens later. In `new-tab` mode the window opens before the session is requested.
   *
   * A second call while a verification is in progress:
   * - in `new-tab` mode brings the window to the front. With equal options it returns the same promise, with
   *   others it rejects.
   * - if the window is closed or unreachable, replaces the first, which rejects with `superseded`. If the
   *   shopper then finishes in the first window, the second resolves with the session of that window.
   * - in `redirect` mode, while the browser leaves the page, navigates to the same session again.
   *
   * In `redirect` mode, on a page that the browser prerenders, nothing happens until the shopper opens it.
   *
   * @param options - options for this call; the policy is set in the dashboard
   * @returns `new-tab`: `verified` or `failed` when the shopper finished the check, `cancelled` when they
   *   left. `redirect`: pending while the page unloads; `cancelled` when the shopper comes back with the
   *   Back button. Every result is only a hint: your server must call validate.
   * @throws never synchronously; the promise rejects with an {@link OfAgeError}
   *
   * @example
   * ```ts
   * import { OfAge } from 'ofage';
   *
   * const ofAge = new OfAge({
   *   apiKey: 'pk_test_123',
   *   returnUrl: 'https://shop.example/return',
   *   mode: 'new-tab',
   * });
   * document.querySelector('button')?.addEventListener('click', async () => {
   *   const result = await ofAge.verify({ externalUserId: 'user-42' });
   *   if (result.status !== 'cancelled') console.info('ask the server about', result.sessionId);
   * });
   * ```
   */
  verify(options?: VerifyOptions): Promise<VerifyResult>;

  /**
   * Ends a verification in progress, for a component that unmounts. Closes the window, stops every listener
   * and timer, and resolves the pending promise as `cancelled` with reason `destroyed`. Calls no callback.
   * The object can be used again afterwards.
   */
  destroy(): void;
}

/** The type of `OfAge`, and of the constructor that `createTestOfAge` returns. */
export interface OfAgeConstructor {
  /**
   * Checks the options and creates an object that can run verifications, one at a time. Sends nothing and opens
   * no window, so it may run when the page loads.
   *
   * @param options - see {@link OfAgeOptions}
   * @throws an {@link OfAgeError} at once: `api_key_required`, `api_key_invalid`,
   *   `secret_key_blocked`, `return_url_required`, `return_url_invalid`, `cancel_url_invalid`,
   *   `https_required`, `url_scheme_blocked`, `invalid_option`
   */
  new (options: OfAgeOptions): OfAge;
  /** The version of the SDK, the same as in its package.json. */
  readonly VERSION: string;
}

interface Running {
  _attempt: Attempt;
  _flow: Flow;
  _externalUserId: string | undefined;
  /** The session of this attempt, if it exists, and those of the attempts that it superseded. */
  _sessionIds: readonly string[];
  /**
   * Identifies the options. Calls with equal options have equal keys, and an omitted option equals its
   * default.
   */
  _key: string;
}

const IN_PROGRESS = 'verify() is running with other options';

const assertSupported = (): void => {
  if (!isSupported())
    fail('unsupported_environment', 'verify() needs a page with fetch, URL and crypto');
};

/**
 * Creates the constructor for one set of API addresses. Not part of the public entry, because a page must
 * not be able to point the production SDK at another service.
 *
 * @param noteError - is called with each error of verify() before the page sees it
 */
export const createOfAge = (
  production: string,
  staging: string,
  noteError?: (error: OfAgeError) => void,
): OfAgeConstructor => {
  // The state is in a closure, because ES2015 has no private fields.
  class Sdk implements OfAge {
    readonly verify: OfAge['verify'];
    readonly destroy: OfAge['destroy'];

    constructor(input: OfAgeOptions) {
      const settings = parseOptions('new OfAge()', input, OPTION_RULES);
      const apiBase = settings.environment === 'staging' ? staging : production;
      let running: Running | undefined;
      checkOptions(settings);

      // The window must open before anything is awaited, because WebKit allows it only during the click.
      this.verify = (options) => {
        const attempt = createAttempt(settings, noteError);
        try {
          assertSupported();
          const call = parseOptions('verify()', options, CALL_RULES);
          const externalUserId = call.externalUserId || undefined;
          const lang = resolveLanguage(call.language || settings.language);
          const params = { lang, skip_intro: !!call.skipIntro, auto_return: !!call.autoReturn };
          const key = JSON.stringify([externalUserId, params]);
          const user = JSON.stringify([settings.apiKey, externalUserId]);
          let sessionIds: readonly string[] = [];
          if (running) {
            const { _attempt, _flow } = running;
            const isSameUser = running._externalUserId === externalUserId;
            if (isSameUser) sessionIds = running._sessionIds;
            if (isSameUser && _flow._canLeaveAgain()) {
              _flow._leaveAgain(params);
              return _attempt._promise;
            }
            if (_flow._isReachable()) {
              _flow._focus();
              if (running._key === key) return _attempt._promise;
              fail('verification_in_progress', IN_PROGRESS);
            }
          }
          if (!isPrerendering()) checkRateLimit(user);
          const open = settings.mode === 'new-tab' ? openNewTab : openRedirect;
          const flow = open(attempt, settings, lang);
          // The old attempt is superseded only after the new window has opened. If opening fails, the old
          // attempt continues, because its window may still report a result although this page cannot reach
          // it. Once superseded, its session may still end in that window, which then ends this attempt.
          sessionIds.forEach((sessionId) => awaitReturn(attempt, sessionId));
          if (running) running._attempt._fail('superseded');
          attempt._defer(() => (running = undefined));
          const current: Running = {
            _attempt: attempt,
            _flow: flow,
            _externalUserId: externalUserId,
            _sessionIds: sessionIds,
            _key: key,
          };
          running = current;
          attempt._result.externalUserId = externalUserId;
          const start = (): unknown =>
            createSession(attempt, apiBase, settings, user)
              .then((session) => {
                if (attempt._settled) return;
                attempt._result.sessionId = session.sessionId;
                current._sessionIds = sessionIds.concat(session.sessionId);
                flow._show(session, params);
              })
              // A cause that is not an OfAgeError comes from the navigation.
              .then(undefined, (cause) => attempt._fail('navigation_failed', cause));
          // The shopper may never open a prerendered page, so it creates no session. No window opens there.
          if (isPrerendering()) attempt._listen('prerenderingchange', start, document);
          else start();
        } catch (cause) {
          attempt._fail('internal_error', cause);
        }
        return attempt._promise;
      };
      this.destroy = () => {
        if (running) running._attempt._cancel('destroyed');
      };
    }
  }
  return Object.assign(Sdk, { VERSION });
};

/**
 * The browser SDK: `new OfAge(options)`, then `verify()` in a click.
 *
 * @example
 * ```ts
 * import { OfAge } from 'ofage';
 *
 * const ofAge = new OfAge({ apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' });
 * document.querySelector('button')?.addEventListener('click', () => void ofAge.verify());
 * ```
 */
export const OfAge: OfAgeConstructor = /* @__PURE__ */ createOfAge(PRODUCTION_API, STAGING_API);
