import { BRAND, CONSOLE_HEADER } from '../api/brand.ts';
import { isLoopbackHost, isLoopbackOrigin } from '../send/address.ts';
import type { PublicDoor } from '../service/public-door.ts';
import type { MockService } from '../service/service.ts';
import { ServiceError } from '../store/errors.ts';
import { describeUrl } from '../store/safe-text.ts';
import { respondHelp } from '../help/help-page.ts';
import { listen, type Listening, type ListenOptions, refuseEarly } from './node-listen.ts';
import { findFont, findHostedAssets, servePage } from './node-pages.ts';
import { builtPages, createSdkBundle, notFound, onlyRead, text } from './node-routes.ts';
import type { MockServerOptions } from './node-server-options.ts';
import { findPublicRoute } from './route-table.ts';

/** Headers of every response. */
const PUBLIC_HEADERS = { 'X-Robots-Tag': 'noindex' };

type Respond = (request: Request) => Promise<Response>;

/** The public listener of a server. */
interface Door extends PublicDoor {
  /** Starts to listen. Responds with 503 until {@link Door.open}. */
  listen(options: Pick<ListenOptions, 'host' | 'ownsProcess'>): Promise<void>;
  open(respond: Respond): void;
  stop(): Promise<void>;
}

/**
 * Creates the door that the options describe, or returns null if they describe none.
 * @param onClosed Called with a sentence when the door closes.
 * @throws {TypeError} if only one of the two options is set, or one is invalid
 */
export function createDoor(
  { port, publicPort, publicUrl }: MockServerOptions,
  onClosed: (reason: string) => void,
): Door | null {
  if (publicPort === undefined && publicUrl === undefined) return null;
  if (publicPort === undefined || publicUrl === undefined)
    throw new TypeError(
      'publicPort and publicUrl must be used together: the port that a tunnel leads to, and the address of the tunnel',
    );
  if (publicPort === port)
    throw new TypeError(`publicPort must differ from port, got ${publicPort} for both`);
  const url = toPublicOrigin(publicUrl);
  if (url === null)
    throw new TypeError(`publicUrl must be ${PUBLIC_URL_FORM}, got "${describeUrl(publicUrl)}"`);
  let respond: Respond | null = null;
  let listening: Listening | null = null;
  let lastRequestAtMs: number | null = null;
  let isClosed = false;

  async function answer(request: Request): Promise<Response> {
    lastRequestAtMs = Date.now();
    if (!respond) return text(503, 'The service is starting');
    const response = isClosed ? null : await respond(request);
    // The door may have been closed during the response, for which a known key may have been used.
    return isClosed || response === null ? text(503, CLOSED) : response;
  }

  return {
    url,
    port: publicPort,
    lastRequestAtMs: () => lastRequestAtMs,
    async listen(options) {
      listening = await listen(answer, { ...options, port: publicPort, headers: PUBLIC_HEADERS });
    },
    open(next) {
      respond = next;
    },
    close() {
      // The start itself fails if the state has such keys already.
      if (respond && !isClosed) onClosed(CLOSED);
      isClosed = true;
    },
    stop: async () => listening?.close(),
  };
}

const CLOSED =
  'The public address is closed, because another mock with the same state has added keys that other people may know';

/** The form of a public address, for messages. */
export const PUBLIC_URL_FORM =
  'the https address of a tunnel, without a path, such as https://my-mock.example';

/**
 * Returns the origin of a public address, also of a name without a scheme, because some tunnels print only
 * the name. Returns null if the text is no https origin, or names this computer.
 */
export function toPublicOrigin(address: string): string | null {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(full)) return null;
  const { origin, href, protocol, host } = new URL(full);
  const isOrigin = protocol === 'https:' && href === `${origin}/`;
  return isOrigin && !isLoopbackHost(host) ? origin : null;
}

/**
 * Checks that the options contain no keys that other people may know.
 * @throws {TypeError} with a readable message
 */
