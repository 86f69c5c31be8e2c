/** What verify() makes of each response of the service, and of none. */
import { describe, expect, it, vi } from 'vitest';
import type { OfAgeErrorCode } from 'ofage';
import {
  type Answer,
  begin,
  CREATED,
  enterWorld,
  FakePopup,
  leaveWorld,
  link,
  newOfAge,
  SESSION_ID,
  useWorld,
  watch,
  world,
} from './world.ts';

useWorld();

/** Runs one verify() against one response of the service. */
async function verifyWith(answer: Answer, options = {}) {
  world.answer(answer);
  const onError = vi.fn();
  const seen = await begin({ cancelUrl: 'https://cancel.example/', onError, ...options });
  expect(onError.mock.calls).toEqual(seen.error ? [[seen.error]] : []);
  return seen;
}

const RETURN_DOMAIN = ': allow "merchant.example" in the dashboard';

describe('when the service refuses to create a session, verify()', () => {
  it.each<[status: number, message: string | string[], code: OfAgeErrorCode, advice: string]>([
    [400, 'merchantId mismatch', 'invalid_request', ''],
    [400, ['property x should not exist', 'returnUrl must be a URL'], 'invalid_request', ''],
    [400, 'Return URL domain not allowed', 'return_url_not_allowed', RETURN_DOMAIN],
    [400, ['Return URL domain not allowed'], 'return_url_not_allowed', RETURN_DOMAIN],
    [
      400,
      'Cancel URL domain not allowed',
      'invalid_request',
      ': allow "cancel.example" in the dashboard',
    ],
    [401, 'Invalid API key', 'unauthorized', ': check apiKey'],
    [403, 'Insufficient permissions', 'forbidden', ': check apiKey'],
    // It blames no user, because the limit belongs to the account.
    [429, 'Too Many Requests', 'rate_limited', ''],
    [500, 'Internal server error', 'server_error', ''],
    [503, 'Launch configuration unavailable', 'service_unavailable', ''],
  ])('quotes HTTP %i with the message %j as %s%s', async (status, message, code, advice) => {
    const { error } = await verifyWith({ status, body: { statusCode: status, message } });
    const messages = [message].flat();
    const says = `Cannot create a session (HTTP ${status}: "${messages.join('; ')}")${advice}`;
    expect(error).toMatchObject({
      code,
      status,
      message: says + link(code),
      details: { messages },
    });
    expect(world.popup().closed).toBe(true);
    expect(world.fetch).toHaveBeenCalledOnce(); // never retried
  });

  it.each<[status: number, body: string, code: OfAgeErrorCode]>([
    [400, '{"statusCode":400}', 'invalid_request'],
    // The service always says why it refuses a key, so apiKey is not blamed.
    [401, '<html>Blocked by the firewall</html>', 'invalid_response'],
    [403, '{"message":""}', 'invalid_response'],
    [404, '<html>not here</html>', 'invalid_request'],
    [502, '<html>proxy</html>', 'server_error'],
    [502, '', 'server_error'],
    [502, 'null', 'server_error'],
    [502, '"text"', 'server_error'],
  ])('says that a proxy may have answered with HTTP %i and %j: %s', async (status, body, code) => {
    const { error } = await verifyWith({ status, body });
    const says = `Cannot create a session (HTTP ${status}): a proxy may have answered`;
    expect(error).toMatchObject({ code, status, message: says + link(code) });
  });

  it('copies the code of the body to error.details.code', async () => {
    const code = 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE';
    const { error } = await verifyWith({ status: 503, body: { message: 'x', code } });
    expect(error.details.code).toBe(code);
  });

  it('shortens long texts, because the message may end up in a log', async () => {
    const long = 'x'.repeat(1_000_000);
    const body = { message: [long, long], code: long };
    const { error } = await verifyWith({ status: 400, body });
    expect(error.code).toBe('invalid_request');
    expect(error.message.length).toBeLessThan(500);
    expect(error.details.code).toHaveLength(300);
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
      body: { message: 'Too Many Requests' },
      headers: headers as Record<string, string>,
    });
    expect(error).toMatchObject({ code: 'rate_limited', details: { source: 'server' } });
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });
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
      const reason = flaw.includes('verifyUrl') ? 'unsafe verifyUrl' : 'a proxy may have answered';
      const message = `Invalid response: ${reason}${link('invalid_response')}`;
      expect(error).toMatchObject({ code: 'invalid_response', message });
      expect(world.popup().replaced).toEqual([]);
    },
  );
});

it.each<[what: string, status: number, body: object]>([
  ['a verifyUrl on localhost', 201, { verifyUrl: 'http://localhost:4010/verify/' }],
  ['a verifyUrl on 127.0.0.1', 201, { verifyUrl: 'http://127.0.0.1:4010/verify/' }],
  ['a sessionId of 200 characters', 201, { sessionId: 'a'.repeat(200) }],
  ['status 200', 200, {}],
])('verify() opens the hosted page of a response with %s', async (_, status, body) => {
  const session = { ...CREATED, ...body };
  await verifyWith({ status, body: session });
  expect(world.popup().replaced).toEqual([session.verifyUrl]);
});

const BLOCK = {
  code: 'PLAN_LIMIT_REACHED',
  message: 'The plan is used up',
  portalUrl: 'https://billing.example/p',
};

