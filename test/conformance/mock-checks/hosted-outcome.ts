import type { Case } from '../../../conformance/case-checks.ts';
import { facts, leaveThen, page, toCall } from './hosted-calls.ts';
import { settleAs } from './settle.ts';

const FLIPPED: Readonly<Record<string, string>> = { '0': '1' };

/** Cases of outcomes, of leaving the page, and of invalid tokens. */
export const OUTCOME_CASES: readonly Case[] = [
  {
    id: 'outcome.outcome-verified',
    sentence: 'The outcome "verified" verifies the session',
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 200,
    body: facts('verified'),
  },
  {
    id: 'outcome.outcome-failed-age-not-met',
    sentence: 'The outcome "failed_age_not_met" fails the session with the reason age_not_met',
    call: page('POST', 'outcome', { outcome: 'failed_age_not_met' }),
    status: 200,
    body: facts('failed', { reason: 'age_not_met' }),
  },
  {
    id: 'outcome.cancel',
    sentence: 'Cancel ends the session as cancelled',
    call: page('POST', 'cancel', {}),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    id: 'outcome.outcome-blocked-session',
    sentence:
      'An outcome is refused if the account is blocked, because verification cannot start then',
    settings: { billingBlock: { code: 'SUBSCRIPTION_REQUIRED', message: 'Subscribe first' } },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 409,
    message: 'Verification cannot start: the account is blocked',
  },
  {
    id: 'outcome.face-mismatch-without-face-match',
    sentence: 'A face mismatch is refused for a session without face match',
    call: page('POST', 'outcome', { outcome: 'failed_face_mismatch' }, undefined, {
      faceMatchEnabled: false,
    }),
    status: 409,
    message: 'failed_face_mismatch needs a session with face match enabled',
  },
  {
    id: 'outcome.second-outcome',
    sentence: 'A second outcome is refused, because the session has ended',
    call: page('POST', 'outcome', { outcome: 'verified' }, settleAs('failed_age_not_met')),
    status: 409,
    message: 'The session is no longer pending: its status is failed',
  },
  {
    id: 'outcome.cancel-end',
    sentence: 'Cancel is refused after the session has ended',
    call: page('POST', 'cancel', {}, settleAs('verified')),
    status: 409,
    message: 'The session is no longer pending: its status is verified',
  },
  {
    id: 'outcome.outcome-at-deadline',
    sentence: 'An outcome is refused at the deadline, because the session has expired',
    call: page('POST', 'outcome', { outcome: 'verified' }, (world) =>
      world.driver.advance(600_000),
    ),
    status: 409,
    message: 'The session is no longer pending: its status is expired',
  },
  {
    id: 'outcome.outcome-after-timeout',
    sentence: 'An outcome after "timeout" is refused, because the session has ended',
    call: page('POST', 'outcome', { outcome: 'verified' }, settleAs('timeout')),
    status: 409,
    message: 'The session is no longer pending: its status is expired',
  },
  {
    id: 'outcome.cancel-at-deadline',
    sentence: 'Cancel is refused at the deadline, because the session has expired',
    call: page('POST', 'cancel', {}, (world) => world.driver.advance(600_000)),
    status: 409,
    message: 'The session is no longer pending: its status is expired',
  },
  {
    id: 'outcome.outcome-without-sandbox-mode',
    sentence: 'An outcome is refused outside sandbox mode',
    settings: { sandboxMode: false },
    call: page('POST', 'outcome', { outcome: 'verified' }),
    status: 403,
    message: 'The outcome can only be chosen in sandbox mode',
  },
  {
    id: 'outcome.image-without-sandbox-mode',
    sentence: 'An image is accepted outside sandbox mode',
    settings: { sandboxMode: false },
    call: page('POST', 'submit', {}),
    status: 200,
    body: facts('verified', { sandboxMode: false }),
  },
  {
    id: 'outcome.unknown-outcome',
    sentence: 'An unknown outcome is refused, and the message lists the valid values',
    call: page('POST', 'outcome', { outcome: 'maybe' }),
    status: 400,
    message: [
      'outcome must be one of the following values: verified, verified_after_id, failed_age_not_met, failed_image_quality, failed_document_rejected, failed_face_mismatch, cancelled, timeout, never',
    ],
  },
  {
    id: 'outcome.leave',
    sentence: 'Leave is accepted, and the session is still pending immediately afterwards',
    call: page('POST', 'leave', {}),
    status: 202,
    body: facts('pending'),
  },
  {
    id: 'outcome.session-4-999-ms-after-leave',
    sentence: 'A session is still pending if the page is opened again 4,999 ms after leave',
    call: page('GET', 'session', undefined, leaveThen(4_999)),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'outcome.session-5-000-ms-after-leave',
    sentence: 'A session is cancelled if the page is not opened again within 5,000 ms of leave',
    call: page('GET', 'session', undefined, leaveThen(5_000)),
    status: 200,
    body: facts('cancelled', { reason: 'cancelled' }),
  },
  {
    id: 'outcome.session-long-after-leave-return',
    sentence:
      'If the page is opened again within five seconds of leave, the session is still pending a minute later',
    call: page('GET', 'session', undefined, async (world, session) => {
      await leaveThen(1_000)(world, session);
      await world.send(toCall('GET', 'session', session.sessionToken));
      await world.driver.advance(60_000);
    }),
    status: 200,
    body: facts('pending'),
  },
  {
    id: 'outcome.no-token',
    sentence: 'A request without a token is refused',
    call: () => toCall('GET', 'session'),
    status: 401,
    message: 'Invalid session token',
  },
  {
    id: 'outcome.api-key-instead-token',
    sentence: 'An API key is refused in place of a session token',
    call: ({ sk }) => toCall('GET', 'session', sk),
    status: 401,
    message: 'Invalid session token',
  },
  {
    id: 'outcome.token-changed-last-character',
    sentence: 'A token with a changed last character is refused, because tokens are signed',
    call: async (world) => {
      const { sessionToken } = await world.create();
      const last = sessionToken.slice(-1);
      return toCall('GET', 'session', sessionToken.slice(0, -1) + (FLIPPED[last] ?? '0'));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    id: 'outcome.token-assembled-from-two-tokens',
    sentence:
      'A token assembled from two tokens is refused, because the signature covers the session id',
    call: async (world) => {
      const [a, b] = [await world.create(), await world.create()];
      return toCall('GET', 'session', a.sessionToken.slice(0, 36) + b.sessionToken.slice(36));
    },
    status: 401,
    message: 'Invalid session token',
  },
  {
    id: 'outcome.handofftoken-prefix-sessiontoken',
    sentence:
      'A handoffToken with the prefix of a sessionToken is refused, because the signature covers the kind of token',
    call: async (world) =>
      toCall('GET', 'session', (await world.create()).handoffToken.replace('ht', 'st')),
    status: 401,
    message: 'Invalid session token',
  },
  {
    id: 'outcome.get-on-outcome',
    sentence: 'GET on outcome is refused, because only POST is allowed',
    call: page('GET', 'outcome'),
    status: 405,
    message: 'Cannot GET /hosted/v1/outcome',
    headers: { allow: 'POST' },
  },
];
