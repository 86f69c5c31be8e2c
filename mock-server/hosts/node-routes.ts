import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { API_ORIGIN, REPORTS_PATH, SDK_HELP, STAGING_API_ORIGIN } from '../api/brand.ts';
import { isLoopbackHost } from '../send/address.ts';
import { guardLocalServer } from '../service/http/local-guard.ts';
import type { MockService } from '../service/service.ts';
import { ServiceError } from '../store/errors.ts';
import {
  escapeHtml,
  type Frame,
  respondDocument,
  toBarLinks,
  toNextLink,
} from '../help/document.ts';
import { HELP_PATH, respondHelp } from '../help/help-page.ts';
import { refuseEarly } from './node-listen.ts';
import { findFont, isDocsFolder, serveDocs, servePage } from './node-pages.ts';
import type { MockServerOptions } from './node-server-options.ts';
import { findRoute } from './route-table.ts';

export interface Addresses {
  /** The service's origin, with the API and the hosted page. */
  readonly origin: string;
  /** The merchant's origin, with the demo shop, the console and the labs. */
  readonly shopOrigin: string;
}

export function toAddresses(host: string, port: number): Addresses {
  const name = host.includes(':') ? `[${host}]` : host;
  const origin = `http://${name}:${port}`;
  // `localhost` resolves only to these two addresses. On another address, both sites share one host.
  const isNamed = name === '127.0.0.1' || name === '[::1]';
  return { origin, shopOrigin: isNamed ? `http://localhost:${port}` : origin };
}

const PLAYGROUND_PATHS = /^\/((code|console|labs)\/?)?$/;

/**
 * Creates the router, which passes a request to the service, to the shop's own server or to a file. Refuses
 * requests with the Host of another machine.
 */
export function createRoutes(
  service: Pick<MockService, 'fetch'>,
  { origin, shopOrigin }: Addresses,
  { shopBackend, pagesDir, sdkFile, docsDir }: MockServerOptions,
): (request: Request) => Promise<Response> {
  const pages = pagesDir ?? builtPages();
  const docs = docsDir ?? builtDocs();
  const serveSdk = createSdkBundle(sdkFile, origin, { reports: true });
  const font = findFont(pages);

  const { hostname: shopHostname } = new URL(shopOrigin);
  const read = async (request: Request): Promise<Response> => {
    const { hostname, pathname, search } = new URL(request.url);
    const route = findRoute(pathname);
    // Without the demo shop, the first page is the console, which says how to connect your own shop.
    if (shopBackend === undefined && pathname === '/') return redirect(`${shopOrigin}/console/`);
    if (route === 'script') return serveSdk(request);
    // On the service's host, the shop would be on the same site as the hosted page, and the timeline could
    // not read the storage of the shop's pages. The chosen theme is stored for the shop's origin, too, so a
    // person reads the help there.
    const isOfPlayground = PLAYGROUND_PATHS.test(pathname);
    const isHelpPage = route === 'help' && readsHtml(request);
    if (hostname !== shopHostname && (isOfPlayground || isHelpPage))
      return redirect(`${shopOrigin}${pathname}${search}`);
    const extras = { hasDocs: await isDocsFolder(docs), hasDemo: shopBackend !== undefined };
    const frame = { links: toBarLinks(extras), font: await font };
    if (route === 'help') return respondHelp(pathname, frame);
    if (route === 'docs')
      return (await serveDocs(docs, request, extras, frame)) ?? notFound(request, frame);
    const page = await servePage(pages, request, { ...extras, origin });
    if (page) return page;
    return isOfPlayground ? notBuilt('The playground') : notFound(request, frame);
  };

  const askShop = guardLocalServer((request) => proxyToShop(request, shopBackend));
  const apiPrefix = `${origin}/api/`;

  return async (request) => {
    // A shortcut for most requests: a URL that starts with this prefix already has our host.
    if (request.url.startsWith(apiPrefix)) return service.fetch(request);
    const { host, hostname, pathname } = new URL(request.url);
    const route = findRoute(pathname);
    if (!isLoopbackHost(host)) {
      const sentence = `This server only serves ${shopOrigin}`;
      if (route !== 'service') return text(403, sentence);
      // The refusal has no CORS headers, because only a page that uses DNS rebinding would read it.
      return refuseEarly(new ServiceError('forbidden', sentence), pathname);
    }
    if (route === 'service') return service.fetch(request);
    if (route === 'shop')
      return hostname === shopHostname ? askShop(request) : elsewhere(shopOrigin);
    if (request.method === 'GET' || request.method === 'HEAD') return read(request);
    const found = await read(new Request(request.url, { method: 'HEAD' }));
    return found.status < 400 ? onlyRead(request.method, pathname) : found;
  };
}

/** Responds to requests while the service starts. */
export function answerStarting(request: Request): Response {
  const { pathname } = new URL(request.url);
  const sentence = 'The service is starting';
  if (findRoute(pathname) !== 'service') return text(503, sentence);
  const error = new ServiceError('unavailable', sentence);
  return refuseEarly(error, pathname, request.headers.get('origin'));
}

/** Returns the folder of the documentation's site, which only a clone has, after `npm run docs`. */
export const builtDocs = (): string => findFile('../../dist-docs/', '../../../dist-docs/');

/** Returns the folder of the built pages. */
export const builtPages = (): string => shipped('pages/');

/** Returns the path of a built file of this package. The code runs in `dist/`, `dist/shared/` or `hosts/`. */
const shipped = (name: string): string => findFile(name, `../${name}`, `../dist/${name}`);

