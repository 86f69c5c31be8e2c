import { isAddress, isLoopbackAddress } from './address.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * Resolves a name to all its addresses, A and AAAA together. The list is empty if the name has none or if
 * the lookup fails. An exception counts as an empty list. It is called for each check of a host name that
 * may be public, and the Node sender connects only to the addresses that it returned.
 */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

export interface DestinationRules {
  /**
   * Allows http and https to `localhost`, 127.0.0.0/8 and ::1, or only to the listed origins on these
   * hosts. All other addresses must be public.
   * @default false
   */
  allowLoopback?: boolean | readonly string[];
  /**
   * The port of this computer at which the service itself listens. Webhooks must not reach it, because a
   * receiver could otherwise redirect them to the control API.
   * @default none
   */
  ownPort?: number | undefined;
  /** Resolves names. If it is omitted, as in a browser, only the spelling of a name is checked. */
  resolve?: Resolve;
}

export type Destination =
  | {
      kind: 'allowed';
      /** The URL to store and to send to: normalised, without a fragment. */
      url: string;
      /** The host for name resolution and TLS: no brackets, no trailing dot. */
      host: string;
      /** The addresses that may be dialled. Null if the name was not resolved. */
      addresses: readonly string[] | null;
      /** The network of the host, to check the connected socket against. */
      network: 'public' | 'loopback';
    }
  | { kind: 'refused'; error: DestinationError };

type DestinationError =
  /** It is not a URL, parsers may disagree about it, or it has credentials, port 0 or too many characters. */
  | 'invalid_url'
  | 'not_https'
  | 'destination_not_public'
  | 'own_address'
  /** The name has no address, or is longer than DNS allows. */
  | 'unresolved';

/**
 * The limit is longer than any receiver needs, and short enough to store with every event. It applies to
 * the normalised URL, in which `ü` is `%C3%BC`.
 */
const MAX_URL_LENGTH = 2048;

/**
 * Checks a new address in the same way as checkDestination(), and also its length. Stored addresses and
 * redirects are not refused for their length.
 */
export async function checkNewDestination(
  input: string,
  rules: DestinationRules,
): Promise<Destination> {
  const spelled = checkSpelling(input, rules);
  if (spelled.kind === 'allowed' && spelled.url.length > MAX_URL_LENGTH)
    return refused('invalid_url');
  return checkAddresses(spelled, rules);
}

/**
 * Checks a webhook's destination: when an endpoint is configured, and before each connection, also of a
 * redirect. It checks parsed hosts and addresses instead of text, because the URL parser rewrites its input
 * (`https://2130706433/` is loopback). A name is refused if any of its addresses is not public.
 */
export async function checkDestination(
  input: string,
  rules: DestinationRules,
  signal?: AbortSignal,
): Promise<Destination> {
  return checkAddresses(checkSpelling(input, rules), rules, signal);
}

/** Resolves the name of a destination that is spelled correctly, and checks each of its addresses. */
async function checkAddresses(
  spelled: Destination,
  { resolve }: DestinationRules,
  signal?: AbortSignal,
): Promise<Destination> {
  if (spelled.kind === 'refused' || spelled.addresses !== null || !resolve) return spelled;
  const addresses = await tryToResolve(resolve, spelled.host, signal);
  if (addresses.length === 0) return refused('unresolved');
  if (!addresses.every(isPublicAddress)) return refused('destination_not_public');
  return { ...spelled, addresses };
}

async function tryToResolve(
  resolve: Resolve,
  host: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await resolve(host, signal);
  } catch {
    return [];
  }
}

/**
 * Checks everything that needs no resolver: the form of the URL, and whether its host may be public or is
 * an allowed loopback host.
 */
export function checkSpelling(
  input: string,
  { allowLoopback = false, ownPort }: Omit<DestinationRules, 'resolve'> = {},
): Destination {
  if (!URL.canParse(input)) return refused('invalid_url');
  const url = new URL(input);
  const host = toHost(url);
  const isLoopbackAllowed =
    typeof allowLoopback === 'boolean' ? allowLoopback : allowLoopback.includes(url.origin);
  const loopback = isLoopbackAllowed ? findLoopbackAddresses(host) : null;
  const protocols = loopback ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(url.protocol)) return refused('not_https');
  if (!isUnambiguous(input)) return refused('invalid_url');
  if (!loopback && !mayBePublic(host)) return refused('destination_not_public');
  if (loopback && ownPort === toPort(url)) return refused('own_address');
  // This is checked after the host, because a private address is the more important error.
  if (url.username !== '' || url.password !== '' || url.port === '0') return refused('invalid_url');

  url.hash = '';
  const allowed = { kind: 'allowed', url: url.href, host } as const;
  if (loopback) return { ...allowed, addresses: loopback, network: 'loopback' };
  if (isAddress(host)) return { ...allowed, addresses: [host], network: 'public' };
  if (!fitsDns(host)) return refused('unresolved');
  return { ...allowed, addresses: null, network: 'public' };
}

/**
 * The messages for the person who configures an endpoint. They do not name the resolved addresses, because
 * those would reveal the service's network.
 */
export const DESTINATION_MESSAGES: Readonly<Record<DestinationError, string>> = {
  invalid_url: `url must be a plain URL without credentials, of at most ${MAX_URL_LENGTH} characters when encoded, such as https://shop.example/webhooks`,
  not_https: 'url must use https',
  destination_not_public: 'url must point to a public Internet address',
  own_address: 'url must not lead to the mock itself',
  unresolved: 'url must have a host name that resolves to public Internet addresses',
};

/**
 * Tells whether a URL needs no correction. The URL parser drops tabs and newlines, reads a backslash as a
 * slash and adds missing slashes. Other parsers do not, and if two parsers disagree about the host, a check
 * can be bypassed.
 */
function isUnambiguous(input: string): boolean {
  const text = input.trim();
  return !/[\p{Cc}\s\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text);
}

/** Returns the port that a request to the URL uses. */
export function toPort({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function toHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Returns the addresses of a loopback host, or null if it is another one. RFC 6761 makes `localhost` a
 * loopback name, so no resolver is asked.
 */
function findLoopbackAddresses(host: string): readonly string[] | null {
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  return isLoopbackAddress(host) ? [host] : null;
}

/** Suffixes that only a local resolver knows. They are refused without asking it. */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'onion'];

function mayBePublic(host: string): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  if (!host.includes('.') || host.split('.').includes('')) return false;
  return !LOCAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** Checks the limits of RFC 1035: 63 octets for a label, 253 for a name. The URL parser allows more. */
function fitsDns(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => label.length <= 63);
}

function refused(error: DestinationError): Destination {
  return { kind: 'refused', error };
}
