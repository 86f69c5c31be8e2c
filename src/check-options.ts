import { fail } from './errors.ts';
import { isForeign } from './environment.ts';
import { resolveLanguage } from './language.ts';
import type { OfAgeOptions } from './options.ts';
import { quote } from './quote.ts';
import { parseUrl } from './urls.ts';
import { warnOnce } from './warnings.ts';

/**
 * Options that redirect mode does not use, because it opens no window, and the page is unloaded before
 * there is a result. `cancelUrl` is only passed on to the service.
 */
const NEW_TAB_OPTIONS = ['newTabTarget', 'cancelUrl', 'onComplete', 'onCancel'] as const;

/**
 * Checks what the rules for single options cannot express: the kind of the key, the URLs, and combinations
 * of options.
 */
export const checkOptions = (options: OfAgeOptions): void => {
  const { apiKey, returnUrl, cancelUrl } = options;
  if (!apiKey) {
    fail('api_key_required', 'apiKey is required');
  }
  // Matches a secret key at any word boundary, for example after "Bearer ", a quote or a space. The message
  // never quotes the key.
  if (/\bsk_/i.test(apiKey)) {
    fail('secret_key_blocked', 'Secret key in browser: revoke it');
  }
  // Allows only visible ASCII, because other characters are not safe in a header. The value may be a key of
  // another service, so the message does not quote it either.
  if (!/^pk_[!-~]+$/.test(apiKey)) {
    fail('api_key_invalid', 'apiKey must be a pk_ key in ASCII without spaces');
  }
  if (!returnUrl) {
    fail('return_url_required', 'returnUrl is required');
  }
  const { search } = parseUrl('returnUrl', returnUrl, 'return_url_invalid');
  if (cancelUrl) parseUrl('cancelUrl', cancelUrl, 'cancel_url_invalid');
  resolveLanguage(options.language); // warns now, because verify() may run much later
  warnOfParameters(search);
  if (options.mode === 'new-tab') warnOfOrigin(returnUrl);
  else warnOfMode(options);
};

/**
 * Warns if returnUrl already has a parameter that the service appends, for example because a page that a
 * shopper returned to passes its own address. Then searchParams.get() reads the old value, and
 * handleReturn() the appended one.
 */
const warnOfParameters = (search: string): void => {
  const found = /[?&](sessionId|status|timestamp|externalUserId)=/.exec(search);
  if (found) warnOnce(`returnUrl already has ${found[1]}: remove it`);
};

/**
 * Warns if returnUrl is on a different origin than this page. The return page reports over a
 * BroadcastChannel, which only pages of one origin share. No return page can have the origin of an extension
 * or of an app.
 */
const warnOfOrigin = (returnUrl: string): void => {
  if (isForeign(returnUrl)) {
    warnOnce(
      `a result may be lost: put returnUrl on ${quote(location.origin)} or set mode to "redirect"`,
    );
  }
};

const warnOfMode = (options: OfAgeOptions): void => {
  const names = NEW_TAB_OPTIONS.filter((name) => options[name]).join(' and ');
  if (names) warnOnce(`set mode to "new-tab" for ${names}`);
};
