import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { BlockList } from 'node:net';
import type { Hook, Service } from './state.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;
const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Networks that are not on the public Internet (the special-purpose registries of IANA). */
const NOT_PUBLIC_4 = createBlockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
const NOT_PUBLIC_6 = createBlockList('ipv6', [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  // These three contain everything outside the global unicast addresses, 2000::/3.
  '::/3',
  '4000::/2',
  '8000::/1',
]);

function createBlockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

class BadDestination extends Error {}

/**
 * Checks an address of a webhook and returns the IP addresses to connect to.
 * @param allowLoopback Also allows http://127.0.0.1, for receivers on this computer.
 * @throws {BadDestination} if the URL is not HTTPS or one of its addresses is not public
 */
export async function checkDestination(url: string, allowLoopback: boolean) {
  const { protocol, hostname } = new URL(url);
  const isReceiver = allowLoopback && protocol === 'http:' && hostname === '127.0.0.1';
  if (protocol !== 'https:' && !isReceiver)
    throw new BadDestination('The webhook URL must use HTTPS');
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  const isPrivate = ({ address, family }: LookupAddress) =>
    family === 6 ? NOT_PUBLIC_6.check(address, 'ipv6') : NOT_PUBLIC_4.check(address);
  if (addresses.some(isPrivate) && !isReceiver)
    throw new BadDestination(`${hostname} is not on the public Internet`);
  return addresses;
}

/** The receiver's response, or the status 0 if there was none. */
export interface Answer {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  /** True if the address or the target of a redirect is not allowed. */
  readonly isBadDestination?: boolean;
}

/** Posts a signed body and follows redirects. Each address is checked before it is connected to. */
export async function send(
  { clock, allowLoopback, habits }: Service,
  { secret }: Hook,
  url: string,
  body: string,
): Promise<Answer> {
  const timeout = new AbortController();
  clock.at(clock.now() + ATTEMPT_TIMEOUT_MS, () => timeout.abort());
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (secret !== null) headers['x-ofage-signature'] = sign(body, secret);
  const sent = habits.signsBeforeFormatting ? JSON.stringify(JSON.parse(body), null, 2) : body;
  let target = url;
  try {
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const addresses = await checkDestination(target, allowLoopback);
      const response = await post(target, addresses, sent, { headers, signal: timeout.signal });
      const { location, 'retry-after': retryAfter } = response.headers;
      const { statusCode: status = 0 } = response;
      if (!REDIRECTS.includes(status) || location === undefined) return { status, retryAfter };
      target = new URL(location, target).href;
    }
    return { status: 0 };
  } catch (error) {
    return { status: 0, isBadDestination: error instanceof BadDestination };
  }
}

async function post(
  url: string,
  addresses: LookupAddress[],
  body: string,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const request = (url.startsWith('https:') ? https : http).request(url, {
    ...options,
    method: 'POST',
    agent: false,
    // Connects to the checked addresses, so that a second DNS response cannot lead elsewhere.
    lookup: (_host, _options, done) => done(null, addresses),
  });
  // Without a listener, an error after the headers would end the process. The response reports it, too.
  request.on('error', () => {});
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

/** Returns the value of the signature header: the HMAC over the bytes that are sent. */
function sign(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
}
