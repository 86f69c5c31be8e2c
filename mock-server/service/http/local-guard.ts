import { isLoopbackHost, isLoopbackOrigin } from '../../send/address.ts';
import { MAX_BODY_BYTES, readBytes } from './read-body.ts';

/** Tells whether a request may reach the control API. */
export type ControlGuard = (request: Request) => boolean;

/**
 * Creates the guard of the control API. It allows only requests to this computer or to the API's origin,
 * from programs and from pages that are served there.
 */
export function createControlGuard(apiOrigin: string): ControlGuard {
  const { host: apiHost, origin } = new URL(apiOrigin);
  const isOurHost = (host: string): boolean => isLoopbackHost(host) || host === apiHost;
  const isOurPage = (page: string): boolean => isLoopbackOrigin(page) || page === origin;
  return (request) => isAddressedTo(request, isOurHost) && isSentBy(request, isOurPage);
}

/** Options of {@link guardLocalServer}. */
export interface LocalGuardOptions {
  /**
   * Maximum size of a request's body. Bytes.
   * @default 65_536
   */
  maxBodyBytes?: number;
}

/**
 * Protects a server that is for this computer only, such as a development server, from other websites. The
 * control API and the demo shop's server have the same protection.
 *
 * It refuses requests to other hosts than `localhost` and loopback addresses (DNS rebinding), requests from
 * pages of other sites unless they only follow a link, and bodies that are too large, before they are read.
 *
 * @param handle Handles the other requests. Further arguments are passed on. The body has been read by then.
 * @param options The maximum size of a body.
 * @returns A handler that responds with 403, 405 or 413 to the requests that it refuses, and with 400 if the
 *   body ends early.
 * @example
 * ```ts
 * import { guardLocalServer } from 'ofage-mock/client';
 *
 * const handle = guardLocalServer(() => new Response('Only for this computer'));
 * const answer = await handle(new Request('http://rebind.example:3000/'));
 * console.assert(answer.status === 403);
 * ```
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
export function guardLocalServer<Rest extends readonly unknown[]>(
  handle: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  { maxBodyBytes = MAX_BODY_BYTES }: LocalGuardOptions = {},
): (request: Request, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) => {
    const { method, url, headers, signal } = request;
    if (!isAddressedTo(request, isLoopbackHost))
      return refuse(403, 'This server only serves localhost and loopback addresses');
    if (!isNavigation(request) && !isSentBy(request, isLoopbackOrigin))
      return refuse(403, 'This server accepts requests from pages of this computer only');
    // Neither a Request nor fetch() can have this method.
    if (method === 'TRACE') return refuse(405, `Cannot TRACE ${new URL(url).pathname}`);
    if (method === 'GET' || method === 'HEAD') return handle(request, ...rest);
    const received = await readBytes(request, maxBodyBytes);
    if (received.kind === 'incomplete') return refuse(400, 'The body was incomplete');
    if (received.kind === 'too large')
      return refuse(413, `The body must not be larger than ${maxBodyBytes} bytes`);
    return handle(new Request(url, { method, headers, body: received.bytes, signal }), ...rest);
  };
}

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

/** Tells whether both the URL and the `Host` are ours. A page that uses DNS rebinding has another `Host`. */
function isAddressedTo(request: Request, isOurHost: (host: string) => boolean): boolean {
  const host = request.headers.get('host');
  if (!isOurHost(new URL(request.url).host)) return false;
  return (
    host === null || (URL.canParse(`http://${host}`) && isOurHost(new URL(`http://${host}`).host))
  );
}

/** Tells whether a program or one of our own pages sent the request. */
function isSentBy({ headers }: Request, isOurPage: (origin: string) => boolean): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return isOurPage(origin);
  // An image, script or link on a page of another site is requested without Origin, but browsers send
  // Sec-Fetch-Site.
  return headers.get('sec-fetch-site') !== 'cross-site';
}

/** Tells whether the browser follows a link. The page with the link cannot read the response. */
function isNavigation({ method, headers }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && headers.get('sec-fetch-mode') === 'navigate' && !headers.has('origin');
}
