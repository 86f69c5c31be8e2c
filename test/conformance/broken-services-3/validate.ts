import {
  isPost,
  patchJson,
  readJson,
  VALIDATE,
  type BrokenService,
} from '../broken-services/broken-service.ts';

const LIFETIME_MS = 600_000;

/** POST /sessions/validate. */
export const VALIDATING: readonly BrokenService[] = [
  {
    name: 'accessGranted needs a face match',
    breaks: 'accessGranted equals verified (Session)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, VALIDATE) || response.status !== 200) return response;
      const { verified, faceMatchEnabled } = await readJson(response);
      return patchJson(response, { accessGranted: verified && faceMatchEnabled });
    },
  },
  {
    name: 'expiresAt counted from the completion',
    breaks: 'a session expires 10 minutes after its creation, without extension (States, rule 3)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, VALIDATE) || response.status !== 200) return response;
      const { status, timestamp } = await readJson(response);
      if (status === 'pending') return response;
      const expiresAt = new Date(Date.parse(timestamp) + LIFETIME_MS).toISOString();
      return patchJson(response, { expiresAt });
    },
  },
];