export function assertNewKeys({ seed, tenants = [], snapshot }: StateOptions): void {
  const named = tenants.findIndex(({ secretKey }) => secretKey != null);
  if (seed !== undefined)
    throw new TypeError(
      'A seed and a public address cannot be used together, because everybody gets the same keys with this seed. Start without a seed',
    );
  if (named >= 0)
    throw new TypeError(
      `tenants[${named}]: secretKey cannot be set together with a public address, because other people may know it. Leave it out, and the account gets a random one`,
    );
  if (snapshot !== undefined && Object(snapshot).secrets !== 'omitted')
    throw new TypeError(
      'A snapshot with secrets and a public address cannot be used together, because other people may know its keys. Save it without secrets',
    );
}

/** The options that may bring keys into the state. */
interface StateOptions extends Pick<MockServerOptions, 'seed' | 'tenants'> {
  readonly snapshot?: unknown;
}

/**
 * Creates the router of the public listener. It has the paths of the table only. The Host, Forwarded and
 * X-Forwarded headers have no effect, because many proxies rewrite them to this computer.
 */
export function createPublicRoutes(
  service: Pick<MockService, 'fetch'>,
  publicUrl: string,
  { pagesDir = builtPages(), sdkFile }: MockServerOptions,
): (request: Request) => Promise<Response> {
  const serveSdk = createSdkBundle(sdkFile, publicUrl);
  const assets = findHostedAssets(pagesDir);
  const font = findFont(pagesDir);

  const read = async (request: Request, pathname: string): Promise<Response> => {
    if (pathname === '/') return text(200, INTRODUCTION);
    const frame = { links: [], font: await font };
    switch (findPublicRoute(pathname)) {
      case 'script':
        return serveSdk(request);
      case 'help':
        return respondHelp(pathname, frame);
      case 'page': {
        const [, asset] = /^\/assets\/(.*)$/.exec(pathname) ?? [];
        const isPublic = asset === undefined || (await assets).has(asset);
        return (isPublic && (await servePage(pagesDir, request))) || notFound(request, frame);
      }
      default:
        return notFound(request, frame);
    }
  };

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const url = publicUrl + pathname + search;
    if (findPublicRoute(pathname) === 'service') return askService(service, request, url);
    const { method, headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const found = await read(new Request(url, isRead ? { method, headers } : {}), pathname);
    return isRead || found.status >= 400 ? found : onlyRead(method, pathname);
  };
}

const INTRODUCTION = `This is a mock of ${BRAND} that a developer runs for tests, so nothing here checks the age of a person.`;

/** Passes a request on with the address that was checked, so that the service sees no other path. */
async function askService(
  service: Pick<MockService, 'fetch'>,
  request: Request,
  url: string,
): Promise<Response> {
  const { method, signal } = request;
  const { pathname } = new URL(url);
  // A Request cannot have this method.
  if (method === 'TRACE')
    return refuseEarly(
      new ServiceError('method_not_allowed', `Cannot TRACE ${pathname}`),
      pathname,
    );
  const headers = new Headers(request.headers);
  // Only the console on this computer may say that it sent a request.
  headers.delete(CONSOLE_HEADER);
  // Some proxies also rewrite the origin of the hosted page to this computer. Its token is what counts.
  const isRewritten =
    pathname.startsWith('/hosted/') && isLoopbackOrigin(headers.get('origin') ?? '');
  if (isRewritten) headers.delete('origin');
  const isRead = method === 'GET' || method === 'HEAD';
  const body = isRead ? null : request.body;
  const init = { method, headers, body, signal, duplex: 'half' as const };
  const response = await service.fetch(new Request(url, init));
  return pathname.startsWith('/api/') ? openToPages(response) : response;
}

/**
 * Lets every page read the response. The main listener names the page's origin for that, which a proxy may
 * have rewritten here.
 */
function openToPages(response: Response): Response {
  response.headers.set('Access-Control-Allow-Origin', '*');
  response.headers.set('Timing-Allow-Origin', '*');
  return response;
}
