import * as v from 'valibot';
import {
  authenticate,
  type Caller,
  countRequest,
  findTenantIdOfKey,
  type KeyOperation,
  untouchedQuota,
} from '../../rules/keys.ts';
import { createSession, validateSession } from '../../rules/sessions.ts';
import { isLoopbackOrigin } from '../../send/address.ts';
import { ServiceError } from '../../store/errors.ts';
import { toIso } from '../../store/instant.ts';
import {
  optionalAge,
  optionalFlag,
  optionalMode,
  optionalText,
  optionalUrl,
  requiredText,
  requiredUrl,
} from '../schemas/fields.ts';
import { age, billingBlock, flag, id, instant, mode, text, textOrNull } from '../schemas/values.ts';
import {
  type Access,
  apiOperation,
  type ApiOperation,
  type Done,
  readApiKey,
  type ServiceHost,
} from './api-operation.ts';
import { toPageUrl } from './session-tokens.ts';

/** Body of `POST /sessions/create` with a secret key. */
const createBody = v.object({
  merchantId: optionalText('merchantId'),
  returnUrl: requiredUrl('returnUrl'),
  cancelUrl: optionalUrl('cancelUrl'),
  merchantName: optionalText('merchantName'),
  externalUserId: optionalText('externalUserId'),
  verificationMode: optionalMode('verificationMode'),
  challengeAge: optionalAge('challengeAge'),
  faceMatchEnabled: optionalFlag('faceMatchEnabled'),
});

const ignored = v.pipe(
  v.unknown(),
  v.transform(() => null),
);

/**
 * Body of `POST /sessions/create` with a publishable key. Policy from a browser is ignored, so it is not
 * checked either.
 */
const browserCreateBody = v.object({
  ...createBody.entries,
  verificationMode: ignored,
  challengeAge: ignored,
  faceMatchEnabled: ignored,
});

/** Body of `POST /sessions/validate`. */
const validateBody = v.object({ sessionId: requiredText('sessionId') });

export const createdSession = v.strictObject({
  sessionId: v.pipe(text, v.uuid()),
  sessionToken: id,
  verifyUrl: v.pipe(text, v.url()),
  expiresAt: instant,
  testMode: v.literal(false),
  sandboxMode: flag,
  externalUserId: textOrNull,
  faceMatchEnabled: flag,
  handoffToken: id,
  billingBlock: v.exactOptional(billingBlock),
});

export const validation = v.strictObject({
  sessionId: v.pipe(text, v.uuid()),
  merchantId: id,
  verified: flag,
  accessGranted: flag,
  status: v.picklist(['pending', 'verified', 'failed', 'cancelled']),
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
  externalUserId: textOrNull,
  testMode: v.literal(false),
  timestamp: instant,
  expiresAt: instant,
});

/** The two operations of the public API. */
export const apiOperations: readonly ApiOperation<Caller>[] = [
  apiOperation({
    name: 'create',
    method: 'post',
    path: '/api/v1/sessions/create',
    summary: 'Start a verification session',
    security: 'apiKey',
    access: keyAccess('create'),
    body: createBody,
    bodyOf: ({ key }: Caller) => (key.kind === 'secret' ? createBody : browserCreateBody),
    example: {
      returnUrl: 'http://localhost:3000/return?cart=7',
      cancelUrl: 'http://localhost:3000/cancelled',
      merchantName: 'Wine & Co',
      externalUserId: 'user-42',
      verificationMode: 'L2',
      challengeAge: 30,
      faceMatchEnabled: false,
    },
    success: 201,
    response: createdSession,
    refusals: [401, 403, 429, 503],
    run: ({ db, caller, input, isFromTool, moment, origin }) =>
      createSession(db, caller, { ...input, isFromTool, pageOrigin: origin }, moment),
    present: toCreated,
  }),
  apiOperation({
    name: 'validate',
    method: 'post',
    path: '/api/v1/sessions/validate',
    summary: 'Read the result of a session; a final result can be read only once',
    security: 'secretKey',
    access: keyAccess('validate'),
    body: validateBody,
    example: { sessionId: '<sessionId>' },
    success: 200,
    response: validation,
    refusals: [401, 403, 404, 429, 503],
    run: ({ db, caller, input, moment }) => validateSession(db, caller, input.sessionId, moment),
    present: toValidation,
  }),
];

/**
 * Creates the access rules of callers with an API key. Their account has a rate limit for each operation.
 */
function keyAccess(operation: KeyOperation): Access<Caller> {
  return {
    readCredential: readApiKey,
    checkCredential: (_host, { credential, origin }) => ({
      sessionId: null,
      findTenantId: (db) => findTenantIdOfKey(db, credential),
      authenticate(db) {
        const caller = authenticate(db, credential, operation);
        if (caller.key.kind === 'secret') assertNoForeignPage(origin);
        return caller;
      },
    }),
    limit: {
      untouched: untouchedQuota(operation),
      count: (db, { tenant }, nowMs) => countRequest(db, tenant, operation, nowMs),
    },
  };
}

/**
 * Refuses a secret key from a page, because a page can be read by everyone, and because a seed gives
 * everyone the same key. Pages of this computer may use it: those of the mock, and those in tests.
 * @throws {ServiceError} forbidden
 */
function assertNoForeignPage(origin: string | null): void {
  if (origin === null || isLoopbackOrigin(origin)) return;
  throw new ServiceError(
    'forbidden',
    `A secret key must stay on your server, but a page at ${origin} has sent it. Use the publishable key in pages, and call validate from your server`,
  );
}

async function toCreated({ session }: Done<Caller>, host: ServiceHost): Promise<object> {
  const { id: sessionId, billingBlock } = session;
  const { sessionToken, handoffToken } = await host.tokens.sign(sessionId);
  return {
    sessionId,
    sessionToken,
    verifyUrl: toPageUrl(host.verifyUrl, { sessionId, sessionToken }),
    expiresAt: toIso(session.expiresAtMs),
    testMode: false,
    sandboxMode: session.sandboxMode,
    externalUserId: session.externalUserId,
    faceMatchEnabled: session.faceMatchEnabled,
    handoffToken,
    ...(billingBlock && { billingBlock }),
  };
}

function toValidation({ session, nowMs }: Done<Caller>): object {
  const isVerified = session.status === 'VERIFIED';
  return {
    sessionId: session.id,
    merchantId: session.tenantId,
    verified: isVerified,
    accessGranted: isVerified,
    status: session.status.toLowerCase(),
    verificationMode: session.verificationMode,
    challengeAge: session.challengeAge,
    faceMatchEnabled: session.faceMatchEnabled,
    externalUserId: session.externalUserId,
    testMode: false,
    // The API always returns a string here. For a pending session it is the time of the response.
    timestamp: toIso(session.settledAtMs ?? nowMs),
    expiresAt: toIso(session.expiresAtMs),
  };
}
