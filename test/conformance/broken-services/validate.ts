import {
  control,
  CREATE,
  isPost,
  keyOf,
  patchJson,
  readJson,
  readNow,
  VALIDATE,
  withJson,
  type BrokenService,
} from './broken-service.ts';

const USED = 'Session has already been used';
const LIFETIME_MS = 600_000;

/** POST /sessions/validate and the states of a session. */
export const VALIDATING: readonly BrokenService[] = [
  {
    name: 'a failed result can be read again',
    noticedBy: ['validate.twice'],
    breaks: 'validation works once, whatever the result (States, rule 4)',
    async fetch(request, next, memory) {
      const response = await next(request);
      if (!isPost(request, VALIDATE)) return response;
      const { sessionId } = await readJson(request);
      const body = await readJson(response);
      if (body['status'] === 'failed') memory.set(sessionId, body);
      const first = memory.get(sessionId);
      return first && body['message'] === USED ? withJson(response, first, 200) : response;
    },
  },
  {
    name: 'five seconds of grace after the expiry',
    noticedBy: ['validate.expiry.at'],
    breaks: 'a session lives 10 minutes, then validate answers 400 (validate, rule 4; Limits)',
    async fetch(request, next) {
      const response = await next(request);
      const { message } = await readJson(response);
      if (!isPost(request, VALIDATE) || message !== 'Session has expired') return response;
      const { sessionId } = await readJson(request);
      const session = await control(next, `GET /sessions/${sessionId}`);
      const now = await readNow(next);
      if (Date.parse(now) - Date.parse(session['expiresAt']) >= 5000) return response;
      const { verificationMode, challengeAge, faceMatchEnabled, externalUserId } = session;
      const body = {
        sessionId,
        merchantId: session['tenantId'],
        verified: false,
        accessGranted: false,
        status: 'pending',
        verificationMode,
        challengeAge,
        faceMatchEnabled,
        externalUserId,
        testMode: false,
        timestamp: now,
        expiresAt: session['expiresAt'],
      };
      return withJson(response, body, 200);
    },
  },
  {
    name: 'timestamp of the validation',
    noticedBy: ['validate.timestamp'],
    breaks: 'timestamp is the time of completion (POST /sessions/validate)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, VALIDATE) || response.status !== 200) return response;
      return patchJson(response, { timestamp: await readNow(next) });
    },
  },
  {
    name: "challengeAge of the account's present policy",
    noticedBy: ['create.policy.tenant.changed'],
    breaks: 'challengeAge is the threshold that the session used (POST /sessions/validate)',
    async fetch(request, next, memory) {
      const response = await next(request);
      const body = await readJson(response);
      if (isPost(request, CREATE) && keyOf(request).startsWith('sk_')) {
        const { challengeAge } = await readJson(request);
        if (typeof challengeAge === 'number') memory.set(body['sessionId'], challengeAge);
      }
      if (!isPost(request, VALIDATE) || response.status !== 200) return response;
      if (memory.has(body['sessionId'])) return response;
      const { policy } = await control(next, `GET /tenants/${body['merchantId']}`);
      return patchJson(response, { challengeAge: policy.challengeAge });
    },
  },
  {
    name: 'parallel validations all succeed',
    noticedBy: ['validate.race'],
    breaks: 'validation works once, also for calls at the same time (States, rule 4)',
    async fetch(request, next, memory) {
      if (!isPost(request, VALIDATE)) return next(request);
      const { sessionId } = await readJson(request);
      const earlier = memory.get(sessionId) as Promise<Response> | undefined;
      const own = next(request);
      if (!earlier) memory.set(sessionId, own);
      const response = await own;
      if (!earlier) memory.delete(sessionId);
      const { message } = await readJson(response);
      const first = message === USED ? await earlier : undefined;
      return first?.status === 200 ? withJson(response, await readJson(first), 200) : response;
    },
  },
  {
    name: 'a late cancellation replaces the result',
    noticedBy: ['states.final'],
    breaks: 'only a pending session can become cancelled (States and transitions)',
    async fetch(request, next, memory) {
      const response = await next(request);
      if (isPost(request, '/hosted/v1/cancel') && response.status === 409) {
        const url = new URL('/hosted/v1/session', request.url);
        const shown = await next(new Request(url, { headers: request.headers }));
        const { sessionId, status } = await readJson(shown);
        if (status !== 'verified' && status !== 'failed') return response;
        memory.set(sessionId, true);
        return patchJson(shown, { status: 'cancelled', reason: 'cancelled' });
      }
      const { sessionId } = await readJson(response);
      const isLate = isPost(request, VALIDATE) && response.status === 200 && memory.has(sessionId);
      if (!isLate) return response;
      return patchJson(response, { status: 'cancelled', verified: false, accessGranted: false });
    },
  },
  {
    name: 'a session of another account is not found',
    noticedBy: ['validate.other-account'],
    breaks: 'a session of another tenant gets 403 (validate, rule 2)',
    async fetch(request, next) {
      const response = await next(request);
      if (!isPost(request, VALIDATE) || response.status !== 403) return response;
      const change = { statusCode: 404, message: 'Session not found', error: 'Not Found' };
      return withJson(response, { ...(await readJson(response)), ...change }, 404);
    },
  },
  {
    name: 'a refused validation of another account uses the session',
    noticedBy: ['validate.other-account.not-consumed'],
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
    noticedBy: ['create.policy.tenant.applies'],
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
    name: 'expiresAt counted from the completion',
    noticedBy: ['validate.expiresAt'],
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
