import { Resolver } from 'node:dns/promises';
import { request as sendRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { unref } from '../store/clock.ts';
import { type DestinationRules, type Resolve, toPort } from './destination.ts';
import { isLoopbackAddress } from './address.ts';
import { isPublicAddress } from './public-address.ts';
import {
  type AllowedDestination,
  follow,
  HopError,
  type HopResponse,
  type Sender,
  type WebhookRequest,
} from './sender.ts';

/** A connected socket, and its remote address as the platform reports it. */
export interface Dialled {
  socket: Socket;
  address: string | undefined;
}

/** Opens a TCP connection to an address, never to a name. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Dialled>;

export interface NodeSenderOptions extends DestinationRules {
  /** @default createNodeResolve() */
  resolve?: Resolve;
  /**
   * Opens the connections. Tests use it to map public addresses to loopback, so that the address check
   * stays on.
   */
  dial?: Dial;
  /**
   * Certificate authorities to trust, in PEM format.
   * @default the ones Node trusts
   */
  ca?: string;
}

/**
 * Creates a sender that opens a new connection for each hop, to an address that was just checked. There is
 * no proxy, and no connection pool, because a reused connection would bypass the check. TLS is verified,
 * regardless of the environment variables. `fetch` is not used, because it resolves names itself and
 * refuses some ports.
 */
export function createNodeSender(options: NodeSenderOptions = {}): Sender {
  const { dial = dialTcp, ca } = options;
  const rules = {
    allowLoopback: options.allowLoopback ?? false,
    ownPort: options.ownPort,
    resolve: options.resolve ?? createNodeResolve(),
  };
  return {
    send: (request) =>
      follow(request, rules, async (destination, { headers, body }, signal, onAddress) => {
        const tcp = await connectTo(destination, dial, signal, onAddress);
        const url = new URL(destination.url);
        const socket =
          url.protocol === 'https:' ? await secure(tcp, destination.host, ca, signal) : tcp;
        return await exchange(socket, url, { headers, body }, signal);
      }),
  };
}

/**
 * Creates a resolver that asks the system's name servers for A and AAAA records together. It does not use
 * `dns.lookup`, which reads the hosts file, and whose four threads can be blocked by a few slow zones.
 */
export function createNodeResolve(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: 3_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal?.addEventListener('abort', cancel);
    try {
      const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      // A failed lookup is ignored, because often only one family has records. This is safe: only addresses
      // that were returned and checked are dialled.
      return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
}

/** Time limit for a connection to one address if there are others to try after it. */
const NEXT_ADDRESS_MS = 2_000;

async function connectTo(
  { addresses, network, url }: AllowedDestination,
  dial: Dial,
  signal: AbortSignal,
  onAddress: (address: string) => void,
): Promise<Socket> {
  const port = toPort(new URL(url));
  const waiting = [...(addresses ?? [])];
  let failure: unknown;
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    onAddress(address);
    const deadline =
      waiting.length > 0 ? AbortSignal.any([signal, AbortSignal.timeout(NEXT_ADDRESS_MS)]) : signal;
    try {
      const dialled = await dial(address, port, deadline);
      return assertSameNetwork(dialled, network);
    } catch (cause) {
      if (cause instanceof HopError || signal.aborted) throw cause;
      failure = cause;
    }
  }
  throw new HopError('connect', { cause: failure });
}

/**
 * Checks the remote address that the kernel reports, before a byte is written. It is a second check after
 * that of the resolved addresses.
 */
function assertSameNetwork({ socket, address }: Dialled, network: 'public' | 'loopback'): Socket {
  const belongs = network === 'public' ? isPublicAddress : isLoopbackAddress;
  if (address !== undefined && belongs(address)) return socket;
  socket.destroy();
  // The remote address is unknown if the connection was reset as it opened. That is a failure, not a
  // refused destination.
  if (address === undefined) throw new Error('The connection was reset while it opened');
  throw new HopError('destination_not_public');
}

const dialTcp: Dial = (address, port, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const giveUp = (): void => void socket.destroy(new Error('Cannot connect: timed out'));
    // The `signal` option of connect() is not used, because it would also destroy the socket later, while
    // it is in use.
    signal.addEventListener('abort', giveUp);
    socket.once('error', (cause) => {
      signal.removeEventListener('abort', giveUp);
      reject(cause);
    });
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp);
      socket.removeAllListeners('error');
      resolve({ socket, address: socket.remoteAddress });
    });
    if (signal.aborted) giveUp();
  });

function secure(
  tcp: Socket,
  host: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      socket: tcp,
      host,
      // SNI must not contain an IP address. For an address, the certificate is compared with `host`.
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    const fail = (cause?: unknown): void => {
      tcp.destroy();
      socket.destroy();
      reject(new HopError('tls', { cause }));
    };
    signal.addEventListener('abort', fail, { once: true });
    socket.once('error', fail);
    socket.once('close', fail);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', fail);
      socket.off('error', fail).off('close', fail);
      resolve(socket);
    });
  });
}

/**
 * Maximum number of interim (1xx) responses that are read. Real receivers send a few, but a flood of them
 * would block the process.
 */
const MAX_INTERIM_ANSWERS = 16;

function exchange(
  socket: Socket,
  url: URL,
  { headers, body }: Pick<WebhookRequest, 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<HopResponse> {
  return new Promise((resolve, reject) => {
    const request = sendRequest({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, 'content-length': body.byteLength },
      signal,
    });
    request.once('error', (cause) => reject(new HopError('reset', { cause })));
    let interimAnswers = 0;
    request.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS)
        request.destroy(new Error('Too many 1xx responses'));
    });
    request.once('upgrade', () => {
      socket.destroy();
      reject(new HopError('reset'));
    });
    request.once('response', (response) => {
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location ?? null,
        retryAfter: response.headers['retry-after'] ?? null,
      });
      // The outcome is known from here on, so errors of the body are ignored.
      request.on('error', () => {});
      drain(response, socket);
    });
    request.end(body);
  });
}

const DRAIN_BYTES = 16_384;
const DRAIN_MS = 1_000;

/**
 * Reads the body for a short time, so that a receiver can finish its response, and then closes the
 * connection.
 */
function drain(response: IncomingMessage, socket: Socket): void {
  let received = 0;
  const hangUp = (): void => void socket.destroy();
  const timer = setTimeout(hangUp, DRAIN_MS);
  unref(timer);
  response.on('data', (chunk: Uint8Array) => {
    received += chunk.byteLength;
    if (received > DRAIN_BYTES) hangUp();
  });
  response.on('error', () => {});
  response.once('close', () => {
    clearTimeout(timer);
    hangUp();
  });
}
