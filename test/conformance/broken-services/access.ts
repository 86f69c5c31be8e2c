import {
  control,
  CREATE,
  findAccount,
  isPost,
  keyOf,
  patchJson,
  pathOf,
  readJson,
  readNow,
  VALIDATE,
  withBody,
  withHeaders,
  withJson,
  type BrokenService,
} from './broken-service.ts';

const KEY_LENGTH = 51;
const API = '/api/v1';

/** Authentication, errors, headers and rate limits. */
export const ACCESS: readonly BrokenService[] = [
  {
    name: 'x-api-key only on create',
    noticedBy: ['auth.publishable'],
    breaks: 'x-api-key is an alternative to Authorization on every call (Authentication 1)',
    async fetch(request, next) {
      if (!isPost(request, VALIDATE) || request.headers.has('authorization')) return next(request);
      const headers = new Headers(request.headers);
      headers.delete('x-api-key');
      return next(new Request(request, { headers }));
    },
  },
  {
    name: 'merchantId compared without case',
    noticedBy: ['create.merchantId.other'],
    breaks: 'merchantId must equal the identity of the key (POST /sessions/create)',
    async fetch(request, next) {
      const body = await readJson(request);
      if (!isPost(request, CREATE) || typeof body['merchantId'] !== 'string') return next(request);
      const id = (await findAccount(next, keyOf(request)))?.tenant['id'];
      if (body['merchantId'].toLowerCase() !== id) return next(request);
      return next(await withBody(request, { ...body, merchantId: id }));
    },
  },
  {
    name: 'malformed JSON answered with HTML',
    noticedBy: ['body.create.truncated', 'body.validate.truncated'],
    breaks: 'errors have the JSON body with statusCode, message, timestamp and path (Errors)',
    async fetch(request, next) {
      const text = await request.clone().text();
      const response = await next(request);
      if (response.status !== 400 || !pathOf(request).startsWith('/api/v1/')) return response;
      try {
        JSON.parse(text);
        return response;
      } catch {
        const page = new Response('<!DOCTYPE html><pre>SyntaxError</pre>', response);
        return withHeaders(page, (headers) => headers.set('content-type', 'text/html'));
      }
    },
  },
  {
    name: 'CORS headers only on success',
    noticedBy: ['limits.cors'],
    breaks: 'the SDK calls create from a browser and must read its errors (What the service does)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status < 400) return response;
      return withHeaders(response, (headers) => {
        for (const name of ['origin', 'headers', 'methods']) {
          headers.delete(`access-control-allow-${name}`);
        }
        headers.delete('access-control-expose-headers');
      });
    },
  },
  {
    name: 'a rate limit for each key',
    noticedBy: ['limits.shared-by-keys', 'limits.create.301st'],
    breaks: 'all keys of an account share its limit (Limits; Authentication 5)',
    async fetch(request, next, memory) {
      const endpoint = [CREATE, VALIDATE].find((path) => isPost(request, path));
      const account = endpoint && (await findAccount(next, keyOf(request)));
      if (!account) return next(request);
      const now = Date.parse(await readNow(next));
      const name = `${endpoint} ${keyOf(request)}`;
      let window = memory.get(name) as { startMs: number; count: number } | undefined;
      if (!window || now - window.startMs >= 60_000) window = { startMs: now, count: 0 };
      memory.set(name, window);
      const { id, rateLimits } = account.tenant;
      const limit: number = rateLimits[endpoint === CREATE ? 'create' : 'validate'];
      let response = await next(request);
      if (response.status === 429 && window.count < limit) {
        // The correct service has no limit for each key, so its limit is lifted for one request.
        const lifted = { create: 1_000_000, validate: 1_000_000 };
        await control(next, `PATCH /tenants/${id}`, { rateLimits: lifted });
        response = await next(request);
        await control(next, `PATCH /tenants/${id}`, { rateLimits });
      }
      window.count++;
      return withHeaders(response, (headers) => {
        headers.set('x-ratelimit-limit', String(limit));
        headers.set('x-ratelimit-remaining', String(Math.max(0, limit - window.count)));
      });
    },
  },
  {
    name: 'no rate-limit headers on 401',
    noticedBy: ['limits.headers'],
    breaks: 'the rate-limit headers are on every response (Limits)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status !== 401) return response;
      return withHeaders(response, (headers) => {
        for (const name of ['limit', 'window', 'remaining']) headers.delete(`x-ratelimit-${name}`);
      });
    },
  },
  {
    name: 'X-RateLimit-Limit is a constant',
    noticedBy: ['limits.validate.higher-limit', 'limits.create.higher-limit'],
    breaks: 'the header is the maximum in the window, also of an account with its own (Limits)',
    async fetch(request, next) {
      const response = await next(request);
      if (!response.headers.has('x-ratelimit-limit')) return response;
      const limit = pathOf(request) === VALIDATE ? '100' : '300';
      return withHeaders(response, (headers) => headers.set('x-ratelimit-limit', limit));
    },
  },
  {
    name: 'the path of an error includes the query',
    noticedBy: ['routes.query'],
    breaks: 'path is the path that returned the error (Errors)',
    async fetch(request, next) {
      const response = await next(request);
      const { search } = new URL(request.url);
      const isError = response.status >= 400 && pathOf(request).startsWith('/api/v1/');
      if (!isError || search === '') return response;
      return patchJson(response, { path: pathOf(request) + search });
    },
  },
  {
    name: 'X-RateLimit-Retry-After is the whole window',
    noticedBy: ['limits.window.seconds-left'],
    breaks: 'the header has the seconds until the window resets (Limits)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status !== 429) return response;
      return withHeaders(response, (headers) => {
        headers.set('x-ratelimit-retry-after', headers.get('x-ratelimit-window') ?? '60');
      });
    },
  },
  {
    name: 'a revoked key gets 403',
    noticedBy: ['auth.revoked'],
    breaks: 'an invalid key gets 401 (Authentication 3)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status !== 401 || !pathOf(request).startsWith(API)) return response;
      const { publishable, secret } = (await findAccount(next, keyOf(request)))?.pair ?? {};
      const key = [publishable, secret].find((each) => each?.value === keyOf(request));
      if (!key || key.status === 'active') return response;
      const change = { statusCode: 403, message: 'API key is not active', error: 'Forbidden' };
      return withJson(response, { ...(await readJson(response)), ...change }, 403);
    },
  },
  {
    name: 'only the first characters of a key are compared',
    noticedBy: ['auth.unknown'],
    breaks: 'an invalid key gets 401, also one that begins like a valid key (Authentication 3)',
    async fetch(request, next) {
      const response = await next(request);
      const key = keyOf(request);
      const isApi = pathOf(request).startsWith(API);
      if (!isApi || response.status !== 401 || key.length <= KEY_LENGTH) return response;
      const changed = request.clone();
      changed.headers.delete('x-api-key');
      changed.headers.set('authorization', `Bearer ${key.slice(0, KEY_LENGTH)}`);
      return next(changed);
    },
  },
  {
    name: 'X-RateLimit-Remaining still counts the present request',
    noticedBy: ['limits.create.headers'],
    breaks: 'the header has the requests that are left in the window (Limits)',
    async fetch(request, next) {
      const response = await next(request);
      const remaining = response.headers.get('x-ratelimit-remaining');
      if (remaining === null || response.status === 429) return response;
      return withHeaders(response, (headers) => {
        headers.set('x-ratelimit-remaining', String(Number(remaining) + 1));
      });
    },
  },
  {
    name: 'the path of an error begins after the prefix',
    noticedBy: ['create.launch.publishable-key'],
    breaks: 'path starts with /api/v1 (Errors)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status < 400 || !pathOf(request).startsWith(`${API}/`)) return response;
      return patchJson(response, { path: pathOf(request).slice(API.length) });
    },
  },
  {
    name: 'unknown properties of validate are not named',
    noticedBy: ['validate.unknown-property'],
    breaks: 'the message lists `property sessionToken should not exist` (Errors)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, VALIDATE) || response.status !== 400) return response;
      const { message } = await readJson(response);
      if (!String(message).includes('should not exist')) return response;
      return patchJson(response, { message: ['only sessionId is allowed'] });
    },
  },
];
