import {
  CREATE,
  findAccount,
  isPost,
  keyOf,
  patchJson,
  pathOf,
  readJson,
  withBody,
  type BrokenService,
  type Fetch,
} from './broken-service.ts';

/** POST /sessions/create: fields, policy, return URLs and the billing block. */
export const CREATING: readonly BrokenService[] = [
  {
    name: 'a browser may raise the age',
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
    breaks: 'billingBlock is present only when verification is blocked (billingBlock)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, CREATE) || response.status !== 201) return response;
      return patchJson(response, { billingBlock: null, ...(await readJson(response)) });
    },
  },
  {
    name: 'faceMatchEnabled false not stored',
    breaks: 'faceMatchEnabled=false of a secret key is stored with the session (create, rule 2)',
    async fetch(request, next) {
      const { faceMatchEnabled, ...body } = await readJson(request);
      const isOff = isPost(request, CREATE) && faceMatchEnabled === false;
      if (!isOff || !keyOf(request).startsWith('sk_')) return next(request);
      const response = await next(await withBody(request, body));
      return response.status === 201 ? patchJson(response, { faceMatchEnabled }) : response;
    },
  },
  {
    name: 'allowed domains match any suffix',
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
    breaks: 'only localhost itself is exempt from the allowed domains (returnUrl rules 2 and 5)',
    fetch: (request, next, memory) =>
      allowReturn(request, next, {
        memory,
        toAllowed: (host) => (host.startsWith('localhost') ? 'localhost' : undefined),
      }),
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
