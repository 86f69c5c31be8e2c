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
  withBody,
  withJson,
  type BrokenService,
  type Fetch,
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
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** POST /sessions/create: fields, policy, return URLs and the billing block. */
export const CREATING: readonly BrokenService[] = [
  {
    name: 'a browser may raise the age',
    noticedBy: ['create.policy.tenant.applies'],
    breaks: 'policy values are ignored with a publishable key, stricter ones too (create, rule 1)',
    async fetch(request, next) {
      const { verificationMode: _, faceMatchEnabled: __, ...body } = await readJson(request);
      const age = body['challengeAge'];
      if (!isPost(request, CREATE) || typeof age !== 'number' || age > 99) return next(request);
      const account = await findAccount(next, keyOf(request));
      const isRaised = account && age > account.tenant['policy'].challengeAge;
      if (!isRaised || !keyOf(request).startsWith('pk_')) return next(request);
      const changed = await withBody(request, body);
      changed.headers.delete('x-api-key');
      changed.headers.set('authorization', `Bearer ${account.pair['secret'].value}`);
      return next(changed);
    },
  },
  {
    name: 'externalUserId trimmed',
    noticedBy: ['create.externalUserId'],
    breaks: "externalUserId is the merchant's own identifier, kept as sent (Session)",
    async fetch(request, next) {
      const body = await readJson(request);
      const id = body['externalUserId'];
      if (!isPost(request, CREATE) || typeof id !== 'string') return next(request);
      return next(await withBody(request, { ...body, externalUserId: id.trim() }));
    },
  },
  {
    name: 'expiresAt rounded up to a full minute',
    noticedBy: ['create.billing.SUBSCRIPTION_REQUIRED'],
    breaks: 'a session expires 10 minutes after its creation (Session; Limits)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, CREATE) || response.status !== 201) return response;
      const atMs = Date.parse((await readJson(response))['expiresAt']);
      const expiresAt = new Date(Math.ceil(atMs / 60_000) * 60_000).toISOString();
      return patchJson(response, { expiresAt });
    },
  },
  {
    name: 'billingBlock is null',
    noticedBy: ['create.response'],
    breaks: 'billingBlock is present only when verification is blocked (billingBlock)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, CREATE) || response.status !== 201) return response;
      return patchJson(response, { billingBlock: null, ...(await readJson(response)) });
    },
  },
  {
    name: 'allowed domains match any suffix',
    noticedBy: ['create.returnUrl.domain'],
    breaks: 'the domain of returnUrl must be on the allowlist (POST /sessions/create)',
    async fetch(request, next, memory) {
      const tenant = (await findAccount(next, keyOf(request)))?.tenant;
      const domains: string[] = tenant?.['allowedDomains'] ?? [];
      return allowReturn(request, next, {
        memory,
        toAllowed: (host) => domains.find((domain) => host.endsWith(domain)),
      });
    },
  },
  {
    name: 'every host that begins with localhost',
    noticedBy: ['create.returnUrl.domain'],
    breaks: 'only localhost itself is exempt from the allowed domains (returnUrl rules 2 and 5)',
    fetch: (request, next, memory) =>
      allowReturn(request, next, {
        memory,
        toAllowed: (host) => (host.startsWith('localhost') ? 'localhost' : undefined),
      }),
  },
  {
    name: 'only the last of equal query parameters is kept',
    noticedBy: [],
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
    name: 'a paused publishable key counts as active',
    noticedBy: ['create.launch.publishable-key'],
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
    noticedBy: ['create.launch.secret-key-revoked'],
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
    noticedBy: ['create.sandbox.changed'],
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
    noticedBy: ['create.policy.challengeAge.invalid'],
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
    noticedBy: ['create.unknown.publishable-key.message'],
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
  {
    name: 'challengeAge must be below 99',
    noticedBy: ['create.policy.challengeAge.stored'],
    breaks: 'challengeAge is 25 to 99, and both are included (create, request body; Limits)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const isAffected = body['challengeAge'] === 99 && keyOf(request).startsWith('sk_');
      // The correct service refuses 100 as this one refuses 99.
      return next(isAffected ? await withBody(request, { ...body, challengeAge: 100 }) : request);
    },
  },
  {
    name: 'one override of a secret key replaces the whole policy',
    noticedBy: ['create.policy.tenant.others'],
    breaks: 'a secret key may override policy per session, value by value (create, rule 2)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const isOverride = ['verificationMode', 'challengeAge'].some((name) => name in body);
      if (!isOverride || !keyOf(request).startsWith('sk_')) return next(request);
      return next(await withBody(request, { verificationMode: 'L1', challengeAge: 25, ...body }));
    },
  },
  {
    name: 'externalUserId ignored with a publishable key',
    noticedBy: ['create.externalUserId.publishable-key'],
    breaks: 'externalUserId is accepted from every key (create, request body)',
    async fetch(request, next) {
      const { externalUserId, ...body } = isPost(request, CREATE) ? await readJson(request) : {};
      const isIgnored = typeof externalUserId === 'string' && keyOf(request).startsWith('pk_');
      return next(isIgnored ? await withBody(request, body) : request);
    },
  },
  {
    name: 'the port is part of the allowed domain',
    noticedBy: ['create.returnUrl.port'],
    breaks: 'the domain of returnUrl is validated against the allowlist (create, request body)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const { returnUrl } = body;
      if (!URL.canParse(returnUrl)) return next(request);
      const { port, hostname } = new URL(returnUrl);
      if (port === '' || LOCAL.includes(hostname)) return next(request);
      // The correct service refuses a domain that is on no allowlist.
      return next(await withBody(request, { ...body, returnUrl: 'https://refused.invalid/' }));
    },
  },
];

/**
 * Accepts a return URL that the correct service refuses. The session is created with an allowed host, and
 * the hosted page's API shows the refused one.
 */
async function allowReturn(
  request: Request,
  next: Fetch,
  {
    memory,
    toAllowed,
  }: { memory: Map<string, unknown>; toAllowed(host: string): string | undefined },
): Promise<Response> {
  const response = await next(request);
  if (pathOf(request).startsWith('/hosted/v1/') && response.status < 300) {
    const { sessionId } = await readJson(response);
    const returnUrl = memory.get(sessionId);
    return returnUrl === undefined ? response : patchJson(response, { returnUrl });
  }
  const body = await readJson(request);
  const { message } = await readJson(response);
  if (!isPost(request, CREATE) || message !== 'Return URL domain not allowed') return response;
  const url = new URL(body['returnUrl']);
  const host = toAllowed(url.hostname);
  if (host === undefined) return response;
  url.hostname = host;
  const accepted = await next(await withBody(request, { ...body, returnUrl: url.href }));
  const { sessionId } = await readJson(accepted);
  if (accepted.status === 201) memory.set(sessionId, body['returnUrl']);
  return accepted;
}
