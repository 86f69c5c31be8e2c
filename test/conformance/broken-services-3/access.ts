import {
  CREATE,
  findAccount,
  isPost,
  keyOf,
  patchJson,
  pathOf,
  readJson,
  VALIDATE,
  withHeaders,
  withJson,
  type BrokenService,
} from '../broken-services/broken-service.ts';

const KEY_LENGTH = 51;
const API = '/api/v1';

/** Keys, rate limits and the bodies of errors. */
export const ACCESS: readonly BrokenService[] = [
  {
    name: 'a revoked key gets 403',
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
    name: 'created sessions spend the limit of validate',
    breaks: 'a rate-limit bucket is per account and per endpoint (Limits)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, CREATE) || response.status !== 201) return response;
      const secret = (await findAccount(next, keyOf(request)))?.pair['secret'];
      const headers = {
        authorization: `Bearer ${secret?.value}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ sessionId: crypto.randomUUID() });
      await next(new Request(new URL(VALIDATE, request.url), { method: 'POST', headers, body }));
      return response;
    },
  },
  {
    name: 'X-RateLimit-Remaining still counts the present request',
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
    breaks: 'path starts with /api/v1 (Errors)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status < 400 || !pathOf(request).startsWith(`${API}/`)) return response;
      return patchJson(response, { path: pathOf(request).slice(API.length) });
    },
  },
  {
    name: 'unknown properties of validate are not named',
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