/** Returns the first of several paths, relative to this code, that exists, or else the last. */
function findFile(...paths: readonly string[]): string {
  const files = paths.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return files.find((file) => existsSync(file)) ?? files.at(-1) ?? '';
}

/**
 * Returns the script tag's file of the package `ofage` that the project in the working directory has
 * installed, because the shop pins that version. Elsewhere, it is the one that came with this package.
 */
function installedSdk(): string {
  const project = pathToFileURL(join(process.cwd(), 'package.json')).href;
  for (const from of [project, import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve('ofage/package.json');
      return join(dirname(manifest), 'dist/sdk.min.js');
    } catch {
      // The package is not installed there.
    }
  }
  return '';
}

export function text(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
}

/** Responds with a page to a browser that opens the address, and with a line of text to programs. */
export function notFound(request: Request, frame: Frame): Response {
  const { pathname } = new URL(request.url);
  if (!readsHtml(request)) return text(404, `Not found: ${pathname}`);
  const path = `<code>${escapeHtml(pathname)}</code>`;
  const next = frame.links.length > 0 ? toNextLink('/console/', 'Go to the console') : '';
  const body = `<p>No page has the address ${path}.</p>${next}`;
  return respondDocument(404, { title: 'Page not found', body, frame });
}

/** Tells whether a browser opens the address. */
const readsHtml = ({ headers }: Request): boolean =>
  headers.get('accept')?.includes('text/html') === true;

export function onlyRead(method: string, pathname: string): Response {
  const response = text(405, `Cannot ${method} ${pathname}: only GET and HEAD are allowed`);
  response.headers.set('allow', 'GET, HEAD');
  return response;
}

function notBuilt(what: string): Response {
  return text(503, `${what} was not built`);
}

function elsewhere(shopOrigin: string): Response {
  return text(404, `The demo shop, started with --demo, is at ${shopOrigin}/`);
}

function redirect(location: string): Response {
  return new Response(null, { status: 307, headers: { location } });
}

const SDK_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
  // Allows a shop to load the bundle from another origin, also with Subresource Integrity and COEP.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-cache',
};

/** The addresses in the SDK's script that the mock replaces by its own. Every version 3 has both. */
const BOUND_ADDRESSES = [`${API_ORIGIN}/api/v1`, SDK_HELP];

/**
 * Creates a function that serves the SDK's script-tag bundle, bound to the mock at `ownOrigin`. Its bytes
 * equal the published file except for the addresses of the API and of the pages about errors. Responds with
 * 503 if the bundle was not built.
 * @param file The bundle. @default the one of the installed package
 * @param options.reports Appends the reporter, so that pages report what they do with the SDK.
 * @throws {Error} if the file is the script of a version that cannot be bound, because pages would send
 *   their requests to production
 */
export function createSdkBundle(
  file: string = installedSdk(),
  ownOrigin: string,
  { reports = false }: { readonly reports?: boolean } = {},
): (request: Request) => Response | Promise<Response> {
  assertBindable(file);
  const retainedHeaders = [...RETAINED_304_HEADERS, ...Object.keys(SDK_HEADERS)];
  const app = new Hono().use(compress(), etag({ retainedHeaders })).get('*', async (c) => {
    const shipped = await readFile(file, 'utf8').catch(() => null);
    if (shipped === null) return notBuilt('The SDK');
    const bound = [API_ORIGIN, STAGING_API_ORIGIN].reduce(
      (text, origin) => text.replaceAll(`${origin}/api/v1`, `${ownOrigin}/api/v1`),
      shipped.replaceAll(SDK_HELP, ownOrigin + HELP_PATH),
    );
    return c.body(bound + (reports ? await readReporter(ownOrigin) : ''), 200, SDK_HEADERS);
  });
  return (request) => app.fetch(request);
}

/** Returns the reporter with the address of its mock. Empty if it was not built. */
async function readReporter(ownOrigin: string): Promise<string> {
  const script = await readFile(shipped('reporter.js'), 'utf8').catch(() => '');
  return script.replaceAll('OFAGE_REPORTS_URL', JSON.stringify(ownOrigin + REPORTS_PATH));
}

function assertBindable(file: string): void {
  if (!existsSync(file)) return;
  const script = readFileSync(file, 'utf8');
  const missing = BOUND_ADDRESSES.find((address) => !script.includes(address));
  if (missing !== undefined)
    throw new Error(
      `Cannot serve the SDK in "${file}": it does not contain the address "${missing}", which the mock replaces by its own; install the version 3 of ofage`,
    );
}

/**
 * Headers that describe one connection (RFC 9110, section 7.6.1), and headers that fetch sets itself. It
 * replaces only one of the `sec-fetch-` headers, so the others would contradict it.
 */
const NOT_FORWARDED = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
];

/**
 * Forwards a request to the demo backend, so that the shop's page and its server share an origin,
 * as in production. Responds with 503 if that server is not running or not reachable.
 */
async function proxyToShop(request: Request, shopBackend: string | undefined): Promise<Response> {
  if (shopBackend === undefined) return notRunning();
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of NOT_FORWARDED) headers.delete(name);
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  try {
    const answer = await fetch(new URL(pathname + search, shopBackend), {
      method: request.method,
      headers,
      redirect: 'manual',
      // The guard has limited the body and has read it.
      ...(hasBody && { body: await request.arrayBuffer() }),
    });
    const answered = new Headers(answer.headers);
    // fetch has already decompressed the body, so these headers no longer apply.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      answered.delete(name);
    return new Response(answer.body, { status: answer.status, headers: answered });
  } catch {
    return notRunning();
  }
}

function notRunning(): Response {
  const message = "The demo shop's server is not running; --demo starts it";
  return Response.json({ message }, { status: 503 });
}
