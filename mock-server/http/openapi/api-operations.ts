import { emptyBody, outcomeBody, submitBody } from '../hosted-bodies.ts';
import { createBody, validateBody } from '../session-bodies.ts';
import type { Operation } from './operation.ts';
import { createdSession, hostedSession, validation } from './schemas.ts';

/** The public API, and nothing else. */
export const apiOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/v1/sessions/create',
    summary: 'Start a verification session',
    security: 'apiKey',
    body: createBody,
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
  },
  {
    method: 'post',
    path: '/api/v1/sessions/validate',
    summary: 'Ask for the result of a session, and use it up when there is one',
    security: 'secretKey',
    body: validateBody,
    example: { sessionId: '<sessionId>' },
    success: 200,
    response: validation,
    refusals: [401, 403, 404, 429, 503],
  },
];

/** What the hosted page asks, as whoever holds the session's token. */
export const hostedOperations: readonly Operation[] = [
  hosted('get', 'session', 'Read what the page shows; withdraws a farewell'),
  hosted('post', 'heartbeat', 'Say that the page is still there; follow what another device does'),
  hosted('post', 'continue', 'Go on with this device; the other one follows along'),
  {
    ...hosted('post', 'submit', 'Hand in what the camera took'),
    body: submitBody,
    example: { imageQuality: 'good' },
  },
  hosted('post', 'retry', 'Go back to the camera after an image that was not usable'),
  {
    ...hosted('post', 'outcome', 'End the session as a scenario says; the sandbox’s chooser'),
    body: outcomeBody,
    example: { outcome: 'failed_age_not_met' },
    refusals: [401, 403, 404, 409, 429, 503],
  },
  hosted('post', 'cancel', 'End the session as cancelled'),
  {
    ...hosted('post', 'leave', 'Say that the page goes away; cancels unless it comes back in 5 s'),
    success: 202,
  },
];

function hosted(method: 'get' | 'post', action: string, summary: string): Operation {
  return {
    method,
    path: `/hosted/v1/${action}`,
    summary,
    security: 'sessionToken',
    ...(method === 'post' && { body: emptyBody, example: {} }),
    success: 200,
    response: hostedSession,
    refusals: [401, 404, 409, 429, 503],
  };
}
