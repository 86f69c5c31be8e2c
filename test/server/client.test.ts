import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CreateSessionInput,
  type OfAgeError,
  type OfAgeErrorCode,
  createClient,
  isOfAgeError,
} from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { envelope, json, startApiServer } from './api-server.ts';
import { SECRET_KEY, SESSION_ID, sessionBody, validationBody } from './builders.ts';

const returnUrl = 'https://shop.example/return?cart=7';
const secretKey = SECRET_KEY;

async function rejectionOf(promise: Promise<unknown>): Promise<OfAgeError> {
  try {
    await promise;
  } catch (error) {
    if (isOfAgeError(error)) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}

describe('createSession()', () => {
  it('posts what was given, and gives back what the service answers', async () => {
    const api = await startApiServer(
      json(201, sessionBody({ externalUserId: 'user-42', more: 1 })),
    );
    const input: CreateSessionInput = {
      returnUrl,
      cancelUrl: 'https://shop.example/cancel',
      merchantId: 'tenant-1',
      merchantName: 'The Shop',
      externalUserId: 'user-42',
      verificationMode: 'L2',
      challengeAge: 25,
      faceMatchEnabled: false,
    };

    const session = await createClient({ secretKey, baseUrl: api.baseUrl }).createSession(input);

    expect(session).toEqual(sessionBody({ externalUserId: 'user-42' }));
    expect(api.received).toHaveLength(1);
    expect(api.received[0]).toMatchObject({ method: 'POST', path: '/api/v1/sessions/create' });
    expect(api.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(api.received[0]?.bodyText ?? '')).toEqual(input);
  });

  it('leaves out what is undefined', async () => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey, baseUrl: `${api.baseUrl}/` });

    await client.createSession({ returnUrl, externalUserId: undefined, challengeAge: undefined });

    expect(api.received[0]?.bodyText).toBe(JSON.stringify({ returnUrl }));
  });

  it('tells about a billing block', async () => {
    const billingBlock = {
      code: 'PLAN_LIMIT_REACHED',
      message: 'The plan is used up',
      portalUrl: 'https://billing.ofage.example/',
    };
    const api = await startApiServer(json(201, sessionBody({ billingBlock })));
    const session = await createClient({ secretKey, baseUrl: api.baseUrl }).createSession({
      returnUrl,
    });
    expect(session.billingBlock).toEqual(billingBlock);
  });
});

