import * as v from 'valibot';
import { SCENARIO_NAMES } from '../../api/scenarios.ts';
import {
  arriveAt,
  chooseOutcome,
  continueOn,
  leaveFrom,
  MAX_RETRIES,
  retrySession,
  submitImage,
} from '../../rules/hosted-page.ts';
import { getSession, settleSession } from '../../rules/sessions.ts';
import { ServiceError } from '../../store/errors.ts';
import { toIso, toIsoOrNull } from '../../store/instant.ts';
import type { SessionRow } from '../../store/rows.ts';
import type { InputSchema } from '../operations/operation.ts';
import { choice, optionalChoice } from '../schemas/fields.ts';
import {
  age,
  billingBlock,
  count,
  device,
  flag,
  instant,
  instantOrNull,
  mode,
  scenarioName,
  status,
  text,
  textOrNull,
} from '../schemas/values.ts';
import {
  type Access,
  apiOperation,
  type ApiOperation,
  type OperationCall,
  readBearer,
} from './api-operation.ts';
import { type TokenHolder, toPageUrl } from './session-tokens.ts';

/** Body of `POST /outcome`: the choice in the sandbox's menu of outcomes. */
const outcomeBody = v.object({ outcome: choice('outcome', SCENARIO_NAMES) });

/**
 * Body of `POST /submit`. With the mock, no image leaves the shopper's device. The page only reports the
 * image's quality.
 */
const submitBody = v.object({
  imageQuality: optionalChoice('imageQuality', ['good', 'poor']),
});

/** Body of the other operations of the hosted page's API, which have no input. */
const emptyBody = v.object({});

export const hostedSession = v.strictObject({
  sessionId: v.pipe(text, v.uuid()),
  status,
  merchantName: textOrNull,
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
  sandboxMode: flag,
  externalUserId: textOrNull,
  returnUrl: text,
  cancelUrl: textOrNull,
  messageOrigins: v.array(text),
  expiresAt: instant,
  now: instant,
  settledAt: instantOrNull,
  reason: textOrNull,
  presetOutcome: v.nullable(scenarioName),
  retries: count,
  retriesLeft: count,
  needsRetry: flag,
  device,
  activeDevice: device,
  handoffUrl: v.nullable(v.pipe(text, v.url())),
  billingBlock: v.exactOptional(billingBlock),
});

/** Access with one of the session's tokens, from the hosted page or from a program. */
const tokenAccess: Access<TokenHolder> = {
  readCredential: readBearer,
  async checkCredential(host, { credential, origin }) {
    const holder = await host.tokens.verify(credential ?? '');
    const { pageOrigins } = host;
    return {
      sessionId: holder?.sessionId ?? null,
      findTenantId: (db) => db.get('sessions', holder?.sessionId ?? '')?.tenantId ?? null,
      authenticate() {
        if (!holder) throw new ServiceError('token_invalid', 'Invalid session token');
        if (origin !== null && !pageOrigins.includes(origin)) {
          throw new ServiceError(
            'forbidden',
            `The hosted page's API accepts requests of pages at ${pageOrigins.join(' and ')} only, got ${origin}`,
          );
        }
        return holder;
      },
    };
  },
};

/** The operations of the hosted page, which are authorised by a session token or a handoff token. */
export const hostedOperations: readonly ApiOperation<TokenHolder>[] = [
  hosted('session', {
    method: 'get',
    summary: 'Read the session of the page, and withdraw a report that the page was closed',
    run: ({ db, caller, moment }) => getSession(db, caller.sessionId, moment),
  }),
  hosted('heartbeat', {
    summary: 'Report that the page is open, and read the session’s current state',
    body: emptyBody,
    isRoutine: true,
    run: ({ db, caller, moment }) => getSession(db, caller.sessionId, moment),
  }),
  hosted('continue', {
    summary: 'Continue on this device; the other one shows the progress',
    body: emptyBody,
    run: ({ db, caller, moment }) => continueOn(db, caller, moment),
  }),
  hosted('submit', {
    summary: 'Submit an image from the camera',
    body: submitBody,
    example: { imageQuality: 'good' },
    run: ({ db, caller, input, moment }) =>
      submitImage(db, caller, input.imageQuality ?? 'good', moment),
  }),
  hosted('retry', {
    summary: 'Retry after an unusable image',
    body: emptyBody,
    run: ({ db, caller, moment }) => retrySession(db, caller, moment),
  }),
  hosted('outcome', {
    summary: 'Settle the session with a scenario’s outcome, in sandbox mode only',
    body: outcomeBody,
    example: { outcome: 'failed_age_not_met' },
    run: ({ db, caller, input, moment }) => chooseOutcome(db, caller, input.outcome, moment),
  }),
  hosted('cancel', {
    summary: 'End the session as cancelled',
    body: emptyBody,
    run: ({ db, caller, moment }) => settleSession(db, caller.sessionId, 'cancelled', moment),
  }),
  hosted('leave', {
    summary:
      'Report that the page was closed; the session is cancelled after 5 s unless a device has the page open',
    body: emptyBody,
    success: 202,
    // A page that is closing is not open.
    beforeBody: () => {},
    run: ({ db, caller, moment }) => leaveFrom(db, caller, moment),
  }),
];

