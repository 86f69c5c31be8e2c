import { http, type RequestHandler } from 'msw';
import { API_ORIGIN, STAGING_API_ORIGIN } from '../brand.ts';
import type { MockService } from '../service.ts';

/** Arguments of `setupServer` and `setupWorker`. */
export type MswHandlers = RequestHandler[];

/**
 * Answers everything under the service's API origin from MSW, in Node and in the page; when that is the
 * production origin, under staging's too. Written against what MSW 2.15 and 3 have in common.
 */
export function createHandlers(service: Pick<MockService, 'fetch' | 'apiOrigin'>): MswHandlers {
  const { apiOrigin } = service;
  const origins = apiOrigin === API_ORIGIN ? [apiOrigin, STAGING_API_ORIGIN] : [apiOrigin];
  return origins.map((origin) => http.all(`${origin}/*`, ({ request }) => service.fetch(request)));
}
