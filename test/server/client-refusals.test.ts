import { type OfAgeErrorCode, createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { envelope, json, startApiServer } from './api-server.ts';
import { SESSION_ID } from './builders.ts';
import { rejectionOf, returnUrl, secretKey } from './client-calls.ts';

interface RefusalCase {
  why: string;
  call: 'create' | 'validate' | 'both';
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  code: OfAgeErrorCode;
  retryable?: boolean;
  retryAfterMs?: number;
}

const refusals: RefusalCase[] = [
  {
    why: 'an expired session',
    call: 'validate',
    status: 400,
    body: envelope(400, 'Session has expired'),
    code: 'session_expired',
  },
  {
    why: 'a message that is an array',
    call: 'validate',
    status: 400,
    body: envelope(400, ['Session has expired']),
    code: 'session_expired',
  },
  {
    why: 'a session that was already validated',
    call: 'validate',
    status: 400,
    body: envelope(400, 'Session has already been used'),
    code: 'session_already_used',
  },
  {
    why: 'the message of an expired session',
    call: 'create',
    status: 400,
    body: envelope(400, 'Session has expired'),
    code: 'invalid_request',
  },
  {
    why: 'an invalid request body',
    call: 'both',
    status: 400,
    body: envelope(400, ['property foo should not exist', 'challengeAge must not be less than 25']),
    code: 'invalid_request',
  },
  {
    why: 'a returnUrl outside the allowed domains',
    call: 'create',
    status: 400,
    body: envelope(400, 'Return URL domain not allowed'),
    code: 'return_url_not_allowed',
  },
  {
    why: 'the merchantId of another key',
    call: 'create',
    status: 400,
    body: envelope(400, 'merchantId does not match the authenticated key'),
    code: 'merchant_mismatch',
  },
  {
    why: 'a merchantId of the wrong type',
    call: 'create',
    status: 400,
    body: envelope(400, ['merchantId must be a string']),
    code: 'invalid_request',
  },
  {
    why: 'an unknown key',
    call: 'both',
    status: 401,
    body: envelope(401, 'API key required', { error: 'Unauthorized' }),
    code: 'unauthorized',
  },
  {
    why: 'a session of another account',
    call: 'validate',
    status: 403,
    body: envelope(403, 'Session does not belong to this tenant'),
    code: 'wrong_tenant',
  },
  {
    why: 'insufficient permissions',
    call: 'both',
    status: 403,
    body: envelope(403, 'Forbidden'),
    code: 'forbidden',
  },
  {
    why: 'an unknown session',
    call: 'validate',
    status: 404,
    body: envelope(404, 'Session not found'),
    code: 'session_not_found',
  },
  {
    why: 'an unknown path, which is not an unknown session',
    call: 'both',
    status: 404,
    body: envelope(404, 'Cannot POST /api/v1/sessions/validate'),
    code: 'unexpected_status',
  },
  {
    why: 'the rate limit, with the waiting time',
    call: 'both',
    status: 429,
    body: envelope(429, 'Too Many Requests'),
    headers: { 'x-ratelimit-retry-after': '17' },
    code: 'rate_limited',
    retryable: true,
    retryAfterMs: 17_000,
  },
  {
    why: 'the rate limit of a proxy',
    call: 'both',
    status: 429,
    body: '',
    headers: { 'retry-after': '3' },
    code: 'rate_limited',
    retryable: true,
    retryAfterMs: 3000,
  },
  ...['', 'soon', '-1', '1.5', '1e3', '99999999999'].map((seconds) => ({
    why: `an unusable waiting time: "${seconds}"`,
    call: 'validate' as const,
    status: 429,
    body: envelope(429, 'Too Many Requests'),
    headers: { 'x-ratelimit-retry-after': seconds },
    code: 'rate_limited' as const,
    retryable: true,
  })),
  ...(['code', 'error', 'message'] as const).map((field) => ({
    why: `an incomplete launch configuration, reported in "${field}"`,
    call: 'create' as const,
    status: 503,
    body: { ...envelope(503, 'x'), [field]: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' },
    code: 'launch_configuration_unavailable' as const,
    retryable: true,
  })),
  {
    why: 'a 503 for any other reason',
    call: 'both',
    status: 503,
    body: envelope(503, 'Service Unavailable'),
    code: 'server_error',
    retryable: true,
  },
  {
    why: 'the HTML page of a proxy',
    call: 'both',
    status: 502,
    body: '<html>Bad gateway</html>',
    code: 'server_error',
    retryable: true,
  },
  {
    why: 'JSON that is not an object',
    call: 'both',
    status: 500,
    body: null,
    code: 'server_error',
    retryable: true,
  },
  {
    why: 'a redirect, which is not followed',
    call: 'both',
    status: 307,
    body: '',
    headers: { location: 'http://127.0.0.1:1/elsewhere' },
    code: 'unexpected_status',
  },
];

describe('an error response', () => {
  const calls = refusals.flatMap((row) =>
    (row.call === 'both' ? (['create', 'validate'] as const) : [row.call]).map((call) => ({
      ...row,
      call,
    })),
  );
  it.each(calls)(
    'to $call becomes an error with the right code: $why',
    async ({ call, status, body, headers, code, ...rest }) => {
      const api = await startApiServer(json(status, body, headers));
      const client = createClient({ secretKey, baseUrl: api.baseUrl });

      const error = await rejectionOf(
        call === 'create'
          ? client.createSession({ returnUrl })
          : client.validateSession(SESSION_ID),
      );

      const { retryable = false, retryAfterMs } = rest;
      expect(error).toMatchObject({ code, status, retryable, retryAfterMs });
      expect(error.message).toMatch(
        call === 'create' ? /^Cannot create the session: / : /^Cannot validate the session: /,
      );
      const { message } = (body ?? {}) as { message?: string | string[] };
      expect(error.details).toEqual(message === undefined ? [] : [message].flat());
      expect(api.received).toHaveLength(1); // the request is not retried
    },
  );

  it('has its long message truncated in error.message, but not in error.details', async () => {
    const long = 'x'.repeat(5000);
    const api = await startApiServer(json(400, envelope(400, long)));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(client.createSession({ returnUrl }));

    expect(error.message.length).toBeLessThan(700);
    expect(error.details).toEqual([long]);
  });
});
