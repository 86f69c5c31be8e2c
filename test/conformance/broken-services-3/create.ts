import {
  CREATE,
  findAccount,
  isPost,
  keyOf,
  readJson,
  withBody,
  type BrokenService,
} from '../broken-services/broken-service.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** POST /sessions/create. */
export const CREATING: readonly BrokenService[] = [
  {
    name: 'challengeAge must be below 99',
    breaks: 'challengeAge is 25 to 99, and both are included (create, request body; Limits)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const isAffected = body['challengeAge'] === 99 && keyOf(request).startsWith('sk_');
      // The correct service refuses 100 as this one refuses 99.
      return next(isAffected ? await withBody(request, { ...body, challengeAge: 100 }) : request);
    },
  },
  {
    name: 'L2 without a face match becomes L1',
    breaks: 'with faceMatchEnabled=false, only the face match is skipped (create, rule 2)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const { verificationMode, faceMatchEnabled } = body;
      const isAffected = verificationMode === 'L2' && faceMatchEnabled === false;
      if (!isAffected || !keyOf(request).startsWith('sk_')) return next(request);
      return next(await withBody(request, { ...body, verificationMode: 'L1' }));
    },
  },
  {
    name: 'one override of a secret key replaces the whole policy',
    breaks: 'a secret key may override policy per session, value by value (create, rule 2)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const isOverride = ['verificationMode', 'challengeAge'].some((name) => name in body);
      if (!isOverride || !keyOf(request).startsWith('sk_')) return next(request);
      return next(await withBody(request, { verificationMode: 'L1', challengeAge: 25, ...body }));
    },
  },
  {
    name: 'a browser may switch off the face match',
    breaks: 'faceMatchEnabled is honored only with a secret key (create, rule 1)',
    async fetch(request, next) {
      const body = isPost(request, CREATE) ? await readJson(request) : {};
      const key = keyOf(request);
      if (body['faceMatchEnabled'] !== false || !key.startsWith('pk_')) return next(request);
      const account = await findAccount(next, key);
      const { publishable, secret } = account?.pair ?? {};
      const isActive = publishable?.status === 'active' && secret?.status === 'active';
      if (!isActive) return next(request);
      const { verificationMode: _, challengeAge: __, ...kept } = body;
      const trusted = await withBody(request, kept);
      trusted.headers.delete('x-api-key');
      trusted.headers.set('authorization', `Bearer ${secret.value}`);
      return next(trusted);
    },
  },
  {
    name: 'externalUserId ignored with a publishable key',
    breaks: 'externalUserId is accepted from every key (create, request body)',
    async fetch(request, next) {
      const { externalUserId, ...body } = isPost(request, CREATE) ? await readJson(request) : {};
      const isIgnored = typeof externalUserId === 'string' && keyOf(request).startsWith('pk_');
      return next(isIgnored ? await withBody(request, body) : request);
    },
  },
  {
    name: 'the port is part of the allowed domain',
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
