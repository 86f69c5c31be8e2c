import type { ContractCase } from './case.ts';
import { facts, leaveThen, page, toCall } from './hosted-calls.ts';

const FLIPPED: Readonly<Record<string, string>> = { '0': '1' };

/** Outcomes, leaving, and wrong tokens. */
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
    why: 'the button',
    call: page('POST', 'cancel', {}),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    name: 'an outcome for a blocked session',
    why: 'no verification starts',
    tenant: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    name: 'a face mismatch without face match',
    why: 'what was not compared cannot differ',
    call: page('POST', 'outcome', { outcome: 'failed_face_mismatch' }, undefined, {
      faceMatchEnabled: false,
    }),
    status: 409,
    message: 'failed_face_mismatch needs a session with face match enabled',
  },
  {
    name: 'a second outcome',
    why: 'there is no way out of an end',
    call: page('POST', 'outcome', { outcome: 'verified' }, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'failed_age_not_met'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is failed',
  },
  {
    name: 'cancel after the end',
    why: 'a result is not taken back',
    call: page('POST', 'cancel', {}, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'verified'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is verified',
  },
  {
    name: 'an outcome at the deadline',
    why: 'the ten minutes are authoritative',
    call: page('POST', 'outcome', { outcome: 'verified' }, (world) =>
      world.host.clock.advance(600_000),
    ),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'an outcome after "timeout"',
    why: 'an expired session has ended like any other',
    call: page('POST', 'outcome', { outcome: 'verified' }, ({ control }, { sessionId }) =>
      control.settle(sessionId, 'timeout'),
    ),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'cancel at the deadline',
    why: 'the ten minutes are authoritative',
    call: page('POST', 'cancel', {}, (world) => world.host.clock.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: it is expired',
  },
  {
    name: 'an outcome without sandbox mode',
    why: 'the chooser is the sandbox’s, and a shopper has the token',
    tenant: { sandboxMode: false },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 403,
    message: 'The outcome can be chosen in sandbox mode only',
  },
  {
    name: 'an image without sandbox mode',
    why: 'only the chooser belongs to the sandbox',
    tenant: { sandboxMode: false },
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified', { sandboxMode: false }),
  },
  {
    name: 'an unknown outcome',
    why: 'says which there are',
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
    why: 'a reload takes a moment, and withdraws it',
    call: page('GET', 'session', undefined, leaveThen(4_999)),
    status: 200,
    body: facts('pending'),
  },
  {
    name: 'a session 5,000 ms after leave',
    why: 'the page did not come back',
    call: page('GET', 'session', undefined, leaveThen(5_000)),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    name: 'a session long after leave and return',
    why: 'coming back withdraws the farewell for good',
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
    why: 'says what is wrong',
    call: () => ({ path: '/hosted/v1/session', init: { method: 'GET' } }),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'an API key as token',
    why: 'keys open accounts, not sessions',
    call: ({ sk }) => toCall('GET', 'session', sk),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a token with another last letter',
    why: 'it is signed',
    call: async (world) => {
      const { sessionToken } = await world.create();
      const last = sessionToken.slice(-1);
      return toCall('GET', 'session', sessionToken.slice(0, -1) + (FLIPPED[last] ?? '0'));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a token put together from two',
    why: 'the signature is over the session',
    call: async (world) => {
      const [a, b] = [await world.create(), await world.create()];
      return toCall('GET', 'session', a.sessionToken.slice(0, 36) + b.sessionToken.slice(36));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'a handoffToken that calls itself a sessionToken',
    why: 'the two are different keys',
    call: async (world) =>
      toCall('GET', 'session', (await world.create()).handoffToken.replace('ht', 'st')),
    status: 401,
    message: 'Invalid session token',
  },
  {
    name: 'GET on outcome',
    why: 'a known path by another method',
    call: page('GET', 'outcome'),
    status: 405,
    message: 'Cannot GET /hosted/v1/outcome',
    headers: { allow: 'POST' },
  },
];
