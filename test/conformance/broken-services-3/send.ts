import {
  control,
  pathOf,
  payloadOf,
  readJson,
  readNow,
  withJson,
  withPayload,
  type BrokenService,
} from '../broken-services/broken-service.ts';

const NEW_ENDPOINT = /^\/control\/v1\/tenants\/[^/]+\/webhook-endpoints$/;

/** The requests of webhooks, their answers, and the URLs of endpoints. */
export const SENDING: readonly BrokenService[] = [
  {
    name: 'receivers must answer 200',
    breaks: 'any 2xx response is a success (Webhook delivery; Limits)',
    async send(request, next) {
      const result = await next(request);
      const isOther = result.kind === 'response' && result.status > 200 && result.status < 300;
      return isOther ? { ...result, status: 500 } : result;
    },
  },
  {
    name: 'a Retry-After date is ignored',
    breaks: 'Retry-After, which may be a date in HTTP, is honored up to one hour (Limits)',
    async send(request, next) {
      const result = await next(request);
      const isDate = result.kind === 'response' && !/^\s*\d+\s*$/.test(result.retryAfter ?? '');
      return isDate ? { ...result, retryAfter: null } : result;
    },
  },
  {
    name: 'the query of a webhook URL is not sent',
    breaks: 'ports, paths and query strings of destinations are allowed (Destination checks)',
    async send(request, next) {
      const url = new URL(request.url);
      if (url.search === '') return next(request);
      url.search = '';
      return next({ ...request, url: url.href });
    },
  },
  {
    name: 'webhook URLs must use port 443',
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
  {
    name: 'data.timestamp is the creation of the session',
    breaks: 'data.timestamp is when the underlying event occurred (Webhook event envelope)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (!String(payload['event']).startsWith('verification.')) return next(request);
      const { sessionId } = payload['data'];
      const { createdAt } = await control(world.service, `GET /sessions/${sessionId}`);
      if (createdAt === undefined) return next(request);
      const data = { ...payload['data'], timestamp: createdAt };
      return next(await withPayload(request, { ...payload, data }, world));
    },
  },
  {
    name: 'no externalUserId in timeouts',
    breaks: 'all payloads carry externalUserId when it was provided (Events)',
    async send(request, next, world) {
      const payload = payloadOf(request);
      if (payload['event'] !== 'session.timeout') return next(request);
      const { externalUserId: _, ...data } = payload['data'];
      return next(await withPayload(request, { ...payload, data }, world));
    },
  },
];
