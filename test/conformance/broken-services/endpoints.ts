import {
  control,
  patchJson,
  pathOf,
  readJson,
  readNow,
  withBody,
  withJson,
  type BrokenService,
  type Json,
} from './broken-service.ts';

const ENDPOINTS_PATH = /^\/control\/v1\/(tenants\/[^/]+\/)?webhook-endpoints(\/[^/]+)?$/;
const NEW_ENDPOINT = /^\/control\/v1\/tenants\/[^/]+\/webhook-endpoints$/;

/** The dashboard's actions on webhook endpoints, which the control API offers. */
export const ENDPOINTS: readonly BrokenService[] = [
  {
    name: 'resuming resends past events',
    noticedBy: ['webhooks.pause.resume.no-past-events'],
    breaks: 'resuming an endpoint does not resend past events (Events, rule 7)',
    async fetch(request, next) {
      const response = await next(request);
      const id = /\/webhook-endpoints\/([^/]+)\/resume$/.exec(pathOf(request))?.[1];
      const { resumed } = await readJson(response);
      if (id && resumed) await control(next, `POST /webhook-endpoints/${id}/redeliver`);
      return response;
    },
  },
  {
    name: 'pairId stored but not applied',
    noticedBy: ['webhooks.endpoints.pair.other'],
    breaks: 'an endpoint with a pairId gets only the sessions of that pair (Events, rule 1)',
    async fetch(request, next, memory) {
      const body = ENDPOINTS_PATH.test(pathOf(request)) ? await readJson(request) : {};
      const pairId = body['pairId'];
      if (typeof pairId !== 'string') return showField(await next(request), 'pairId', memory);
      const response = await next(await withBody(request, { ...body, pairId: null }));
      memory.set((await readJson(response))['id'], pairId);
      return showField(response, 'pairId', memory);
    },
  },
  {
    name: 'failures include cancellations',
    noticedBy: ['events.subscription.one'],
    breaks: 'an endpoint gets only the kinds to which it is subscribed (Events, rule 1)',
    async fetch(request, next, memory) {
      const body = ENDPOINTS_PATH.test(pathOf(request)) ? await readJson(request) : {};
      const events: unknown = body['events'];
      const isFailure = Array.isArray(events) && events.includes('verification.failed');
      if (!isFailure || events.includes('verification.cancelled')) {
        return showField(await next(request), 'events', memory);
      }
      const wider = [...events, 'verification.cancelled'];
      const response = await next(await withBody(request, { ...body, events: wider }));
      memory.set((await readJson(response))['id'], events);
      return showField(response, 'events', memory);
    },
  },
  {
    name: 'IPv4 addresses inside IPv6 are accepted',
    noticedBy: ['webhooks.destinations.refused'],
    breaks: 'private destinations are rejected, however they are written (Destination checks)',
    async fetch(request, next) {
      const response = await next(request);
      const body = ENDPOINTS_PATH.test(pathOf(request)) ? await readJson(request) : {};
      const { url } = body;
      if (response.status !== 400 || !/^https:\/\/\[::ffff:/i.test(url)) return response;
      const accepted = await next(
        await withBody(request, { ...body, url: 'https://hooks.example/' }),
      );
      return accepted.status < 300 ? patchJson(accepted, { url }) : accepted;
    },
  },
  {
    name: 'webhook URLs must use port 443',
    noticedBy: ['webhooks.destinations.accepted'],
    breaks: 'ports of destinations are allowed (Destination checks)',
    async fetch(request, next) {
      const path = pathOf(request);
      if (request.method !== 'POST' || !NEW_ENDPOINT.test(path)) return next(request);
      const { url } = await readJson(request);
      if (!URL.canParse(url) || new URL(url).port === '') return next(request);
      const body = {
        statusCode: 400,
        message: ['url must use port 443'],
        timestamp: await readNow(next),
        path,
        error: 'Bad Request',
      };
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      return withJson(new Response(null, { headers }), body, 400);
    },
  },
];

/** Shows the field of an endpoint, or of the endpoints in a list, as it was sent. */
async function showField(
  response: Response,
  field: string,
  memory: Map<string, unknown>,
): Promise<Response> {
  const show = (row: Json): Json =>
    memory.has(row['id']) && field in row ? { ...row, [field]: memory.get(row['id']) } : row;
  if (memory.size === 0 || response.status >= 300) return response;
  const body = await readJson(response);
  if (Array.isArray(body['items'])) {
    return withJson(response, { ...body, items: body['items'].map(show) });
  }
  return memory.has(body['id']) ? withJson(response, show(body)) : response;
}
