import { SCENARIO_NAMES } from '../../../mock-server/api/scenarios.ts';
import type { Case } from '../../../mock-server/conformance/case-checks.ts';
import type { CreatedSession } from '../../../mock-server/conformance/driver.ts';
import { bearer, post, type Call } from '../../../mock-server/conformance/exchange.ts';
import { Matcher, pattern, TEXT } from '../../../mock-server/conformance/matchers.ts';
import type { World } from '../../../mock-server/conformance/world.ts';

function toCall(method: string, action: string, token?: string, body?: object): Call {
  const path = `/hosted/v1/${action}`;
  if (body) return { ...post(path, body, token), isFromOrigin: true };
  return { method, path, headers: bearer(token), isFromOrigin: true };
}

interface PageCall {
  /** The body of a POST. Without it, the request is a GET. */
  readonly body?: object;
  /** The fields of the session. */
  readonly fields?: object;
  /** Called between the creation of the session and the request. */
  readonly before?: (world: World, session: CreatedSession) => Promise<unknown>;
}

/** Returns a function that creates a session, and builds a request of the session's page. */
const page =
  (action: string, { body, fields = {}, before = async () => {} }: PageCall = {}) =>
  async (world: World): Promise<Call> => {
    const session = await world.create(fields);
    await before(world, session);
    return toCall(body ? 'POST' : 'GET', action, session.sessionToken, body);
  };

/** Returns a function that builds the expected data of the page's session, changed by `differences`. */
const facts =
  (status: string, differences: object = {}) =>
  async (world: World): Promise<object> => ({
    sessionId: TEXT,
    status,
    // The default is the name of the account, if it has one.
    merchantName: new Matcher(
      'a string or null',
      (value) => value === null || typeof value === 'string',
    ),
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    sandboxMode: true,
    externalUserId: null,
    returnUrl: world.account.returnUrl,
    cancelUrl: null,
    messageOrigins: [new URL(world.account.returnUrl).origin],
    expiresAt: TEXT,
    now: world.at(await world.now()),
    settledAt: status === 'pending' ? null : world.at(await world.now()),
    reason: null,
    presetOutcome: null,
    retries: 0,
    retriesLeft: 2,
    needsRetry: false,
    device: 'first',
    activeDevice: 'first',
    handoffUrl: pattern(
      'a URL with sessionId and handoffToken',
      /\?sessionId=[^&]+&handoffToken=ht1_[^&.]+$/,
    ),
    ...differences,
  });

