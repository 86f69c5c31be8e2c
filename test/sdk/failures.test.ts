/** The exact errors that a developer sees when the service, the network or the browser refuses. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OfAgeErrorCode } from 'ofage';
import {
  type Answer,
  begin,
  CREATED,
  FakePopup,
  newOfAge,
  SESSION_ID,
  useWorld,
  watch,
  world,
} from './world.ts';
import { link } from './mistakes.ts';

useWorld();
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

/** Runs one verify() against one response of the service. */
async function verifyWith(answer: Answer) {
  world.answer(answer);
  const onError = vi.fn();
  const seen = await begin({ cancelUrl: 'https://cancel.example/', onError });
  expect(onError.mock.calls).toEqual(seen.error ? [[seen.error]] : []);
  return seen;
}

interface Refusal {
  readonly status: number;
  /** The `message` of the body, or a body without one. */
  readonly message?: string | readonly string[];
  readonly body?: string;
  readonly code: OfAgeErrorCode;
  /** The message after "Cannot create a session". */
  readonly says: string;
  readonly why: string;
}

const REFUSALS: readonly Refusal[] = [
  {
    status: 400,
    message: 'merchantId mismatch',
    code: 'invalid_request',
    says: ' (HTTP 400: "merchantId mismatch")',
    why: 'names the action and the response of the service',
  },
  {
    status: 400,
    message: ['property x should not exist', 'returnUrl must be a URL address'],
    code: 'invalid_request',
    says: ' (HTTP 400: "property x should not exist; returnUrl must be a URL address")',
    why: 'quotes all sentences of the service',
  },
  {
    status: 400,
    message: 'Return URL domain not allowed',
    code: 'return_url_not_allowed',
    says: ' (HTTP 400: "Return URL domain not allowed"): allow "merchant.example" in the dashboard',
    why: 'names the domain and where to allow it',
  },
  {
    status: 400,
    message: ['Return URL domain not allowed'],
    code: 'return_url_not_allowed',
    says: ' (HTTP 400: "Return URL domain not allowed"): allow "merchant.example" in the dashboard',
    why: 'recognises the sentence in a list too',
  },
  {
    status: 400,
    message: 'Cancel URL domain not allowed',
    code: 'invalid_request',
    says: ' (HTTP 400: "Cancel URL domain not allowed"): allow "cancel.example" in the dashboard',
    why: 'names the domain of the refused URL',
  },
  {
    status: 401,
    message: 'Invalid API key',
    code: 'unauthorized',
    says: ' (HTTP 401: "Invalid API key"): check apiKey',
    why: 'names the option to check',
  },
  {
    status: 403,
    message: 'Insufficient permissions',
    code: 'forbidden',
    says: ' (HTTP 403: "Insufficient permissions"): check apiKey',
    why: 'names the option to check',
  },
  ...[401, 403].map((status) => ({
    status,
    body: '<html>Blocked by the firewall</html>',
    code: 'invalid_response' as const,
    says: ` (HTTP ${status}): a proxy may have answered`,
    why: 'does not blame apiKey, because the service always sends a message',
  })),
  {
    status: 403,
    message: '',
    code: 'invalid_response',
    says: ' (HTTP 403): a proxy may have answered',
    why: 'treats an empty message like none',
  },
  {
    status: 400,
    body: '{"statusCode":400}',
    code: 'invalid_request',
    says: ' (HTTP 400): a proxy may have answered',
    why: 'treats an error body of another form like none',
  },
  {
    status: 404,
    body: '<html>not here</html>',
    code: 'invalid_request',
    says: ' (HTTP 404): a proxy may have answered',
    why: 'does not quote the HTML page of a proxy',
  },
  {
    status: 429,
    message: 'Too Many Requests',
    code: 'rate_limited',
    says: ' (HTTP 429: "Too Many Requests")',
    why: 'blames no user, because the limit belongs to the account',
  },
  {
    status: 500,
    message: 'Internal server error',
    code: 'server_error',
    says: ' (HTTP 500: "Internal server error")',
    why: 'suggests no change, because the failure is not in the page',
  },
  ...['<html>proxy</html>', '', 'null', '"text"'].map((body) => ({
    status: 502,
    body,
    code: 'server_error' as const,
    says: ' (HTTP 502): a proxy may have answered',
    why: `survives the body ${JSON.stringify(body)}`,
  })),
  {
    status: 503,
    message: 'Launch configuration unavailable',
    code: 'service_unavailable',
    says: ' (HTTP 503: "Launch configuration unavailable")',
    why: 'quotes the service, which knows the reason best',
  },
];

interface Failure {
  readonly case: string;
  readonly code: OfAgeErrorCode;
  readonly says: string;
  readonly why: string;
  readonly options?: object;
  /** Provokes the failure and returns the promise that should reject with it. */
  readonly run: (verify: () => Promise<unknown>) => Promise<unknown>;
}

