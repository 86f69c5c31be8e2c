import { readFile, stat } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

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
  const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
  const etag = `"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`;
  const headers = {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    etag,
    ...(type.startsWith('text/html') && PAGE_HEADERS),
    ...extra,
  };
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers });
  const body = request.method === 'HEAD' ? null : await readFile(path);
  return new Response(body, { headers });
}

function redirectTo(location: string): Response {
  // A path that begins with two slashes would redirect to another host.
  return new Response(null, {
    status: 308,
    headers: { location: location.replace(/^\/+/, '/') },
  });
}
