import { createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SESSION_ID, sessionBody, validationBody } from './builders.ts';
import { rejectionOf, returnUrl, secretKey } from './client-calls.ts';

describe('an answer that is not what it should be becomes invalid_response', () => {
  const without = (body: Record<string, unknown>, field: string) => {
    const { [field]: _, ...rest } = body;
    return rest;
  };
  const answers: { why: string; call: 'create' | 'validate'; body: unknown }[] = [
    { why: 'no JSON', call: 'create', body: undefined },
    { why: 'null', call: 'create', body: null },
    { why: 'a list', call: 'validate', body: [validationBody()] },
    ...Object.keys(sessionBody())
      .filter((field) => !['externalUserId', 'testMode'].includes(field))
      .map((field) => ({
        why: `${field} is missing`,
        call: 'create' as const,
        body: without(sessionBody(), field),
      })),
    ...Object.keys(sessionBody()).map((field) => ({
      why: `${field} is an object`,
      call: 'create' as const,
      body: sessionBody({ [field]: {} }),
    })),
    ...Object.keys(validationBody())
      .filter((field) => !['externalUserId', 'testMode'].includes(field))
      .map((field) => ({
        why: `${field} is missing`,
        call: 'validate' as const,
        body: without(validationBody(), field),
      })),
    ...Object.keys(validationBody()).map((field) => ({
      why: `${field} is an object`,
      call: 'validate' as const,
      body: validationBody({ [field]: {} }),
    })),
    {
      why: 'a script as verifyUrl',
      call: 'create',
      body: sessionBody({ verifyUrl: 'javascript:alert(1)' }),
    },
    { why: 'a path as verifyUrl', call: 'create', body: sessionBody({ verifyUrl: '/verify' }) },
    {
      why: 'a date without a time',
      call: 'create',
      body: sessionBody({ expiresAt: '2026-01-02' }),
    },
    {
      why: 'a billing code that is not listed',
      call: 'create',
      body: sessionBody({ billingBlock: { code: 'X', message: 'm' } }),
    },
    { why: 'text for a boolean', call: 'validate', body: validationBody({ verified: 'true' }) },
    {
      why: 'a mode that is not listed',
      call: 'validate',
      body: validationBody({ verificationMode: 'L3' }),
    },
    {
      why: 'a status that is not listed',
      call: 'validate',
      body: validationBody({ status: 'VERIFIED' }),
    },
    {
      why: 'another session',
      call: 'validate',
      body: validationBody({ sessionId: SESSION_ID.replace('3', '4') }),
    },
    { why: 'verified, but failed', call: 'validate', body: validationBody({ status: 'failed' }) },
    { why: 'verified, but pending', call: 'validate', body: validationBody({ status: 'pending' }) },
    {
      why: 'not verified, but status verified',
      call: 'validate',
      body: validationBody({ verified: false, accessGranted: false }),
    },
    {
      why: 'verified without access',
      call: 'validate',
      body: validationBody({ accessGranted: false }),
    },
    {
      why: 'access without verified',
      call: 'validate',
      body: validationBody({ verified: false, status: 'failed' }),
    },
    { why: 'settled without a time', call: 'validate', body: validationBody({ timestamp: null }) },
  ];
  it.each(answers)('$call: $why', async ({ call, body }) => {
    const api = await startApiServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(body === undefined ? '<html>' : JSON.stringify(body));
    });
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(
      call === 'create' ? client.createSession({ returnUrl }) : client.validateSession(SESSION_ID),
    );

    expect(error).toMatchObject({ code: 'invalid_response', status: 200, retryable: false });
    expect(error.message).not.toContain('opaque.token');
  });

  it('says that a page is not JSON, without quoting it', async () => {
    const api = await startApiServer((response) => response.end('<p>opaque.token</p>'));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    const { message } = await rejectionOf(client.createSession({ returnUrl }));
    expect(message).toMatch(/: the body is not JSON$/);
  });

  it.each([
    {
      why: 'deprecated testMode may go away',
      call: 'create',
      body: without(sessionBody(), 'testMode'),
    },
    {
      why: 'externalUserId may be left out',
      call: 'create',
      body: without(sessionBody(), 'externalUserId'),
    },
    {
      why: 'a pending session has no time yet',
      call: 'validate',
      body: validationBody({
        verified: false,
        accessGranted: false,
        status: 'pending',
        timestamp: null,
      }),
    },
    {
      why: 'a pending session may leave the time out',
      call: 'validate',
      body: without(
        validationBody({ verified: false, accessGranted: false, status: 'pending' }),
        'timestamp',
      ),
    },
    {
      why: 'the identifier in capitals',
      call: 'validate',
      body: validationBody({ sessionId: SESSION_ID.toUpperCase() }),
    },
  ] as const)('$call accepts: $why', async ({ call, body }) => {
    const api = await startApiServer(json(200, body));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    const answer = await (call === 'create'
      ? client.createSession({ returnUrl })
      : client.validateSession(SESSION_ID));
    expect(answer).toMatchObject({ ...body, testMode: false });
  });
});