describe('validateSession()', () => {
  it('posts the identifier and nothing else', async () => {
    const api = await startApiServer(json(200, validationBody({ estimatedAge: 31 })));

    const result = await createClient({ secretKey, baseUrl: api.baseUrl }).validateSession(
      SESSION_ID,
    );

    expect(result).toEqual(validationBody());
    expect(api.received[0]).toMatchObject({
      path: '/api/v1/sessions/validate',
      bodyText: JSON.stringify({ sessionId: SESSION_ID }),
    });
  });

  it.each([
    { why: 'an array, as a repeated query parameter gives', sessionId: [SESSION_ID, SESSION_ID] },
    { why: 'nothing', sessionId: undefined },
    { why: 'empty', sessionId: '' },
    { why: 'one digit short', sessionId: SESSION_ID.slice(1) },
    { why: 'a line break behind it', sessionId: `${SESSION_ID}\n` },
    { why: 'a path', sessionId: `../${SESSION_ID}` },
    { why: 'the secret key by mistake', sessionId: SECRET_KEY },
  ])('refuses an identifier without a request: $why', async ({ sessionId }) => {
    const api = await startApiServer(json(200, validationBody()));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(client.validateSession(sessionId as string));

    expect(error).toMatchObject({ code: 'session_id_invalid', retryable: false });
    expect(api.received).toEqual([]);
  });
});

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
    why: 'past its ten minutes',
    call: 'validate',
    status: 400,
    body: envelope(400, 'Session has expired'),
    code: 'session_expired',
  },
  {
    why: 'the message as a list',
    call: 'validate',
    status: 400,
    body: envelope(400, ['Session has expired']),
    code: 'session_expired',
  },
  {
    why: 'validated before',
    call: 'validate',
    status: 400,
    body: envelope(400, 'Session has already been used'),
    code: 'session_already_used',
  },
  {
    why: 'these two say nothing about a creation',
    call: 'create',
    status: 400,
    body: envelope(400, 'Session has expired'),
    code: 'invalid_request',
  },
  {
    why: 'a body that the service refuses',
    call: 'both',
    status: 400,
    body: envelope(400, ['property foo should not exist', 'challengeAge must not be less than 25']),
    code: 'invalid_request',
  },
  {
    why: 'outside the allowed domains',
    call: 'create',
    status: 400,
    body: envelope(400, 'Return URL domain not allowed'),
    code: 'return_url_not_allowed',
  },
  {
    why: 'the account of another key',
    call: 'create',
    status: 400,
    body: envelope(400, 'merchantId does not match the authenticated key'),
    code: 'merchant_mismatch',
  },
  {
    why: 'a merchantId of the wrong type is no mix-up of keys',
    call: 'create',
    status: 400,
    body: envelope(400, ['merchantId must be a string']),
    code: 'invalid_request',
  },
  {
    why: 'a key that is not known',
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
    why: 'no such session',
    call: 'validate',
    status: 404,
    body: envelope(404, 'Session not found'),
    code: 'session_not_found',
  },
  {
    why: 'an address that the server does not have is not an unknown session',
    call: 'both',
    status: 404,
    body: envelope(404, 'Cannot POST /api/v1/sessions/validate'),
    code: 'unexpected_status',
  },
  {
    why: 'the rate limit, with the time to wait',
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
    why: `a time to wait that is not whole seconds: "${seconds}"`,
    call: 'validate' as const,
    status: 429,
    body: envelope(429, 'Too Many Requests'),
    headers: { 'x-ratelimit-retry-after': seconds },
    code: 'rate_limited' as const,
    retryable: true,
  })),
  ...(['code', 'error', 'message'] as const).map((field) => ({
    why: `no complete launch configuration, said in "${field}"`,
    call: 'create' as const,
    status: 503,
    body: { ...envelope(503, 'x'), [field]: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' },
    code: 'launch_configuration_unavailable' as const,
    retryable: true,
  })),
  {
    why: 'another 503',
    call: 'both',
    status: 503,
    body: envelope(503, 'Service Unavailable'),
    code: 'server_error',
    retryable: true,
  },
  {
    why: "a proxy's page",
    call: 'both',
    status: 502,
    body: '<html>Bad gateway</html>',
    code: 'server_error',
    retryable: true,
  },
  {
    why: 'JSON that is no object',
    call: 'both',
    status: 500,
    body: null,
    code: 'server_error',
    retryable: true,
  },
  {
    why: 'a redirect is not followed',
    call: 'both',
    status: 307,
    body: '',
    headers: { location: 'http://127.0.0.1:1/elsewhere' },
    code: 'unexpected_status',
  },
];

describe('a refusal of the service becomes a code', () => {
  const calls = refusals.flatMap((row) =>
    (row.call === 'both' ? (['create', 'validate'] as const) : [row.call]).map((call) => ({
      ...row,
      call,
    })),
  );
  it.each(calls)('$call: $why', async ({ call, status, body, headers, code, ...rest }) => {
    const api = await startApiServer(json(status, body, headers));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(
      call === 'create' ? client.createSession({ returnUrl }) : client.validateSession(SESSION_ID),
    );

    const { retryable = false, retryAfterMs } = rest;
    expect(error).toMatchObject({ code, status, retryable, retryAfterMs });
    expect(error.message).toMatch(
      call === 'create' ? /^Cannot create the session: / : /^Cannot validate the session: /,
    );
    const { message } = (body ?? {}) as { message?: string | string[] };
    expect(error.details).toEqual(message === undefined ? [] : [message].flat());
    expect(api.received).toHaveLength(1); // nothing is tried again
  });

  it('keeps the words of a long message short in the sentence, and whole in the details', async () => {
    const long = 'x'.repeat(5000);
    const api = await startApiServer(json(400, envelope(400, long)));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(client.createSession({ returnUrl }));

    expect(error.message.length).toBeLessThan(700);
    expect(error.details).toEqual([long]);
  });
});

