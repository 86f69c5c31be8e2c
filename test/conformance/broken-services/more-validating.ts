import {
  control,
  isPost,
  patchJson,
  pathOf,
  readJson,
  readNow,
  VALIDATE,
  withHeaders,
  withJson,
  type BrokenService,
} from './broken-service.ts';

/** POST /sessions/validate, errors and the headers of rate limits. */
export const MORE_VALIDATING: readonly BrokenService[] = [
  {
    name: 'a refused validation of another account uses the session',
    breaks: 'only a successful validation consumes the session (validate, rule 6)',
    async fetch(request, next, memory) {
      const response = await next(request);
      if (!isPost(request, VALIDATE)) return response;
      const { sessionId } = await readJson(request);
      if (response.status === 403) memory.set(sessionId, true);
      if (response.status !== 200 || !memory.has(sessionId)) return response;
      const body = {
        statusCode: 400,
        message: 'Session has already been used',
        timestamp: await readNow(next),
        path: VALIDATE,
        error: 'Bad Request',
      };
      return withJson(response, body, 400);
    },
  },
  {
    name: 'testMode at validate follows sandboxMode',
    breaks: 'testMode is always false (POST /sessions/validate)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, VALIDATE) || response.status !== 200) return response;
      const { sessionId } = await readJson(response);
      const { sandboxMode } = await control(next, `GET /sessions/${sessionId}`);
      return patchJson(response, { testMode: sandboxMode });
    },
  },
  {
    name: 'the path of an error includes the query',
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
    breaks: 'the header has the seconds until the window resets (Limits)',
    async fetch(request, next) {
      const response = await next(request);
      if (response.status !== 429) return response;
      return withHeaders(response, (headers) => {
        headers.set('x-ratelimit-retry-after', headers.get('x-ratelimit-window') ?? '60');
      });
    },
  },
];
