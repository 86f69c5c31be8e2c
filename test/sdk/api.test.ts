import { describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  CREATED,
  FakePopup,
  newOfAge,
  SESSION_ID,
  useWorld,
  watch,
  world,
} from './world.ts';

useWorld();

/** Runs one verify() against one response of the service. */
async function verifyWith(answer: Answer) {
  world.answer(answer);
  const onError = vi.fn();
  const seen = watch(newOfAge({ onError }).verify());
  await world.elapse(0);
  expect(onError.mock.calls).toEqual(seen.error ? [[seen.error]] : []);
  return seen;
}

const envelope = (statusCode: number, message: unknown, more = {}) => ({
  statusCode,
  message,
  timestamp: '2026-01-01T00:00:00.000Z',
  path: '/api/v1/sessions/create',
  ...more,
});

describe('when the service refuses to create a session', () => {
  it.each([
    [400, envelope(400, 'merchantId mismatch'), 'invalid_request', false, ['merchantId mismatch']],
    [
      400,
      envelope(400, ['property x should not exist', 'returnUrl must be a URL address']),
      'invalid_request',
      false,
      ['property x should not exist', 'returnUrl must be a URL address'],
    ],
    [
      400,
      envelope(400, 'Return URL domain not allowed'),
      'return_url_not_allowed',
      false,
      ['Return URL domain not allowed'],
    ],
    [
      400,
      envelope(400, ['Return URL domain not allowed']),
      'return_url_not_allowed',
      false,
      ['Return URL domain not allowed'],
    ],
    [
      401,
      envelope(401, 'API key required', { error: 'Unauthorized' }),
      'unauthorized',
      false,
      ['API key required'],
    ],
    [
      403,
      envelope(403, 'Insufficient permissions'),
      'forbidden',
      false,
      ['Insufficient permissions'],
    ],
    // Without the service's message, the response is that of a firewall or a captive portal.
    [401, '<html>log in to this network</html>', 'invalid_response', true, []],
    [403, '<html>blocked by the firewall</html>', 'invalid_response', true, []],
    [403, envelope(403, ''), 'invalid_response', true, []],
    [404, '<html>not here</html>', 'invalid_request', false, []],
    [429, envelope(429, 'Too Many Requests'), 'rate_limited', true, ['Too Many Requests']],
    [500, '<html>proxy</html>', 'server_error', true, []],
    [502, '', 'server_error', true, []],
    [
      503,
      envelope(503, 'Unavailable', { code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' }),
      'service_unavailable',
      true,
      ['Unavailable'],
    ],
    [500, 'null', 'server_error', true, []],
    [500, '"text"', 'server_error', true, []],
    [400, envelope(400, undefined), 'invalid_request', false, []],
  ])(
    'given status %i and body %j, verify() rejects with %s',
    async (status, body, code, retryable, messages) => {
      const { error } = await verifyWith({ status, body });
      expect(error).toMatchObject({ code, status, retryable, details: { messages } });
      for (const message of messages) expect(error.message).toContain(message);
      expect(error.message).not.toBe('');
      expect(world.popup().closed).toBe(true);
      expect(world.fetch).toHaveBeenCalledOnce(); // never retried
    },
  );

  it('error.details.code is the code in the body of a 503 response', async () => {
    const { error } = await verifyWith({
      status: 503,
      body: envelope(503, 'x', { code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' }),
    });
    expect(error.details.code).toBe('SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE');
  });

  it.each([
    [{ 'X-RateLimit-Retry-After': '17' }, 17_000],
    [{ 'X-RateLimit-Retry-After': '17', 'Retry-After': '99' }, 17_000],
    [{ 'Retry-After': '60' }, 60_000],
    [{}, undefined],
    [{ 'Retry-After': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'Retry-After': 'Wed, 31 Dec 2025 23:59:00 GMT' }, undefined],
    [{ 'X-RateLimit-Retry-After': 'soon', 'Retry-After': '60' }, 60_000],
    [{ 'X-RateLimit-Retry-After': '0', 'Retry-After': '60' }, 60_000],
    [{ 'Retry-After': '-5' }, undefined],
    [{ 'Retry-After': 'Infinity' }, undefined],
    [{ 'Retry-After': '1e+102' }, undefined],
    [{ 'Retry-After': '0x10' }, undefined],
    [{ 'Retry-After': '86400' }, 86_400_000],
    [{ 'Retry-After': '86401' }, undefined],
    [{ 'Retry-After': 'Sat, 03 Jan 2026 00:00:00 GMT' }, undefined],
  ])('a 429 response with headers %j sets retryAfterMs to %s', async (headers, retryAfterMs) => {
    const { error } = await verifyWith({
      status: 429,
      body: envelope(429, 'Too Many Requests'),
      headers: headers as Record<string, string>,
    });
    expect(error).toMatchObject({ code: 'rate_limited', details: { source: 'server' } });
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });
});

it('verify() shortens long texts of the service, because the message may end up in a log', async () => {
  const long = 'x'.repeat(1_000_000);
  const body = envelope(400, [long, long], { code: long });
  const { error } = await verifyWith({ status: 400, body });
  expect(error.code).toBe('invalid_request');
  expect(error.message.length).toBeLessThan(500);
  expect(error.details.code).toHaveLength(300);
});

describe('when the response is not usable', () => {
  it.each([
    ['text that is not JSON', 'hello'],
    ['an empty body', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['no sessionId', { ...CREATED, sessionId: undefined }],
    ['a sessionId that is a number', { ...CREATED, sessionId: 1 }],
    ['a sessionId with a line feed', { ...CREATED, sessionId: 'a\nb' }],
    ['a sessionId of 201 characters', { ...CREATED, sessionId: 'a'.repeat(201) }],
    [
      'a billing block, but no sessionId',
      { ...CREATED, sessionId: undefined, billingBlock: { code: 'PLAN_LIMIT_REACHED' } },
    ],
    ['no verifyUrl', { ...CREATED, verifyUrl: undefined }],
    ['a script as verifyUrl', { ...CREATED, verifyUrl: 'javascript:alert(1)' }],
    ['a relative verifyUrl', { ...CREATED, verifyUrl: '/verify' }],
    ['a verifyUrl with plain http', { ...CREATED, verifyUrl: 'http://verify.example.test/v' }],
    [
      'a verifyUrl with credentials',
      { ...CREATED, verifyUrl: 'https://u:p@verify.example.test/v' },
    ],
  ])(
    'given %s, verify() rejects with invalid_response and the window shows no page',
    async (flaw, body) => {
      const { error } = await verifyWith({ body });
      expect(error).toMatchObject({ code: 'invalid_response', retryable: true });
      expect(error.message).toContain(
        flaw.includes('verifyUrl') ? 'verifyUrl is not safe' : 'a proxy may have answered',
      );
      expect(world.popup().replaced).toEqual([]);
    },
  );
});

describe('when the response is usable', () => {
  it.each(['http://localhost:4010/verify/', 'http://127.0.0.1:4010/verify/'])(
    'verify() accepts %s as verifyUrl',
    async (verifyUrl) => {
      await verifyWith({ body: { ...CREATED, verifyUrl } });
      expect(world.popup().replaced).toEqual([verifyUrl]);
    },
  );

  it('verify() accepts a sessionId of 200 characters', async () => {
    await verifyWith({ body: { ...CREATED, sessionId: 'a'.repeat(200) } });
    expect(world.popup().replaced).toEqual([CREATED.verifyUrl]);
  });

  it('verify() accepts status 200 instead of 201', async () => {
    const seen = await verifyWith({ status: 200, body: CREATED });
    expect(seen.state).toBe('pending');
  });
});

it('verify() rejects with billing_blocked and the URL of the billing portal when billing blocks the new session', async () => {
  const billingBlock = {
    code: 'PLAN_LIMIT_REACHED',
    message: 'The plan is used up',
    portalUrl: 'https://billing.example/p',
  };
  const { error } = await verifyWith({ body: { ...CREATED, billingBlock } });
  expect(error).toMatchObject({
    code: 'billing_blocked',
    retryable: false,
    sessionId: SESSION_ID,
    message: expect.stringContaining('The plan is used up'),
    details: billingBlock,
  });
  expect(world.popup().replaced).toEqual([]);
  expect(world.popup().closed).toBe(true);
});

it.each<[why: string, block: unknown, says: string, details: object]>([
  ['no fields', true, 'Billing block. See', {}],
  ['fields that are not text', { code: 1, message: [] }, 'Billing block. See', {}],
  [
    'a script as the portal',
    { code: 'PLAN_LIMIT_REACHED', portalUrl: 'javascript:alert(1)' },
    'Billing block: "PLAN_LIMIT_REACHED". See',
    { code: 'PLAN_LIMIT_REACHED' },
  ],
  [
    'a portal without a host',
    { message: 'The plan is used up', portalUrl: '/billing' },
    'Billing block: "The plan is used up". See',
    { message: 'The plan is used up' },
  ],
])(
  'verify() leaves out what it cannot use if the billing block has %s',
  async (_, billingBlock, says, details) => {
    const { error } = await verifyWith({ body: { ...CREATED, billingBlock } });
    expect(error).toMatchObject({
      code: 'billing_blocked',
      message: expect.stringContaining(says),
    });
    expect(JSON.parse(JSON.stringify(error.details))).toEqual(details);
  },
);

describe('verify()', () => {
  it('rejects with network_error and its cause when the connection fails', async () => {
    const cause = new TypeError('Failed to fetch');
    const { error } = await verifyWith(cause);
    expect(error).toMatchObject({ code: 'network_error', retryable: true, cause });
    expect(JSON.stringify(error)).not.toContain('Failed to fetch');
  });

  it('aborts the request after 15 s and rejects with request_timeout', async () => {
    world.hang();
    const seen = watch(newOfAge().verify());
    await world.elapse(14_900);
    expect(seen.state).toBe('pending');
    await world.elapse(200);
    expect(seen.error).toMatchObject({ code: 'request_timeout', retryable: true });
    expect((world.fetch.mock.calls[0]![1] as RequestInit).signal!.aborted).toBe(true);
    expect(world.popup().closed).toBe(true);
  });

  it('clears the request timeout once the session is created', async () => {
    const seen = watch(newOfAge().verify());
    await world.elapse(20_000);
    expect(seen.state).toBe('pending');
  });

  it('works if AbortController is missing', async () => {
    const popup = new FakePopup('', ''); // created here because jsdom itself needs AbortController
    world.openWith(() => (world.popups.push(popup), popup));
    vi.stubGlobal('AbortController', undefined);
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    world.message({ status: 'verified' });
    await world.elapse(0);
    expect(seen.error).toBeUndefined();
    expect(seen.state).toBe('resolved');
  });

  it('works if BroadcastChannel is missing', async () => {
    vi.stubGlobal('BroadcastChannel', undefined);
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    world.message({ status: 'verified' });
    await world.elapse(0);
    expect(seen.state).toBe('resolved');
  });

  it.each(['fetch', 'URLSearchParams', 'crypto'])(
    'rejects with unsupported_environment and opens no window if %s is missing',
    async (name) => {
      const ofAge = newOfAge();
      vi.stubGlobal(name, undefined);
      const seen = watch(ofAge.verify());
      await world.elapse(0);
      expect(seen.error.code).toBe('unsupported_environment');
      expect(world.popups).toEqual([]);
    },
  );
});
