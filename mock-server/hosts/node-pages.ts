import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { DOCS_URL } from '../api/brand.ts';
import { DOCS_PATH } from '../help/docs-site.ts';
import { type Extras, type Frame, respondDocument } from '../help/document.ts';

/**
 * The headers of the pages. They load scripts only from their own origin and nothing from other hosts, and
 * call only this machine, as `localhost` or `127.0.0.1`. There is no Cross-Origin-Opener-Policy, because any
 * value except the default would cut the hosted page off from the shop that opened it.
 */
const PAGE_HEADERS = toHtmlHeaders("'self'");

/**
 * The headers of the documentation, which has inline scripts, a search in WebAssembly, and the static
 * playground, which imports its service from a Blob.
 */
const DOCS_HEADERS = toHtmlHeaders("'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:");

function toHtmlHeaders(scriptSources: string) {
  return {
    'content-security-policy': [
      "default-src 'self' http://localhost:* http://127.0.0.1:*",
      `script-src ${scriptSources}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'self'",
    ].join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/**
 * The page with which the popup lab cuts its window off from the shop on purpose. Only this page has the
 * header below.
 */
const SEVERING_PATH = '/labs/coop/';
const SEVERING_HEADERS = { 'cross-origin-opener-policy': 'same-origin' } as const;

/** A folder of built files. */
interface Site {
  readonly root: string;
  /** The path below which it is served. */
  readonly prefix: string;
  /** The headers of its HTML files. */
  readonly headers: Readonly<Record<string, string>>;
  /** The attributes that the element `html` of its HTML files gets, so that their bar shows the right links. */
  readonly attributes?: string;
}

/** What the pages of the playground are told about this server. */
interface PageExtras extends Extras {
  /** The origin of the API, as the terminal prints it. */
  readonly origin: string;
}

/**
 * Serves a file from a folder of built pages. For a folder it serves its index.html. Returns null if the
 * file does not exist or the method is not GET or HEAD.
 * @param extras What this server has, so that the bar of the pages links to it.
 */
export async function servePage(
  root: string,
  request: Request,
  extras?: PageExtras,
): Promise<Response | null> {
  const attributes = extras ? toAttributes(extras) : '';
  return serveFrom({ root, prefix: '', headers: PAGE_HEADERS, attributes }, request);
}

/** Tells whether a folder contains the documentation's site. */
export const isDocsFolder = (root: string): Promise<boolean> => isFile(join(root, 'index.html'));

/**
 * Serves a file of the documentation, like `servePage`. If the documentation is not built, responds with a
 * page that links to the published one.
 */
export async function serveDocs(
  root: string,
  request: Request,
  { hasDemo }: Pick<Extras, 'hasDemo'>,
  frame: Frame,
): Promise<Response | null> {
  // Not data-demo, because the site contains the static playground, which always has the shop.
  const attributes = hasDemo ? '' : 'data-mock="no-demo" ';
  const site: Site = { root, prefix: DOCS_PATH, headers: DOCS_HEADERS, attributes };
  if (await isDocsFolder(root)) return serveFrom(site, request);
  const { pathname } = new URL(request.url);
  const url = DOCS_URL + pathname.slice(DOCS_PATH.length + 1);
  const title = 'The documentation is not built here';
  return respondDocument(200, { title, body: toDocsLink(url), frame });
}

/** @param url A URL in the form of the URL parser, which has encoded quotes and angle brackets. */
const toDocsLink = (url: string): string => `<p>Read this page at <a href="${url}">${url}</a>.</p>
<p>In a clone of the project, run <code>npm run docs</code>, and reload this page. Without that, read <code>docs/README.md</code>.</p>
`;

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Returns the path of the pages' font, or null if they were not built. */
export async function findFont(root: string): Promise<string | null> {
  const names = await readdir(join(root, 'assets')).catch(() => []);
  const font = names.find((name) => /^figtree-[\w-]+\.woff2$/.test(name));
  return font === undefined ? null : `/assets/${font}`;
}

/**
 * Returns the names of the files in `assets` that the hosted page loads, directly or from another one of
 * them. The names have hashes, so they occur in the files that load them.
 */
export async function findHostedAssets(root: string): Promise<ReadonlySet<string>> {
  const folder = join(root, 'assets');
  const names = await readdir(folder).catch(() => []);
  const found = new Set<string>();
  const waiting = ['../verify/index.html'];
  for (const file of waiting) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    const added = names.filter((name) => !found.has(name) && text.includes(name));
    added.forEach((name) => found.add(name));
    waiting.push(...added);
  }
  return found;
}

async function serveFrom(site: Site, request: Request): Promise<Response | null> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const { pathname, search } = new URL(request.url);
  const path = toFilePath(site.root, pathname.slice(site.prefix.length));
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path === null || !found) return null;
  if (found.isDirectory()) {
    // Relative URLs in the page need the trailing slash.
    if (!pathname.endsWith('/')) {
      // A path that begins with two slashes would redirect to another host.
      return redirectTo(`${pathname}/${search}`.replace(/^\/+/, '/'));
    }
    const extra = pathname === SEVERING_PATH ? SEVERING_HEADERS : {};
    return serveFile(join(path, 'index.html'), request, {
      ...site,
      headers: { ...site.headers, ...extra },
    });
  }
  return found.isFile() && !pathname.endsWith('/') ? serveFile(path, request, site) : null;
}

/**
 * Returns the path of the file for a URL's path, or null if the path is malformed, leads outside the root
 * or contains a hidden file or folder.
 */
function toFilePath(root: string, pathname: string): string | null {
  const decoded = decode(pathname);
  if (decoded === null) return null;
  const folder = resolve(root);
  const path = resolve(folder, `.${decoded}`);
  // The URL parser resolves dot segments, also those written as %2e%2e. Only a segment with an encoded
  // slash, such as ..%2f, gets this far. Once decoded, it makes the relative path begin with a dot.
  const isHidden = relative(folder, path)
    .split(sep)
    .some((name) => name.startsWith('.'));
  return isHidden ? null : path;
}

function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

async function serveFile(
  path: string,
  request: Request,
  { headers: htmlHeaders, attributes = '' }: Site,
): Promise<Response | null> {
  if (!(await isFile(path))) return null;
  const isHtml = path.endsWith('.html');
  const headers = {
    'x-content-type-options': 'nosniff',
    'cache-control': HASHED_NAME.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(isHtml && htmlHeaders),
  };
  return files.fetch(request, { path, headers, attributes: isHtml ? attributes : '' });
}

/**
 * The pattern of a file to whose name Vite or Astro has added a hash of its content. Such a file never
 * changes.
 */
const HASHED_NAME = /[\\/](assets[\\/][^\\/]+-|_astro[\\/][^\\/]+\.)[\w-]{8}\.\w+$/;

interface FileToServe {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The attributes that its element `html` gets. */
  readonly attributes: string;
}

function toAttributes({ hasDocs, hasDemo, origin }: PageExtras): string {
  return `data-service="${origin}/" ${hasDocs ? `data-docs="${DOCS_PATH}/" ` : ''}${hasDemo ? '' : 'data-demo="none" '}`;
}

/** Serves the file of one request. Supports compression, ETags and range requests. */
const files = new Hono<{ Bindings: FileToServe }>()
  .use(compress(), etag())
  .get('*', async (c, next) => {
    const { path, headers, attributes } = c.env;
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (attributes !== '') {
      const html = await readFile(path, 'utf8');
      return c.html(html.replace('<html ', `<html ${attributes}`));
    }
    return serveStatic<{ Bindings: FileToServe }>({ path })(c, next);
  });

function redirectTo(location: string): Response {
  return new Response(null, { status: 308, headers: { location } });
}
