import { isAddress, isLoopbackAddress, isPublicAddress } from './public-address.ts';

/**
 * All addresses of a name, A and AAAA together; empty when it has none. Rejects when nobody can say.
 * Asked once per connection: the answer that was judged is the one that is dialled.
 */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

export interface DestinationPolicy {
  /**
   * Opens http and https to `localhost`, 127.0.0.0/8 and ::1, or to some origins there alone, and nothing
   * else that is not public.
   * @default false
   */
  allowLoopback?: boolean | readonly string[];
  /** Without one, as in a browser, a name is judged by its spelling alone. */
  resolve?: Resolve;
}

export type Destination =
  | {
      kind: 'allowed';
      /** What to store and to send to: normalised, without fragment. */
      url: string;
      /** The host as it is resolved and named in TLS: no brackets, no trailing dot. */
      host: string;
      /** Which addresses may be dialled; null when there was no resolver to ask. */
      addresses: readonly string[] | null;
      /** Which network it is in, for the check of the connected socket. */
      network: 'public' | 'loopback';
    }
  | { kind: 'refused'; error: DestinationError };

export type DestinationError =
  'invalid_url' | 'not_https' | 'destination_not_public' | 'unresolved';

/**
 * Judges an address that is to be stored, as checkDestination() does, and by its length. What was stored
 * once is not refused for that later, and what a receiver redirects to is not stored.
 */
export async function checkNewDestination(
  input: string,
  policy: DestinationPolicy,
): Promise<Destination> {
  const spelled = judgeSpelling(input, policy.allowLoopback);
  if (spelled.kind === 'allowed' && spelled.url.length > MAX_URL_LENGTH)
    return refused('invalid_url');
  return checkDestination(input, policy);
}

/**
 * Judges where a webhook would go: when an endpoint is configured, and again before each connection,
 * redirects included. Parsed hosts and addresses are judged, never text, because the URL parser rewrites
 * what it reads (`https://2130706433/` is loopback). One address that is not public refuses the whole name.
 */
export async function checkDestination(
  input: string,
  policy: DestinationPolicy,
  signal?: AbortSignal,
): Promise<Destination> {
  const spelled = judgeSpelling(input, policy.allowLoopback);
  if (spelled.kind === 'refused' || spelled.addresses !== null || !policy.resolve) return spelled;
  const addresses = await policy.resolve(spelled.host, signal).catch(() => []);
  if (addresses.length === 0) return refused('unresolved');
  if (!addresses.every(isPublicAddress)) return refused('destination_not_public');
  return { ...spelled, addresses };
}

/** Judges what needs no resolver: the form of the URL, and a host that is an address, or `localhost`. */
export function judgeSpelling(
  input: string,
  allowLoopback: DestinationPolicy['allowLoopback'] = false,
): Destination {
  if (!URL.canParse(input)) return refused('invalid_url');
  const url = new URL(input);
  const host = toHost(url);
  const isOpen =
    typeof allowLoopback === 'boolean' ? allowLoopback : allowLoopback.includes(url.origin);
  const loopback = isOpen ? loopbackAddresses(host) : null;
  if (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:'))
    return refused('not_https');
  if (!isSpelledOut(input)) return refused('invalid_url');
  if (!loopback && !mayBePublic(host)) return refused('destination_not_public');
  // After the host: credentials before a private address are first of all a private address.
  if (url.username !== '' || url.password !== '' || url.port === '0') return refused('invalid_url');

  url.hash = '';
  const allowed = { kind: 'allowed', url: url.href, host } as const;
  if (loopback) return { ...allowed, addresses: loopback, network: 'loopback' };
  if (isAddress(host)) return { ...allowed, addresses: [host], network: 'public' };
  if (!fitsDns(host)) return refused('unresolved');
  return { ...allowed, addresses: null, network: 'public' };
}

/** A sentence for whoever configures an endpoint. It names neither address nor rule, which would map our network. */
export const DESTINATION_MESSAGES: Readonly<Record<DestinationError, string>> = {
  invalid_url:
    'url must be a plain URL without credentials, of at most 2048 characters when encoded, such as https://shop.example/webhooks',
  not_https: 'url must use https',
  destination_not_public: 'url must lead to a public Internet address',
  unresolved: 'url must have a host name that resolves to public Internet addresses',
};

/**
 * Longer than any receiver needs, and short enough to store with every event. Of what is stored: the URL
 * parser writes `ü` as `%C3%BC`.
 */
const MAX_URL_LENGTH = 2048;

/**
 * The URL parser drops tabs and newlines, takes a backslash for a slash and adds missing slashes. Other
 * parsers do not, and two parsers that disagree about the host are how such checks are passed.
 */
function isSpelledOut(input: string): boolean {
  const text = input.trim();
  return !/[\p{Cc}\s\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text);
}

function toHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** RFC 6761: `localhost` is loopback whatever a resolver says, so nobody is asked. */
function loopbackAddresses(host: string): readonly string[] | null {
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  return isLoopbackAddress(host) ? [host] : null;
}

/** Names that only a local resolver knows, whatever it answers. */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'onion'];

function mayBePublic(host: string): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  if (!host.includes('.') || host.split('.').includes('')) return false;
  return !LOCAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** RFC 1035: 63 octets a label, 253 a name. The URL parser is more generous. */
function fitsDns(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => label.length <= 63);
}

function refused(error: DestinationError): Destination {
  return { kind: 'refused', error };
}
