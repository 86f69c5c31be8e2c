/** Hosts that every account may return to, so that a shop under development works at once. */
const ALWAYS_ALLOWED: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Tells whether a return address stays within the account's domains: an http(s) URL without credentials, on
 * any port, whose host equals an entry or is a subdomain of an entry that starts with `*.`.
 */
export function isAllowedUrl(input: string, allowedDomains: readonly string[]): boolean {
  const url = parseHttpUrl(input);
  if (!url) return false;
  // Credentials could imitate a host name: the browser goes to the host after the @.
  if (url.username !== '' || url.password !== '') return false;
  return isAllowedHost(url.hostname, allowedDomains);
}

/** Tells whether an entry is a host, or `*.` followed by a host, which allows its subdomains. */
export function isDomainEntry(entry: string): boolean {
  return toHost(entry.startsWith('*.') ? entry.slice(2) : entry) !== null;
}

/** Parses what a browser would navigate to over http or https; null for anything else. */
export function parseHttpUrl(input: string): URL | null {
  if (!URL.canParse(input)) return null;
  const url = new URL(input);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function isAllowedHost(host: string, allowedDomains: readonly string[]): boolean {
  if (ALWAYS_ALLOWED.includes(host)) return true;
  return allowedDomains.some((entry) => {
    if (!entry.startsWith('*.')) return toHost(entry) === host;
    const parent = toHost(entry.slice(2));
    // A star is a letter to the URL parser, but no name on the Internet.
    return parent !== null && host.endsWith(`.${parent}`) && !host.includes('*');
  });
}

/**
 * Returns the host in the spelling of URLs: lower case, Punycode. Null if the text is not a bare host but
 * has a scheme, port, path, leading or trailing dot, or another `*`.
 */
function toHost(text: string): string | null {
  if (text === '' || /[\s/\\?#@*%]|^\.|\.$/.test(text)) return null;
  if (!URL.canParse(`https://${text}/`)) return null;
  const { hostname, port, pathname } = new URL(`https://${text}/`);
  const hasPort = port !== '' || /:\d*$/.test(text.replace(/^\[.*\]/, ''));
  return hasPort || pathname !== '/' ? null : hostname;
}