it.each<[what: string, block: unknown, says: string, details: object]>([
  ['all that the block has', BLOCK, ': "The plan is used up"', BLOCK],
  ['nothing if it has no fields', true, '', {}],
  ['no field that is not text', { code: 1, message: [] }, '', {}],
  [
    'no script as the portal',
    { code: BLOCK.code, portalUrl: 'javascript:alert(1)' },
    ': "PLAN_LIMIT_REACHED"',
    { code: BLOCK.code },
  ],
  [
    'no portal without a host',
    { message: BLOCK.message, portalUrl: '/billing' },
    ': "The plan is used up"',
    { message: BLOCK.message },
  ],
])('verify() rejects with billing_blocked and %s', async (_, billingBlock, says, details) => {
  const { error } = await verifyWith({ body: { ...CREATED, billingBlock } });
  const message = `Billing block${says}${link('billing_blocked')}`;
  const sessionId = SESSION_ID;
  expect(error).toMatchObject({ code: 'billing_blocked', retryable: false, message, sessionId });
  expect(JSON.parse(JSON.stringify(error.details))).toEqual(details);
  expect(world.popup().replaced).toEqual([]);
  expect(world.popup().closed).toBe(true);
});

describe('verify()', () => {
  it('rejects with the cause when the connection fails, but JSON does not contain it', async () => {
    const cause = new TypeError('Failed to fetch');
    const { error } = await verifyWith(cause);
    // A page cannot distinguish these causes.
    const message = `No response from https://api.ofage.example/api/v1: check network, blockers and connect-src${link('network_error')}`;
    expect(error).toMatchObject({ code: 'network_error', message, cause });
    expect(JSON.stringify(error)).not.toContain('Failed to fetch');
  });

  it.each<[what: string, fetch: () => unknown]>([
    [
      'throws at once',
      () => {
        throw new TypeError('blocked');
      },
    ],
    ['rejects with a value that is no error', () => Promise.reject('blocked')],
    ['returns nothing', () => undefined],
    ['resolves to nothing', () => Promise.resolve(null)],
    ['resolves to what is no response', () => Promise.resolve({ ok: true })],
  ])(
    'rejects with network_error, and gives the attempt back, if a fetch that a script of the page replaced %s',
    async (_, fetch) => {
      vi.stubGlobal('fetch', fetch);
      const onError = vi.fn();
      const { error } = await begin({ onError });
      expect(error).toMatchObject({ code: 'network_error', retryable: true });
      expect(error.cause).toBeDefined();
      expect(onError).toHaveBeenCalledExactlyOnceWith(error);
      expect(world.popup().closed).toBe(true);
      for (let n = 0; n < 5; n += 1) expect((await begin()).error.code).toBe('network_error');
    },
  );

  it.each([
    ['http://localhost:3000/', undefined, true],
    ['http://127.0.0.1/shop', undefined, true],
    ['http://localhost:3000/', 'staging', true],
    ['https://localhost.evil.example/', undefined, false],
  ] as const)(
    'names the address that did not respond, and on a page of this computer the mock: %s, %s',
    async (href, environment, isDeveloper) => {
      leaveWorld();
      enterWorld(href);
      vi.stubGlobal('location', { ...location, hostname: new URL(href).hostname });
      const { error } = await verifyWith(new TypeError('Failed to fetch'), { environment });
      const host = environment ? 'api.staging.ofage.example' : 'api.ofage.example';
      const cure = isDeveloper
        ? 'for the mock, use its script or createTestOfAge()'
        : 'check network, blockers and connect-src';
      const says = `No response from https://${host}/api/v1: ${cure}`;
      expect(error.message).toBe(says + link('network_error'));
    },
  );

  it('aborts the request after 15 s and rejects with request_timeout', async () => {
    world.hang();
    const seen = watch(newOfAge().verify());
    await world.elapse(14_900);
    expect(seen.state).toBe('pending');
    await world.elapse(200);
    const message = `No response within 15 seconds${link('request_timeout')}`;
    expect(seen.error).toMatchObject({ code: 'request_timeout', retryable: true, message });
    expect((world.fetch.mock.calls[0]![1] as RequestInit).signal!.aborted).toBe(true);
    expect(world.popup().closed).toBe(true);
  });

  it.each(['AbortController', 'BroadcastChannel'])('works if %s is missing', async (name) => {
    const popup = new FakePopup('', ''); // created here because jsdom itself needs AbortController
    world.openWith(() => {
      world.popups.push(popup);
      return popup;
    });
    vi.stubGlobal(name, undefined);
    const seen = await begin();
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
      const code = 'unsupported_environment';
      const says = 'verify() needs a page with fetch, URL and crypto';
      expect(seen.error).toMatchObject({ code, message: says + link(code) });
      expect(world.popups).toEqual([]);
    },
  );

  it('rejects with internal_error and its cause if the SDK has a bug', async () => {
    const cause = new Error('not here');
    vi.stubGlobal('setInterval', () => {
      throw cause;
    });
    const { error } = await begin();
    const message = `Unexpected error: see error.cause${link('internal_error')}`;
    expect(error).toMatchObject({ code: 'internal_error', message, cause });
  });
});