describe('no usable answer', () => {
  it('nobody listens: network_error, with the cause', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const baseUrl = `http://127.0.0.1:${port}/api/v1`;

    const error = await rejectionOf(
      createClient({ secretKey, baseUrl }).createSession({ returnUrl }),
    );

    expect(error).toMatchObject({ code: 'network_error', retryable: true, status: undefined });
    expect(error).toMatchObject({ cause: { cause: { code: 'ECONNREFUSED' } } });
  });

  it('the connection breaks in the middle of the answer: network_error', async () => {
    const api = await startApiServer((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    });
    const error = await rejectionOf(
      createClient({ secretKey, baseUrl: api.baseUrl }).validateSession(SESSION_ID),
    );
    expect(error).toMatchObject({ code: 'network_error', retryable: true });
  });

  it.each([
    { why: 'no answer at all', answer: () => {} },
    {
      why: 'a body that never ends',
      answer: (response: { writeHead(status: number): unknown; write(text: string): unknown }) => {
        response.writeHead(200);
        response.write('{');
      },
    },
  ])('time over: request_timeout ($why)', async ({ answer }) => {
    const api = await startApiServer(answer);
    const client = createClient({ secretKey, baseUrl: api.baseUrl, timeoutMs: 60_000 });

    const error = await rejectionOf(client.validateSession(SESSION_ID, { timeoutMs: 30 }));

    expect(error).toMatchObject({ code: 'request_timeout', retryable: true });
    expect(error.message).toContain('30 ms');
  });

  it('a fetch that ignores its signal cannot keep the caller hanging', async () => {
    vi.useFakeTimers();
    try {
      const fetch = () => new Promise<never>(() => {});
      const pending = rejectionOf(createClient({ secretKey, fetch }).createSession({ returnUrl }));
      await vi.advanceTimersByTimeAsync(14_999);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await pending).toMatchObject({ code: 'request_timeout' });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves no timer behind once it is answered', async () => {
    vi.useFakeTimers();
    try {
      const fetch = async () => Response.json(sessionBody());
      await createClient({ secretKey, fetch }).createSession({ returnUrl });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('aborted before: no request is sent', async () => {
    const api = await startApiServer(json(201, sessionBody()));
    const reason = new Error('the shopper left');
    const error = await rejectionOf(
      createClient({ secretKey, baseUrl: api.baseUrl }).createSession(
        { returnUrl },
        { signal: AbortSignal.abort(reason) },
      ),
    );
    expect(error).toMatchObject({ code: 'aborted', retryable: false });
    expect(error.cause).toBe(reason);
    expect(api.received).toEqual([]);
  });

  it('aborted meanwhile: the request ends, and the signal is let go of', async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    let closed = false;
    const api = await startApiServer((response) => {
      response.on('close', () => (closed = true));
      controller.abort();
    });
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

    const error = await rejectionOf(
      client.createSession({ returnUrl }, { signal: controller.signal }),
    );

    expect(error.code).toBe('aborted');
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));
    await vi.waitFor(() => expect(closed).toBe(true), 4_000);
  });

  it.each([
    { why: 'signal', options: { signal: 'stop' as never } },
    { why: 'timeoutMs', options: { timeoutMs: 0 } },
  ])('refuses a wrong $why before anything is sent', async ({ options }) => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });
    expect(await rejectionOf(client.createSession({ returnUrl }, options))).toMatchObject({
      code: 'invalid_option',
    });
    expect(api.received).toEqual([]);
  });

  it('a runtime without fetch: unsupported_environment', async () => {
    vi.stubGlobal('fetch', undefined);
    try {
      const error = await rejectionOf(createClient({ secretKey }).createSession({ returnUrl }));
      expect(error.code).toBe('unsupported_environment');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('asks for the fetch of the runtime at each call, so that tools may replace it later', async () => {
    const client = createClient({ secretKey });
    const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(sessionBody()));
    vi.stubGlobal('fetch', fetch);
    try {
      await client.createSession({ returnUrl });
    } finally {
      vi.unstubAllGlobals();
    }
    expect(fetch.mock.calls[0]?.[0]).toBe('https://api.ofage.example/api/v1/sessions/create');
  });
});

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