/** The defaults are `post`, an empty example, 200 and {@link arriveAt}. */
interface HostedFacts<S extends InputSchema> extends Partial<
  Pick<ApiOperation<TokenHolder>, 'method' | 'example' | 'success' | 'isRoutine' | 'beforeBody'>
> {
  readonly summary: string;
  readonly body?: S;
  run(call: OperationCall<TokenHolder, v.InferOutput<S>>): SessionRow;
}

function hosted<const S extends InputSchema>(
  action: string,
  { method = 'post', body, example, run, ...facts }: HostedFacts<S>,
): ApiOperation<TokenHolder> {
  return apiOperation<TokenHolder, S>({
    name: 'hosted',
    method,
    path: `/hosted/v1/${action}`,
    security: 'sessionToken',
    access: tokenAccess,
    ...(body && { body, example: example ?? {} }),
    success: 200,
    response: hostedSession,
    beforeBody: arriveAt,
    ...facts,
    refusals: [401, 403, 404, 409, 429, 503],
    run(call) {
      const session = run(call);
      // Falls back to the account's name for a session without a merchant name.
      const account = call.db.get('tenants', session.tenantId);
      return { ...session, merchantName: session.merchantName || account?.name || null };
    },
    present: ({ session, caller, nowMs }, host) =>
      toHostedSession(session, caller, { verifyUrl: host.verifyUrl, nowMs }),
  });
}

/** Returns the session as the hosted page shows it, with the URLs to send the shopper to at the end. */
function toHostedSession(
  session: SessionRow,
  { device, handoffToken }: TokenHolder,
  { verifyUrl, nowMs }: { readonly verifyUrl: string; readonly nowMs: number },
): object {
  return {
    sessionId: session.id,
    status: session.status.toLowerCase(),
    merchantName: session.merchantName,
    verificationMode: session.verificationMode,
    challengeAge: session.challengeAge,
    faceMatchEnabled: session.faceMatchEnabled,
    sandboxMode: session.sandboxMode,
    externalUserId: session.externalUserId,
    returnUrl: session.returnUrl,
    cancelUrl: session.cancelUrl,
    messageOrigins: toMessageOrigins(session),
    expiresAt: toIso(session.expiresAtMs),
    now: toIso(nowMs),
    settledAt: toIsoOrNull(session.settledAtMs),
    reason: session.reason,
    presetOutcome: session.presetOutcome,
    retries: session.retries,
    retriesLeft: MAX_RETRIES - session.retries,
    needsRetry: session.needsRetry,
    device,
    activeDevice: session.activeDevice,
    // The URL in the QR code. The second device does not need it, because it was opened with this URL.
    handoffUrl:
      device === 'first' ? toPageUrl(verifyUrl, { sessionId: session.id, handoffToken }) : null,
    ...(session.billingBlock && { billingBlock: session.billingBlock }),
  };
}

/**
 * Returns the origins that the hosted page addresses its messages to: that of the return page and, where it
 * differs, that of the page which created the session.
 */
function toMessageOrigins({ returnUrl, pageOrigin }: SessionRow): string[] {
  const { origin } = new URL(returnUrl);
  return pageOrigin === null || pageOrigin === origin ? [origin] : [origin, pageOrigin];
}
