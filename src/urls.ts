import { toUrl } from './environment.ts';
import type { OfAgeErrorCode } from './error-codes.ts';
import { fail } from './errors.ts';
import { quote } from './quote.ts';
import { tryTo } from './try-to.ts';

/** Compares the whole parsed host, so that localhost.evil.example is not accepted as localhost. */
export const isLocalHost = (host: string): boolean => /^(localhost|127\.0\.0\.1)$/.test(host);

/**
 * Parts of a URL that parsers silently repair. They drop or trim spaces and control characters, turn a
 * backslash into a slash and add missing slashes. Two parsers might then disagree about the URL.
 */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const AMBIGUOUS = /[\0-\x20\x7f]|^[^?#]*\\|^https?:(?!\/\/)/i;

const RULE = 'https:, or http: on localhost or 127.0.0.1, without spaces or credentials';

/**
 * Checks a URL against the rules for return URLs. The string itself is not normalised, so that the checked
 * string is sent unchanged.
 *
 * @param name - the name of the option, for the message
 * @param code - the error code for a malformed URL
 */
export const parseUrl = (name: string, value: string, code: OfAgeErrorCode): URL => {
  const refuse = (reason: OfAgeErrorCode, sentence: string): never =>
    fail(reason, `${sentence}${name} must be ${RULE}, got ${quote(value)}`);
  // Parses without a base, because a relative URL would mean something else on another page.
  const url = tryTo(() => toUrl(value)) || refuse(code, '');
  if (!/^https?:$/.test(url.protocol)) {
    refuse('url_scheme_blocked', 'Blocked suspicious URL scheme: ');
  }
  if (url.protocol === 'http:' && !isLocalHost(url.hostname)) {
    refuse('https_required', 'HTTPS required in production: ');
  }
  if (url.username || url.password || AMBIGUOUS.test(value)) refuse(code, '');
  return url;
};

/**
 * Appends parameters and keeps the existing URL byte for byte. URLSearchParams would serialise the whole
 * query again (`%20` becomes `+`, `flag` becomes `flag=`), which breaks signed URLs. Parameters with a
 * falsy value are left out.
 */
export const appendParams = (
  url: string,
  params: Record<string, string | number | boolean | undefined>,
): string =>
  // The query ends where the fragment begins.
  url.replace(/^[^#]*/, (head) => {
    for (const name of Object.keys(params)) {
      const value = params[name];
      if (value) head += separatorAfter(head) + name + '=' + encodeURIComponent(value);
    }
    return head;
  });

const separatorAfter = (head: string): string => {
  if (head.indexOf('?') < 0) return '?';
  // Only the first question mark begins the query. A second one is part of it.
  const endsWithSeparator = /^[^?]*\?$|&$/.test(head);
  return endsWithSeparator ? '' : '&';
};