const POOR = { imageQuality: 'poor' };
const BLOCK = { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' };
const BLOCKED = {
  settings: { billingBlock: BLOCK },
  status: 409,
  message: 'Verification cannot start: the account is blocked',
} as const;

const FIELDS = {
  merchantName: 'Wine & Co',
  externalUserId: 'ofage_test:failed_age_not_met:anna',
  cancelUrl: 'https://shop.example/cancel',
};

/**
 * Cases of the hosted page's API: its fields, refusals and tokens. The transitions between the states, also
 * on two devices, are compared with a model (rules/sessions.model.test.ts). Its random runs seldom make three
 * poor images.
 */
export const HOSTED_CASES: readonly Case[] = [
  {
    id: 'session',
    sentence: 'The page of a pending session receives its data and the scenario that it requests',
    call: page('session', { fields: FIELDS }),
    status: 200,
    body: facts('pending', { ...FIELDS, presetOutcome: 'failed_age_not_met' }),
  },
  {
    id: 'session.second-device',
    sentence: 'A handoffToken gives access to the session as the second device',
    call: async (world) => toCall('GET', 'session', (await world.create()).handoffToken),
    status: 200,
    body: facts('pending', { device: 'second', handoffUrl: null }),
  },
  {
    id: 'session.unknown-scenario',
    sentence: 'An unknown scenario in the externalUserId is ignored',
    call: page('session', { fields: { externalUserId: 'ofage_test:nonsense' } }),
    status: 200,
    body: facts('pending', { externalUserId: 'ofage_test:nonsense' }),
  },
  {
    id: 'session.blocked',
    sentence: 'The page receives the billing block if the account is blocked',
    settings: BLOCKED.settings,
    call: page('session'),
    status: 200,
    body: facts('pending', { billingBlock: BLOCK }),
  },
  {
    id: 'heartbeat',
    sentence: 'Heartbeats do not extend a session beyond ten minutes',
    call: page('heartbeat', {
      body: {},
      async before(world, { sessionToken }) {
        for (let minute = 0; minute < 10; minute += 1) {
          await world.send(toCall('POST', 'heartbeat', sessionToken, {}));
          await world.driver.advance(60_000);
        }
      },
    }),
    status: 200,
    body: facts('expired'),
  },
  {
    id: 'retry',
    sentence: 'A retry after a poor image uses up one of two retries',
    call: page('retry', {
      body: {},
      before: (world, { sessionToken }) => world.send(toCall('POST', 'submit', sessionToken, POOR)),
    }),
    status: 200,
    body: facts('pending', { retries: 1, retriesLeft: 1 }),
  },
  {
    id: 'submit.third-poor',
    sentence: 'A third poor image fails the session, because the retries are used up',
    call: page('submit', {
      body: POOR,
      async before(world, { sessionToken }) {
        for (let n = 0; n < 2; n += 1) {
          await world.send(toCall('POST', 'submit', sessionToken, POOR));
          await world.send(toCall('POST', 'retry', sessionToken, {}));
        }
      },
    }),
    status: 200,
    body: facts('failed', { reason: 'image_quality', retries: 2, retriesLeft: 0 }),
  },
  {
    id: 'submit',
    sentence: 'An image is accepted, also outside sandbox mode',
    settings: { sandboxMode: false },
    call: page('submit', { body: {} }),
    status: 200,
    body: facts('verified', { sandboxMode: false }),
  },
  {
    id: 'submit.blocked',
    sentence: 'An image is refused if the account is blocked, because verification cannot start',
    ...BLOCKED,
    call: page('submit', { body: POOR }),
  },
  {
    id: 'outcome.blocked',
    sentence: 'An outcome is refused if the account is blocked, because verification cannot start',
    ...BLOCKED,
    call: page('outcome', { body: { outcome: 'verified' } }),
  },
  {
    id: 'outcome.no-face-match',
    sentence: 'A face mismatch is refused for a session without face match',
    call: page('outcome', {
      body: { outcome: 'failed_face_mismatch' },
      fields: { faceMatchEnabled: false },
    }),
    status: 409,
    message: 'failed_face_mismatch needs a session with face match enabled',
  },
  {
    id: 'outcome.no-sandbox',
    sentence: 'An outcome is refused outside sandbox mode',
    settings: { sandboxMode: false },
    call: page('outcome', { body: { outcome: 'verified' } }),
    status: 403,
    message: 'The outcome can only be chosen in sandbox mode',
  },
  {
    id: 'outcome.unknown',
    sentence: 'An unknown outcome is refused, and the message lists the valid values',
    call: page('outcome', { body: { outcome: 'maybe' } }),
    status: 400,
    message: [`outcome must be one of the following values: ${SCENARIO_NAMES.join(', ')}`],
  },
  {
    id: 'outcome.get',
    sentence: 'GET on outcome is refused, because only POST is allowed',
    call: page('outcome'),
    status: 405,
    message: 'Cannot GET /hosted/v1/outcome',
    headers: { allow: 'POST' },
  },
  {
    id: 'leave',
    sentence: 'Leave is accepted, and the session is still pending immediately afterwards',
    call: page('leave', { body: {} }),
    status: 202,
    body: facts('pending'),
  },
  {
    id: 'token.none',
    sentence: 'A request without a token is refused',
    call: () => toCall('GET', 'session'),
    status: 401,
    message: 'Invalid session token',
  },
  {
    id: 'token.api-key',
    sentence: 'An API key is refused in place of a session token',
    call: ({ sk }) => toCall('GET', 'session', sk),
    status: 401,
    message: 'Invalid session token',
  },
];
