import {
  control,
  CREATE,
  findAccount,
  isPost,
  keyOf,
  patchJson,
  readJson,
  readNow,
  withBody,
  withJson,
  type BrokenService,
} from './broken-service.ts';

const KNOWN = [
  'merchantId',
  'returnUrl',
  'cancelUrl',
  'merchantName',
  'externalUserId',
  'verificationMode',
  'challengeAge',
  'faceMatchEnabled',
];

/** POST /sessions/create. */
export const MORE_CREATING: readonly BrokenService[] = [
  {
    name: 'only the last of equal query parameters is kept',
    breaks: 'query parameters of returnUrl are preserved (Redirect callback parameters)',
    async fetch(request, next) {
      const body = await readJson(request);
      const { returnUrl } = body;
      if (!isPost(request, CREATE) || !URL.canParse(returnUrl)) return next(request);
      const url = new URL(returnUrl);
      const kept = Object.fromEntries(url.searchParams);
      if (Object.keys(kept).length === [...url.searchParams].length) return next(request);
      url.search = new URLSearchParams(kept).toString();
      return next(await withBody(request, { ...body, returnUrl: url.href }));
    },
  },
  {
    name: 'an empty merchantId counts as absent',
    breaks: 'a merchantId that is present must equal the identity of the key (Authentication 4)',
    async fetch(request, next) {
      const { merchantId, ...body } = await readJson(request);
      if (!isPost(request, CREATE) || merchantId !== '') return next(request);
      return next(await withBody(request, body));
    },
  },
  {
    name: 'a paused publishable key counts as active',
    breaks: 'the launch configuration needs an active paired publishable key (create, 503)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, CREATE) || response.status !== 503) return response;
      const key = (await findAccount(next, keyOf(request)))?.pair['publishable'];
      if (key?.status !== 'paused') return response;
      await control(next, `PATCH /keys/${key.id}`, { status: 'active' });
      const created = await next(request);
      await control(next, `PATCH /keys/${key.id}`, { status: 'paused' });
      return created;
    },
  },
  {
    name: 'a publishable key needs its secret key',
    breaks: '503 depends on the publishable key of a secret key, not the reverse (create, 503)',
    async fetch(request, next) {
      if (!isPost(request, CREATE) || !keyOf(request).startsWith('pk_')) return next(request);
      const secret = (await findAccount(next, keyOf(request)))?.pair['secret'];
      const response = await next(request);
      if (response.status !== 201 || secret?.status === 'active') return response;
      const body = {
        statusCode: 503,
        code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE',
        message: 'The launch configuration is not available',
        timestamp: await readNow(next),
        path: CREATE,
        error: 'Service Unavailable',
      };
      return withJson(response, body, 503);
    },
  },
  {
    name: 'sandboxMode cached for each account',
    breaks: 'sandboxMode tells whether sandbox mode is active for the session (Session)',
    async fetch(request, next, memory) {
      const response = await next(request);
      if (!isPost(request, CREATE) || response.status !== 201) return response;
      const { sandboxMode } = await readJson(response);
      const id = (await findAccount(next, keyOf(request)))?.tenant['id'];
      if (!memory.has(id)) memory.set(id, sandboxMode);
      return patchJson(response, { sandboxMode: memory.get(id) });
    },
  },
  {
    name: 'challengeAge converted from a string',
    breaks: 'challengeAge is a number (POST /sessions/create)',
    async fetch(request, next) {
      const body = await readJson(request);
      const age: unknown = body['challengeAge'];
      const isText = typeof age === 'string' && age.trim() !== '';
      if (!isPost(request, CREATE) || !isText || Number.isNaN(Number(age))) return next(request);
      return next(await withBody(request, { ...body, challengeAge: Number(age) }));
    },
  },
  {
    name: 'unknown properties ignored with a publishable key',
    breaks: 'unknown properties are rejected with 400, whatever the key (create, rule 3)',
    async fetch(request, next) {
      const body = await readJson(request);
      const known = Object.entries(body).filter(([name]) => KNOWN.includes(name));
      const isWider = known.length < Object.keys(body).length;
      const isBrowser = isPost(request, CREATE) && keyOf(request).startsWith('pk_');
      if (!isBrowser || !isWider) return next(request);
      return next(await withBody(request, Object.fromEntries(known)));
    },
  },
];
