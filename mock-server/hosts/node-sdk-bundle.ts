import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { API_ORIGIN, STAGING_API_ORIGIN } from '../brand.ts';

/**
 * Serves the SDK's script-tag bundle, bound to another API base. Its bytes equal the published file except
 * for the API's addresses. Returns null if the bundle was not built.
 */
export async function serveSdkBundle(
  file: string,
  apiBase: string,
  request: Request,
): Promise<Response | null> {
  const shipped = await readFile(file, 'utf8').catch(() => null);
  if (shipped === null) return null;
  const bound = [API_ORIGIN, STAGING_API_ORIGIN].reduce(
    (text, origin) => text.replaceAll(`${origin}/api/v1`, apiBase),
    shipped,
  );
  const etag = `"${createHash('sha256').update(bound).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    // A shop loads it from another origin, also with Subresource Integrity and COEP.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-cache',
    etag,
  };
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : bound, { headers });
}
