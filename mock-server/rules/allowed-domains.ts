/**
 * Hosts that the return and cancel URLs of every account may have, so that a shop under development works
 * at once.
 */
const ALWAYS_ALLOWED: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Tells whether a return or cancel URL is within the account's allowed domains. It must be an http or https
 * URL without credentials, on any port, whose host is `localhost`, `127.0.0.1` or an entry, or a subdomain
 * that an entry such as `*.shop.example` allows.
 */
export function isAllowedUrl(input: string, allowedDomains: readonly string[]): boolean {
  const url = parseHttpUrl(input);
  if (!url) return false;
  // Credentials could imitate a host name, because the browser connects to the host after the @.
  if (url.username !== '' || url.password !== '') return false;
  return isAllowedHost(url.hostname, allowedDomains);
}

/** Tells whether an entry is a host, or `*.` followed by a host, which allows its subdomains. */
export function isDomainEntry(entry: string): boolean {
  return toHost(entry.startsWith('*.') ? entry.slice(2) : entry) !== null;
}

/** Parses a URL as a browser would before it navigates. Returns null unless it is http or https. */
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
    if (parent === null || !host.endsWith(`.${parent}`)) return false;
    // The URL parser accepts a star and an empty part in a host, but no host on the Internet has them.
    const parts = host.slice(0, -parent.length - 1).split('.');
    return parts.every((part) => part !== '' && !part.includes('*'));
  });
}

/**
 * Returns the host as URLs spell it, in lower case and Punycode. Returns null unless the text is a bare
 * host. A scheme, port, path, leading or trailing dot, or `*` is not allowed.
 */
function toHost(text: string): string | null {
  if (text === '' || /[\s/\\?#@*%]|^\.|\.$/.test(text)) return null;
  if (!URL.canParse(`https://${text}/`)) return null;
  const { hostname, port, pathname } = new URL(`https://${text}/`);
  const hasPort = port !== '' || /:\d*$/.test(text.replace(/^\[.*\]/, ''));
  return hasPort || pathname !== '/' ? null : hostname;
}
