/** The errors of the client's calls when the service refuses, answers wrongly or does not answer. */
import {
  type OfAgeErrorCode,
  type Session,
  type ValidationResult,
  createClient,
} from 'ofage/server';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { aClient, envelope, json, rejectionOf, returnUrl } from './an-api.ts';
import { SECRET_KEY as secretKey, SESSION_ID, sessionBody, validationBody } from './builders.ts';
import { waitFor } from '../support/wait-for.ts';

type Call = 'create' | 'validate';
const BOTH: readonly Call[] = ['create', 'validate'];

/** Starts a server with one answer and makes a call to it. */
async function callWith(call: Call, answer: (response: ServerResponse) => void) {
  const { client, received } = await aClient(answer);
  const promise: Promise<Session | ValidationResult> =
    call === 'create' ? client.createSession({ returnUrl }) : client.validateSession(SESSION_ID);
  return { received, promise };
}

/** What the service says, and the code that it becomes. */
const SENTENCES: [call: Call, status: number, message: string | string[], code: OfAgeErrorCode][] =
  [
    ['validate', 400, 'Session has expired', 'session_expired'],
    ['validate', 400, ['Session has expired'], 'session_expired'],
    ['validate', 400, 'Session has already been used', 'session_already_used'],
    ['create', 400, 'Session has expired', 'invalid_request'],
    [
      'create',
      400,
      ['property foo should not exist', 'challengeAge is too low'],
      'invalid_request',
    ],
    ['validate', 400, ['property foo should not exist'], 'invalid_request'],
    ['create', 400, 'Return URL domain not allowed', 'return_url_not_allowed'],
    ['create', 400, 'merchantId does not match the authenticated key', 'merchant_mismatch'],
    ['create', 400, ['merchantId must be a string'], 'invalid_request'],
    ['create', 401, 'API key required', 'unauthorized'],
    ['validate', 401, 'API key required', 'unauthorized'],
    ['validate', 403, 'Session does not belong to this tenant', 'wrong_tenant'],
    ['create', 403, 'Forbidden', 'forbidden'],
    ['validate', 403, 'Forbidden', 'forbidden'],
    ['validate', 404, 'Session not found', 'session_not_found'],
    // An unknown path is not an unknown session.
    ['create', 404, 'Cannot POST /api/v1/sessions/create', 'unexpected_status'],
    ['validate', 404, 'Cannot POST /api/v1/sessions/validate', 'unexpected_status'],
    ['create', 429, 'Too Many Requests', 'rate_limited'],
    ['validate', 429, 'Too Many Requests', 'rate_limited'],
    ['create', 503, 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE', 'launch_configuration_unavailable'],
    ['create', 503, 'Service Unavailable', 'server_error'],
    ['validate', 503, 'Service Unavailable', 'server_error'],
  ];

describe.each(BOTH)('a refused call to %s', (call) => {
  const action =
    call === 'create' ? 'Cannot create the session: ' : 'Cannot validate the session: ';

  it.each(SENTENCES.filter(([of]) => of === call).map(([, ...row]) => row))(
    'with status %i and message %j rejects with %s',
    async (status, message, code) => {
      const { received, promise } = await callWith(call, json(status, envelope(status, message)));
      const error = await rejectionOf(promise);
      expect(error).toMatchObject({ code, status, details: [message].flat() });
      expect(error.message.startsWith(action)).toBe(true);
      expect(error.message).toContain(`with ${status}: ${[message].flat().join('; ')}). See `);
      expect(received).toHaveLength(1); // the request is not retried
    },
  );

  it.each<[why: string, status: number, text: string, code: OfAgeErrorCode]>([
    ['the HTML page of a proxy', 502, '<html>Bad gateway</html>', 'server_error'],
    ['JSON that is not an object', 500, 'null', 'server_error'],
    ['the rate limit of a proxy', 429, '', 'rate_limited'],
    ['a redirect, which is not followed', 307, '', 'unexpected_status'],
    ['the page of a firewall', 401, '<html>Blocked</html>', 'unexpected_status'],
    ['another page of a firewall', 403, '<html>Blocked</html>', 'unexpected_status'],
  ])('with %s rejects without details', async (_, status, text, code) => {
    const { promise } = await callWith(call, (response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere' }).end(text),
    );
    const error = await rejectionOf(promise);
    expect(error).toMatchObject({ code, status, details: [] });
    expect(error.message).toContain(` responded with ${status}). See `);
  });
});

describe('a refused call', () => {
  it.each(['code', 'error'])('recognises the launch configuration in "%s"', async (field) => {
    const body = { ...envelope(503, 'x'), [field]: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' };
    const { promise } = await callWith('create', json(503, body));
    expect(await rejectionOf(promise)).toMatchObject({ code: 'launch_configuration_unavailable' });
  });

  it.each<[headers: Record<string, string>, retryAfterMs: number | undefined]>([
    [{ 'x-ratelimit-retry-after': '17', 'retry-after': '3' }, 17_000],
    [{ 'retry-after': '3' }, 3000],
    [{ 'x-ratelimit-retry-after': 'soon', 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 0],
    ...['', 'soon', '-1', '1.5', '1e3', '99999999999'].map(
      (seconds): [Record<string, string>, undefined] => [
        { 'x-ratelimit-retry-after': seconds },
        undefined,
      ],
    ),
  ])('with the headers %j has retryAfterMs %s', async (headers, retryAfterMs) => {
    const { promise } = await callWith('create', json(429, envelope(429, 'x'), headers));
    expect(await rejectionOf(promise)).toMatchObject({ retryable: true, retryAfterMs });
  });

  it('has its long message truncated in error.message, but not in error.details', async () => {
    const long = 'x'.repeat(5000);
    const { promise } = await callWith('create', json(400, envelope(400, long)));
    const error = await rejectionOf(promise);
    expect(error.message.length).toBeLessThan(700);
    expect(error.details).toEqual([long]);
  });
});

const without = (body: Record<string, unknown>, field: string): Record<string, unknown> => {
  const { [field]: _, ...rest } = body;
  return rest;
};

/** One row for each field of a body that is missing or an object. */
const toFlaws = (body: Record<string, unknown>): [why: string, body: unknown][] => [
  ...Object.keys(body)
    .filter((field) => !['externalUserId', 'testMode'].includes(field))
    .map((field): [string, unknown] => [`no ${field}`, without(body, field)]),
  ...Object.keys(body).map((field): [string, unknown] => [
    `an object as ${field}`,
    { ...body, [field]: {} },
  ]),
];

const unverified = { verified: false, accessGranted: false };

const INVALID: Record<Call, [why: string, body: unknown][]> = {
  create: [
    ['null', null],
    ...toFlaws(sessionBody()),
    ['a javascript: URL as verifyUrl', sessionBody({ verifyUrl: 'javascript:alert(1)' })],
    ['a sessionId that validate would refuse', sessionBody({ sessionId: 'abc' })],
    ['a path as verifyUrl', sessionBody({ verifyUrl: '/verify' })],
    ['a date without a time', sessionBody({ expiresAt: '2026-01-02' })],
    ['an unknown billing code', sessionBody({ billingBlock: { code: 'X', message: 'm' } })],
  ],
  validate: [
    ['an array', [validationBody()]],
    ...toFlaws(validationBody()),
    ['a string for a boolean', validationBody({ verified: 'true' })],
    ['an unknown mode', validationBody({ verificationMode: 'L3' })],
    ['an unknown status', validationBody({ status: 'VERIFIED' })],
    ['another session', validationBody({ sessionId: SESSION_ID.replace('3', '4') })],
    ['verified true with status failed', validationBody({ status: 'failed' })],
    ['verified true with status pending', validationBody({ status: 'pending' })],
    ['verified false with status verified', validationBody(unverified)],
    ['verified true with accessGranted false', validationBody({ accessGranted: false })],
    [
      'accessGranted true with verified false',
      validationBody({ verified: false, status: 'failed' }),
    ],
    ['a settled session without a timestamp', validationBody({ timestamp: null })],
  ],
};

describe.each(BOTH)('an unusable answer to %s', (call) => {
  it.each(INVALID[call])('is an invalid_response: %s', async (_, body) => {
    const { promise } = await callWith(call, json(200, body));
    const error = await rejectionOf(promise);
    expect(error).toMatchObject({ code: 'invalid_response', status: 200, retryable: true });
    expect(error.message).not.toContain('opaque.token');
  });
});

describe('an unusable answer', () => {
  it('in HTML is reported as not JSON, without quoting it', async () => {
    const { promise } = await callWith('create', (response) => response.end('<p>opaque.token</p>'));
    const { code, message } = await rejectionOf(promise);
    expect(code).toBe('invalid_response');
    expect(message).toMatch(/: the body is not JSON\. See \S+$/);
  });

  it.each([
    { why: 'an id', sessionId: SESSION_ID, id: SESSION_ID },
    { why: 'text that is not an id', sessionId: 'opaque.token', id: undefined },
    { why: 'no id', sessionId: undefined, id: undefined },
  ])('to create puts only a valid sessionId into the error: $why', async ({ sessionId, id }) => {
    const body = sessionBody({ sessionId, verifyUrl: '/verify' });
    const error = await rejectionOf((await callWith('create', json(201, body))).promise);
    expect(error).toMatchObject({ code: 'invalid_response', sessionId: id });
    expect(error.toJSON()['sessionId']).toBe(id);
  });
});

const pending = validationBody({ ...unverified, status: 'pending', timestamp: null });

it.each<[call: Call, why: string, body: Record<string, unknown>]>([
  ['create', 'a response without the deprecated testMode', without(sessionBody(), 'testMode')],
  ['create', 'a response without externalUserId', without(sessionBody(), 'externalUserId')],
  ['validate', 'a pending session with timestamp null', pending],
  ['validate', 'a pending session without timestamp', without(pending, 'timestamp')],
  ['validate', 'an id in capitals', validationBody({ sessionId: SESSION_ID.toUpperCase() })],
])('a call to %s accepts %s', async (call, _, body) => {
  const { promise } = await callWith(call, json(200, body));
  expect(await promise).toMatchObject({ ...body, testMode: false });
});

describe.each(BOTH)('an answer to %s that is larger than 1 MB', (call) => {
  const huge = Buffer.alloc(1_000_001, ' ');

  it('is refused, also if it was compressed', async () => {
    const { promise } = await callWith(call, (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(huge));
    });
    const error = await rejectionOf(promise);
    expect(error).toMatchObject({ code: 'invalid_response', status: 200, retryable: true });
    expect(error.message).toContain('the body is larger than 1000000 bytes');
  });

  it('keeps the code of its status', async () => {
    const { promise } = await callWith(call, (response) => response.writeHead(502).end(huge));
    expect(await rejectionOf(promise)).toMatchObject({ code: 'server_error', details: [] });
  });

  it('is not read to its end', async () => {
    let written = 0;
    const { promise } = await callWith(call, (response) => {
      const write = (): void => {
        written += 1;
        if (!response.destroyed) response.write(Buffer.alloc(100_000), write);
      };
      write();
    });
    expect((await rejectionOf(promise)).code).toBe('invalid_response');
    expect(written).toBeLessThan(1000); // buffers of the two sockets
  });

  it('is refused if a passed fetch has no stream', async () => {
    const response = { status: 200, headers: new Headers(), text: async () => String(huge) };
    const client = createClient({ secretKey, fetch: async () => response });
    const promise: Promise<unknown> =
      call === 'create' ? client.createSession({ returnUrl }) : client.validateSession(SESSION_ID);
    expect((await rejectionOf(promise)).message).toContain('larger than 1000000 bytes');
  });
});

it('an answer of exactly 1 MB whose characters arrive in pieces is accepted', async () => {
  const text = JSON.stringify(validationBody({ externalUserId: 'Zoë 😀' }));
  const bytes = Buffer.concat([Buffer.from(text), Buffer.alloc(1_000_000, ' ')]).subarray(
    0,
    1_000_000,
  );
  const body = new ReadableStream({
    start(stream) {
      for (let at = 0; at < 1000; at += 1)
        stream.enqueue(new Uint8Array(bytes.subarray(at, at + 1)));
      stream.enqueue(new Uint8Array(bytes.subarray(1000)));
      stream.close();
    },
  });
  const client = createClient({ secretKey, fetch: async () => new Response(body) });
  expect((await client.validateSession(SESSION_ID)).externalUserId).toBe('Zoë 😀');
});

describe('status 407 of a proxy is network_error', () => {
  it('from the fetch of Node, which rejects', async () => {
    const { promise } = await callWith('create', (response) => response.writeHead(407).end());
    expect((await rejectionOf(promise)).code).toBe('network_error');
  });

  it('from a fetch that returns it, as in Bun and Deno', async () => {
    const fetch = async () => Object.defineProperty(new Response(''), 'status', { value: 407 });
    const error = await rejectionOf(
      createClient({ secretKey, fetch }).createSession({ returnUrl }),
    );
    expect(error).toMatchObject({ code: 'network_error', retryable: true, status: 407 });
  });
});

describe('a request without an answer', () => {
  it('rejects with network_error and its cause when no server listens', async () => {
    const baseUrl = `http://127.0.0.1:${await findFreePort()}/api/v1`;

    const error = await rejectionOf(
      createClient({ secretKey, baseUrl }).createSession({ returnUrl }),
    );

    expect(error).toMatchObject({ code: 'network_error', retryable: true, status: undefined });
    expect(error).toMatchObject({ cause: { cause: { code: 'ECONNREFUSED' } } });
    expect(error.message).toContain(
      `could not be reached at ${baseUrl}; is the mock running there?`,
    );
  });

  it.each([
    [
      'the production address, and the variable for the mock',
      undefined,
      'https://api.ofage.example/api/v1; for the mock, set OFAGE_API_BASE and pass it as baseUrl',
    ],
    ['only the address of another service', 'https://a.example/api/v1', 'https://a.example/api/v1'],
  ])('names %s', async (_, baseUrl, address) => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const client = createClient({ secretKey, baseUrl, fetch });
    const { message } = await rejectionOf(client.validateSession(SESSION_ID));
    const says = `Cannot validate the session: the service could not be reached at ${address}. See `;
    expect(message).toContain(says);
  });

  it('rejects with network_error when the connection breaks during the response', async () => {
    const { promise } = await callWith('validate', (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    });
    expect(await rejectionOf(promise)).toMatchObject({ code: 'network_error', retryable: true });
  });

  it.each<[what: string, answer: (response: ServerResponse) => void]>([
    ['no response', () => {}],
    ['a body that never ends', (response) => void response.writeHead(200).write('{')],
  ])('rejects with request_timeout: %s', async (_, answer) => {
    const { client, baseUrl } = await aClient(answer, { timeoutMs: 60_000 });

    const error = await rejectionOf(client.validateSession(SESSION_ID, { timeoutMs: 30 }));

    expect(error).toMatchObject({ code: 'request_timeout', retryable: true });
    expect(error.message).toContain(`did not respond in time (30 ms) at ${baseUrl}`);
  });

  it('rejects in time even if fetch ignores its signal, and leaves no timer', async () => {
    vi.useFakeTimers();
    try {
      await createClient({
        secretKey,
        fetch: async () => Response.json(sessionBody()),
      }).createSession({ returnUrl });
      expect(vi.getTimerCount()).toBe(0);
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

  it('is not sent when the signal is already aborted', async () => {
    const { client, received } = await aClient(json(201, sessionBody()));
    const reason = new Error('the shopper left');
    const signal = AbortSignal.abort(reason);
    const error = await rejectionOf(client.createSession({ returnUrl }, { signal }));
    expect(error).toMatchObject({ code: 'aborted', retryable: false });
    expect(error.cause).toBe(reason);
    expect(received).toEqual([]);
  });

  it('ends when the signal aborts while the key is being read', async () => {
    const read = vi.fn(() => new Promise<string>(() => {}));
    const client = createClient({ secretKey: read });
    const controller = new AbortController();
    const ended = rejectionOf(client.validateSession(SESSION_ID, { signal: controller.signal }));
    controller.abort();
    expect(await ended).toMatchObject({ code: 'aborted' });
  });

  it('ends when the signal aborts, and its listener is removed', async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    let closed = false;
    const { client } = await aClient((response) => {
      response.on('close', () => (closed = true));
      controller.abort();
    });

    const { signal } = controller;
    const error = await rejectionOf(client.createSession({ returnUrl }, { signal }));

    expect(error.code).toBe('aborted');
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));
    await waitFor(() => expect(closed).toBe(true));
  });

  it('rejects with unsupported_environment in a runtime without fetch', async () => {
    vi.stubGlobal('fetch', undefined);
    try {
      const error = await rejectionOf(createClient({ secretKey }).createSession({ returnUrl }));
      expect(error.code).toBe('unsupported_environment');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('uses the current global fetch at each call, so that tools can replace it', async () => {
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
