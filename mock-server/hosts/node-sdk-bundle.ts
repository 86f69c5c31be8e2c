import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { API_ORIGIN, SDK_HELP, STAGING_API_ORIGIN } from '../api/brand.ts';
import { HELP_PATH } from './help-page.ts';

const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
  // Allows a shop to load the bundle from another origin, also with Subresource Integrity and COEP.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-cache',
};

/**
 * Creates a function that serves the SDK's script-tag bundle, bound to the mock at `ownOrigin`. Its bytes
 * equal the published file except for the addresses of the API and of the pages about errors.
 * @param answerMissing Called if the bundle was not built.
 */
export function createSdkBundle(
  file: string,
  ownOrigin: string,
  answerMissing: () => Response,
): (request: Request) => Response | Promise<Response> {
  const retainedHeaders = [...RETAINED_304_HEADERS, ...Object.keys(HEADERS)];
  const app = new Hono().use(compress(), etag({ retainedHeaders })).get('*', async (c) => {
    const shipped = await readFile(file, 'utf8').catch(() => null);
    if (shipped === null) return answerMissing();
    const bound = [API_ORIGIN, STAGING_API_ORIGIN].reduce(
      (text, origin) => text.replaceAll(`${origin}/api/v1`, `${ownOrigin}/api/v1`),
      shipped.replaceAll(SDK_HELP, ownOrigin + HELP_PATH),
    );
    return c.body(bound, 200, HEADERS);
  });
  return (request) => app.fetch(request);
}