const FAILURES: readonly Failure[] = [
  {
    case: 'offline, a content blocker, or a CSP without the API',
    code: 'network_error',
    says: 'No response: check network, blockers and connect-src',
    why: 'names all three causes, because a page cannot distinguish them',
    run: (verify) => {
      world.answer(new TypeError('Failed to fetch'));
      return verify();
    },
  },
  {
    case: 'no response',
    code: 'request_timeout',
    says: 'No response within 15 seconds',
    why: 'names the action and the time limit',
    run: (verify) => {
      world.hang();
      return verify();
    },
  },
  {
    case: 'a sixth attempt',
    code: 'rate_limited',
    says: 'Only five attempts a minute per externalUserId. Try again in 60 s',
    why: 'names the limit, its scope and the waiting time',
    run: (verify) => {
      for (let n = 0; n < 5; n += 1) void newOfAge({ onError() {} }).verify();
      return verify();
    },
  },
  {
    case: 'a blocked window',
    code: 'popup_blocked',
    says: 'Cannot open the window (blocked): call verify() first in a click, allow pop-ups or set mode to "redirect"',
    why: 'names the reason and the possible fixes',
    run: (verify) => {
      world.openWith(() => null);
      return verify();
    },
  },
  {
    case: 'verify() outside of a click',
    code: 'popup_blocked',
    says: 'Cannot open the window (no_user_gesture): call verify() first in a click, allow pop-ups or set mode to "redirect"',
    why: 'contains details.reason, because a console does not print it',
    run: (verify) => {
      vi.stubGlobal('navigator', { userAgent: '', userActivation: { isActive: false } });
      world.openWith(() => null);
      return verify();
    },
  },
  {
    case: 'a second call with other options',
    code: 'verification_in_progress',
    says: 'verify() is running with other options',
    why: 'mentions the options, because an equal call would have returned the same promise',
    run: (verify) => {
      void verify();
      return verify();
    },
  },
  {
    case: 'a later call, after the window became unreachable',
    code: 'superseded',
    says: 'Replaced by a later verify()',
    why: 'points to the later promise, which has the result',
    run: async (verify) => {
      const first = verify();
      await vi.advanceTimersByTimeAsync(0);
      world.popup().closed = true;
      await vi.advanceTimersByTimeAsync(10_000);
      void verify();
      return first;
    },
  },
  {
    case: 'a redirect that never happens',
    code: 'navigation_failed',
    says: 'Cannot open the hosted page',
    why: 'lists the possible reasons why the page is still open',
    options: { mode: 'redirect' },
    run: (verify) => verify(),
  },
  {
    case: 'no result within ten minutes',
    code: 'session_expired',
    says: 'No result in 10 minutes: call handleReturn() at returnUrl',
    why: 'asks for a new start, because the session has expired',
    run: (verify) => verify(),
  },
  {
    case: 'a bug in the SDK',
    code: 'internal_error',
    says: 'Unexpected error: see error.cause',
    why: 'points to the cause',
    run: (verify) => {
      vi.stubGlobal('setInterval', () => {
        throw new Error('not here');
      });
      return verify();
    },
  },
];

describe('when the service refuses to create a session, verify()', () => {
  it.each(REFUSALS)('$why: HTTP $status becomes $code$says', async (row) => {
    const { status, message, body, code, says } = row;
    const { error } = await verifyWith({ status, body: body ?? { statusCode: status, message } });
    expect(error).toMatchObject({
      code,
      status,
      message: `Cannot create a session${says}${link(code)}`,
      details: { messages: [message || []].flat() },
    });
    expect(world.popup().closed).toBe(true);
    expect(world.fetch).toHaveBeenCalledOnce(); // never retried
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
  it('rejects with the cause when the connection fails, but JSON does not contain it', async () => {
    const cause = new TypeError('Failed to fetch');
    const { error } = await verifyWith(cause);
    expect(error).toMatchObject({ code: 'network_error', cause });
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
    const seen = await begin();
    world.message({ status: 'verified' });
    await world.elapse(0);
    expect(seen.error).toBeUndefined();
    expect(seen.state).toBe('resolved');
  });

  it('works if BroadcastChannel is missing', async () => {
    vi.stubGlobal('BroadcastChannel', undefined);
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
});

describe('when verify() fails for a reason other than the response of the service', () => {
  it.each(FAILURES)('$case: $says', async ({ code, says, options, run }) => {
    // onError is set, so that the rejections of the other calls do not count as unhandled.
    const ofAge = newOfAge({ ...options, onError() {} });
    let calls = 0;
    const seen = watch(run(() => ofAge.verify({ skipIntro: (calls += 1) > 1 })));
    await world.elapse(700_000);
    expect(seen.error).toMatchObject({ code, message: says + link(code) });
  });
});
