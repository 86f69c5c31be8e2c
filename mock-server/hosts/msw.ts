import { http, type RequestHandler } from 'msw';
import { API_ORIGIN, STAGING_API_ORIGIN } from '../api/brand.ts';
import type { MockService } from '../service/service.ts';

/** Arguments of `setupServer` and `setupWorker`. */
export type MswHandlers = RequestHandler[];

/**
 * Creates MSW handlers that pass every request for the API's origin to the service, in Node and in a page.
 * If that is the production origin, they cover staging and the variable `OFAGE_API_BASE` too. They use only
 * the API that MSW 2 and 3 have in common.
 */
export function createHandlers(service: Pick<MockService, 'fetch' | 'apiOrigin'>): MswHandlers {
  const { apiOrigin } = service;
  const addresses =
    apiOrigin === API_ORIGIN ? [apiOrigin, STAGING_API_ORIGIN, ...readApiBase()] : [apiOrigin];
  return addresses.map((address) =>
    http.all(`${address}/*`, async ({ request }) =>
      allowUnknownOrigin(request, await service.fetch(request)),
    ),
  );
}

/**
 * Reads the address of a running mock, which `--write-env` writes into `.env`. A test runner may load this
 * file, and the server under test would then send its requests there.
 */
function readApiBase(): string[] {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const apiBase = process?.env?.['OFAGE_API_BASE'] ?? '';
  return URL.canParse(apiBase) ? [apiBase.replace(/\/$/, '')] : [];
}

/**
 * Lets the page read the response to a request without `Origin`. happy-dom checks CORS itself, also for
 * preflight requests, but its `Origin` header does not reach the handlers of MSW 3.
 */
function allowUnknownOrigin(request: Request, response: Response): Response {
  if (!request.headers.has('origin')) response.headers.set('Access-Control-Allow-Origin', '*');
  return response;
}
