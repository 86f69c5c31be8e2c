import { http, type RequestHandler } from 'msw';
import { API_ORIGIN, STAGING_API_ORIGIN } from '../api/brand.ts';
import type { MockService } from '../service/service.ts';

/** Arguments of `setupServer` and `setupWorker`. */
export type MswHandlers = RequestHandler[];

/**
 * Creates MSW handlers that pass every request for the API's origin to the service, in Node and in a page.
 * If that is the production origin, they cover staging too. They use only the API that MSW 2 and 3 have in
 * common.
 */
export function createHandlers(service: Pick<MockService, 'fetch' | 'apiOrigin'>): MswHandlers {
  const { apiOrigin } = service;
  const origins = apiOrigin === API_ORIGIN ? [apiOrigin, STAGING_API_ORIGIN] : [apiOrigin];
  return origins.map((origin) =>
    http.all(`${origin}/*`, async ({ request }) =>
      allowUnknownOrigin(request, await service.fetch(request)),
    ),
  );
}

/**
 * Lets the page read the response to a request without `Origin`. happy-dom checks CORS itself, also for
 * preflight requests, but its `Origin` header does not reach the handlers of MSW 3.
 */
function allowUnknownOrigin(request: Request, response: Response): Response {
  if (!request.headers.has('origin')) response.headers.set('Access-Control-Allow-Origin', '*');
  return response;
}
