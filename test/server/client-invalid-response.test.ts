import { createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SESSION_ID, sessionBody, validationBody } from './builders.ts';
import { rejectionOf, returnUrl, secretKey } from './client-calls.ts';

describe('an invalid response', () => {
  const without = (body: Record<string, unknown>, field: string) => {
    const { [field]: _, ...rest } = body;
    return rest;
  };
  const answers: { why: string; call: 'create' | 'validate'; body: unknown }[] = [
    { why: 'text that is not JSON', call: 'create', body: undefined },
    { why: 'null', call: 'create', body: null },
    { why: 'an array', call: 'validate', body: [validationBody()] },
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
      why: 'a javascript: URL as verifyUrl',
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
      why: 'an unknown billing code',
      call: 'create',
      body: sessionBody({ billingBlock: { code: 'X', message: 'm' } }),
    },
    { why: 'a string for a boolean', call: 'validate', body: validationBody({ verified: 'true' }) },
    {
      why: 'an unknown mode',
      call: 'validate',
      body: validationBody({ verificationMode: 'L3' }),
    },
    {
      why: 'an unknown status',
      call: 'validate',
      body: validationBody({ status: 'VERIFIED' }),
    },
    {
      why: 'another session',
      call: 'validate',
      body: validationBody({ sessionId: SESSION_ID.replace('3', '4') }),
    },
    {
      why: 'verified true with status failed',
      call: 'validate',
      body: validationBody({ status: 'failed' }),
    },
    {
      why: 'verified true with status pending',
      call: 'validate',
      body: validationBody({ status: 'pending' }),
    },
    {
      why: 'verified false with status verified',
      call: 'validate',
      body: validationBody({ verified: false, accessGranted: false }),
    },
    {
      why: 'verified true with accessGranted false',
      call: 'validate',
      body: validationBody({ accessGranted: false }),
    },
    {
      why: 'accessGranted true with verified false',
      call: 'validate',
      body: validationBody({ verified: false, status: 'failed' }),
    },
    {
      why: 'a settled session without a timestamp',
      call: 'validate',
      body: validationBody({ timestamp: null }),
    },
  ];
  it.each(answers)('to $call causes the error invalid_response: $why', async ({ call, body }) => {
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

  it.each([
    { why: 'an id', sessionId: SESSION_ID, id: SESSION_ID },
    { why: 'text that is not an id', sessionId: 'opaque.token', id: undefined },
    { why: 'no id', sessionId: undefined, id: undefined },
  ])('to create puts only a valid sessionId into the error: $why', async ({ sessionId, id }) => {
    const api = await startApiServer(json(201, sessionBody({ sessionId, verifyUrl: '/verify' })));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    const error = await rejectionOf(client.createSession({ returnUrl }));
    expect(error).toMatchObject({ code: 'invalid_response', sessionId: id });
    expect(error.toJSON()['sessionId']).toBe(id);
  });

  it('in HTML is reported as not JSON, without quoting it', async () => {
    const api = await startApiServer((response) => response.end('<p>opaque.token</p>'));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    const { message } = await rejectionOf(client.createSession({ returnUrl }));
    expect(message).toMatch(/: the body is not JSON\. See \S+$/);
  });

  it.each([
    {
      why: 'a response without the deprecated testMode',
      call: 'create',
      body: without(sessionBody(), 'testMode'),
    },
    {
      why: 'a response without externalUserId',
      call: 'create',
      body: without(sessionBody(), 'externalUserId'),
    },
    {
      why: 'a pending session with timestamp null',
      call: 'validate',
      body: validationBody({
        verified: false,
        accessGranted: false,
        status: 'pending',
        timestamp: null,
      }),
    },
    {
      why: 'a pending session without timestamp',
      call: 'validate',
      body: without(
        validationBody({ verified: false, accessGranted: false, status: 'pending' }),
        'timestamp',
      ),
    },
    {
      why: 'the session id in capitals',
      call: 'validate',
      body: validationBody({ sessionId: SESSION_ID.toUpperCase() }),
    },
  ] as const)('is not reported for $why, which $call accepts', async ({ call, body }) => {
    const api = await startApiServer(json(200, body));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    const answer = await (call === 'create'
      ? client.createSession({ returnUrl })
      : client.validateSession(SESSION_ID));
    expect(answer).toMatchObject({ ...body, testMode: false });
  });
});
