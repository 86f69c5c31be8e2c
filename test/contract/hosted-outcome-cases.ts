import type { ContractCase } from './case.ts';
import { facts, leaveThen, page, toCall } from './hosted-calls.ts';

const FLIPPED: Readonly<Record<string, string>> = { '0': '1' };

/** Outcomes, leaving the page, and invalid tokens. */
export const OUTCOME_CASES: readonly ContractCase[] = [
  {
    name: 'the outcome "verified"',
    why: 'the shopper passes',
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 200,
    body: facts('verified'),
  },
  {
    name: 'the outcome "failed_age_not_met"',
    why: 'the shopper fails',
    call: page('POST', 'outcome', { outcome: 'failed_age_not_met' }),
    status: 200,
    body: facts('failed', { reason: 'age_not_met' }),
  },
  {
    name: 'cancel',
    why: 'the shopper presses the cancel button',
    call: page('POST', 'cancel', {}),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    name: 'an outcome for a blocked session',
    why: 'a blocked session cannot start a verification',
    tenant: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    name: 'a face mismatch without face match',
    why: 'a face that is not compared cannot mismatch',
    call: page('POST', 'outcome', { outcome: 'failed_face_mismatch' }, undefined, {
      faceMatchEnabled: false,
    }),
    status: 409,
    message: 'failed_face_mismatch needs a session with face match enabled',
  },
  {
    name: 'a second outcome',
    why: 'an ended session cannot change',
    call: page('POST', 'outcome', { outcome: 'verified' }, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'failed_age_not_met'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is failed',
  },
  {
    name: 'cancel after the end',
    why: 'a result cannot be changed',
    call: page('POST', 'cancel', {}, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'verified'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'an outcome at the deadline',
    why: 'at the deadline the session has expired',
    call: page('POST', 'outcome', { outcome: 'verified' }, (world) =>
      world.host.clock.advance(600_000),
    ),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'an outcome after "timeout"',
    why: 'an expired session has ended',
    call: page('POST', 'outcome', { outcome: 'verified' }, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'timeout'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'cancel at the deadline',
    why: 'at the deadline the session has expired',
    call: page('POST', 'cancel', {}, (world) => world.host.clock.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'an outcome without sandbox mode',
    why: 'only the sandbox lets the shopper choose an outcome',
    tenant: { sandboxMode: false },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 403,
    message: 'The outcome can only be chosen in sandbox mode',
  },
  {
    name: 'an image without sandbox mode',
    why: 'images do not need the sandbox',
    tenant: { sandboxMode: false },
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified', { sandboxMode: false }),
  },
  {
    name: 'an unknown outcome',
    why: 'the message lists the valid values',
    call: page('POST', 'outcome', { outcome: 'maybe' }),
    status: 400,
    message: [
      'outcome must be one of the following values: verified, verified_after_id, failed_age_not_met, failed_image_quality, failed_document_rejected, failed_face_mismatch, cancelled, timeout, never',
    ],
  },
  {
    name: 'leave',
    why: 'the page is closed or reloaded',
    call: page('POST', 'leave', {}),
    status: 202,
    body: facts('pending'),
  },
  {
    name: 'a session 4,999 ms after leave',
    why: 'a page that reloads in time withdraws its leave',
    call: page('GET', 'session', undefined, leaveThen(4_999)),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'a session 5,000 ms after leave',
    why: 'the page was not opened again in time',
    call: page('GET', 'session', undefined, leaveThen(5_000)),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    name: 'a session long after leave and return',
    why: 'opening the page again withdraws the leave',
    call: page('GET', 'session', undefined, async (world, session) => {
      await leaveThen(1_000)(world, session);
      const { path, init } = toCall('GET', 'session', session.sessionToken);
      await world.host.send(path, init);
      await world.host.clock.advance(60_000);
    }),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'no token',
    why: 'the message says what is missing',
    call: () => ({ path: '/hosted/v1/session', init: { method: 'GET' } }),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'an API key instead of a token',
    why: 'a key gives no access to the hosted page',
    call: ({ sk }) => toCall('GET', 'session', sk),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a token with a changed last character',
    why: 'tokens are signed',
    call: async (world) => {
      const { sessionToken } = await world.create();
      const last = sessionToken.slice(-1);
      return toCall('GET', 'session', sessionToken.slice(0, -1) + (FLIPPED[last] ?? '0'));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a token assembled from two tokens',
    why: 'the signature covers the session id',
    call: async (world) => {
      const [a, b] = [await world.create(), await world.create()];
      return toCall('GET', 'session', a.sessionToken.slice(0, 36) + b.sessionToken.slice(36));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a handoffToken with the prefix of a sessionToken',
    why: 'the signature covers the kind of token',
    call: async (world) =>
      toCall('GET', 'session', (await world.create()).handoffToken.replace('ht', 'st')),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'GET on outcome',
    why: 'a known path with a different method',
    call: page('GET', 'outcome'),
    status: 405,
    message: 'Cannot GET /hosted/v1/outcome',
    headers: { allow: 'POST' },
  },
];
