import { fail, type OfAgeErrorCode } from './errors.ts';
import { tryTo } from './try-to.ts';

/**
 * Checks a URL by the rules for return addresses. The string itself is left as it is: what was
 * checked is what is sent.
 *
 * @param code - what to fail with when it is no usable address at all
 */
export const parseUrl = (value: string, code: OfAgeErrorCode): URL => {
  // No base: a relative address means something else elsewhere.
  const url = tryTo(() => new URL(value)) || fail(code);
  if (!/^https?:/.test(url.href)) fail('url_scheme_blocked', 'Blocked suspicious URL scheme');
  // The parsed host, so that localhost.evil.example does not pass for localhost.
  if (!/^(https|http:..(localhost|127\.0\.0\.1)(:\d+)?\/)/.test(url.href))
    fail('https_required', 'HTTPS required in production');
  // Parsers drop tabs and line feeds, turn \ into / and add what is missing of //: another parser,
  // or a page that it is relative to, might read another URL.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (url.username || url.password || /[\0- \x7f]|^[^?#]*\\|^\w+:\/?[^/]/.test(value)) fail(code);
  return url;
};

/**
 * Appends parameters and keeps every byte that was there. URLSearchParams would write the whole
 * query anew (`%20` becomes `+`, `flag` becomes `flag=`), which breaks signed addresses. What is
 * undefined or false is left out.
 */
export const appendParams = (
  url: string,
  params: Record<string, string | number | boolean | undefined>,
): string =>
  url.replace(/^[^#]*/, (head) => {
    for (const name of Object.keys(params)) {
      const value = params[name];
      if (!value) continue;
      // A second question mark belongs to the query: only the first one begins it.
      head += head.indexOf('?') < 0 ? '?' : /^[^?]*\?$|&$/.test(head) ? '' : '&';
      head += name + '=' + encodeURIComponent(value);
    }
    return head;
  });
