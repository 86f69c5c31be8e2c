import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';

/**
 * The pages load nothing from other hosts and call only this machine, under both of its names. There is no
 * Cross-Origin-Opener-Policy, because any value would cut the hosted page off from the shop that opened it.
 */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'self' http://localhost:* http://127.0.0.1:*",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

/**
 * The popup lab uses this page to cut its window off from the shop on purpose. No other page has this
 * header.
 */
const SEVERING_PATH = '/labs/coop/';
const SEVERING_HEADERS = { 'cross-origin-opener-policy': 'same-origin' } as const;

/**
 * Serves a file from a folder of built pages. For a folder it serves its index.html. Returns null if the
 * file does not exist.
 */
export async function servePage(root: string, request: Request): Promise<Response | null> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const { pathname, search } = new URL(request.url);
  const path = toFilePath(root, pathname);
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path === null || !found) return null;
  if (found.isDirectory()) {
    // Relative URLs in the page need the trailing slash.
    if (!pathname.endsWith('/')) return redirectTo(`${pathname}/${search}`);
    const extra = pathname === SEVERING_PATH ? SEVERING_HEADERS : {};
    return await serveFile(join(path, 'index.html'), request, extra);
  }
  return found.isFile() && !pathname.endsWith('/') ? await serveFile(path, request) : null;
}

/** Returns the file for a path, or null if it is outside the root or a dot file. */
function toFilePath(root: string, pathname: string): string | null {
  const decoded = decode(pathname);
  if (decoded === null) return null;
  const folder = resolve(root);
  const path = resolve(folder, `.${decoded}`);
  // The URL parser has resolved plain dot segments. Percent-encoded ones are decoded here, and they begin
  // with a dot too.
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
  extra: Readonly<Record<string, string>> = {},
): Promise<Response | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return null;
  const headers = {
    'x-content-type-options': 'nosniff',
    'cache-control': HASHED_NAME.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(path.endsWith('.html') && PAGE_HEADERS),
    ...extra,
  };
  return files.fetch(request, { path, headers });
}

/** A name that Vite derives from the content of the file, so that its content never changes. */
const HASHED_NAME = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\.\w+$/;

interface FileToServe {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Serves one file: compressed by the build if possible and otherwise here, with an ETag and ranges. */
const files = new Hono<{ Bindings: FileToServe }>()
  .use(compress(), etag())
  .get('*', async (c, next) => {
    const { path, headers } = c.env;
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return serveStatic<{ Bindings: FileToServe }>({ path, precompressed: true })(c, next);
  });

function redirectTo(location: string): Response {
  // A path that begins with two slashes would redirect to another host.
  return new Response(null, {
    status: 308,
    headers: { location: location.replace(/^\/+/, '/') },
  });
}
