/** The exact messages that a developer sees when the service, the network or the browser refuses. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OfAgeErrorCode } from 'ofage';
import { CREATED, newOfAge, useWorld, watch, world } from './world.ts';

useWorld();
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

const link = (code: string): string => `. See https://docs.ofage.example/errors#${code}`;

interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly code: OfAgeErrorCode;
  readonly says: string;
  readonly why: string;
}

const REFUSALS: readonly Refusal[] = [
  {
    status: 401,
    body: { message: 'Invalid API key' },
    code: 'unauthorized',
    says: 'Cannot create a session (HTTP 401: "Invalid API key"): check apiKey',
    why: 'names the action, the response of the service and the option to check',
  },
  {
    status: 403,
    body: { message: 'Insufficient permissions' },
    code: 'forbidden',
    says: 'Cannot create a session (HTTP 403: "Insufficient permissions"): check apiKey',
    why: 'uses the same form for every refusal',
  },
  {
    status: 400,
    body: { message: 'Return URL domain not allowed' },
    code: 'return_url_not_allowed',
    says: 'Cannot create a session (HTTP 400: "Return URL domain not allowed"): allow "merchant.example" in the dashboard',
    why: 'names the domain and where to allow it',
  },
  {
    status: 400,
    body: { message: ['property x should not exist', 'returnUrl must be a URL address'] },
    code: 'invalid_request',
    says: 'Cannot create a session (HTTP 400: "property x should not exist; returnUrl must be a URL address")',
    why: 'quotes all sentences of the service',
  },
  {
    status: 400,
    body: { message: 'Cancel URL domain not allowed' },
    code: 'invalid_request',
    says: 'Cannot create a session (HTTP 400: "Cancel URL domain not allowed"): allow "cancel.example" in the dashboard',
    why: 'names the domain of the refused URL',
  },
  {
    status: 403,
    body: '<html>Blocked by the firewall</html>',
    code: 'invalid_response',
    says: 'Cannot create a session (HTTP 403): a proxy may have answered',
    why: 'does not blame apiKey, because the service always sends a message',
  },
  {
    status: 404,
    body: '<html>not here</html>',
    code: 'invalid_request',
    says: 'Cannot create a session (HTTP 404): a proxy may have answered',
    why: 'does not quote the HTML page of a proxy',
  },
  {
    status: 429,
    body: { message: 'Too Many Requests' },
    code: 'rate_limited',
    says: 'Cannot create a session (HTTP 429: "Too Many Requests")',
    why: 'blames no user, because the limit belongs to the account',
  },
  {
    status: 500,
    body: { message: 'Internal server error' },
    code: 'server_error',
    says: 'Cannot create a session (HTTP 500: "Internal server error")',
    why: 'suggests no change, because the failure is not in the page',
  },
  {
    status: 503,
    body: { message: 'Launch configuration unavailable' },
    code: 'service_unavailable',
    says: 'Cannot create a session (HTTP 503: "Launch configuration unavailable")',
    why: 'quotes the service, which knows the reason best',
  },
  {
    status: 200,
    body: '<html>Accept the terms of this network</html>',
    code: 'invalid_response',
    says: 'Invalid response: a proxy may have answered',
    why: 'names the likely sender of the page',
  },
  {
    status: 201,
    body: {
      ...CREATED,
      billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'The plan is used up' },
    },
    code: 'billing_blocked',
    says: 'Billing block: "The plan is used up"',
    why: 'quotes the message of the billing block',
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
    says: 'No response: check the network, blockers and connect-src',
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
    says: 'Cannot open the window (blocked): call verify() first in a click, allow pop-ups, or set mode to "redirect"',
    why: 'names the reason and the possible fixes',
    run: (verify) => {
      world.openWith(() => null);
      return verify();
    },
  },
  {
    case: 'verify() outside of a click',
    code: 'popup_blocked',
    says: 'Cannot open the window (no_user_gesture): call verify() first in a click, allow pop-ups, or set mode to "redirect"',
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
    says: 'The hosted page did not open',
    why: 'lists the possible reasons why the page is still open',
    options: { mode: 'redirect' },
    run: (verify) => verify(),
  },
  {
    case: 'no result within ten minutes',
    code: 'session_expired',
    says: 'No result in ten minutes: call handleReturn() at returnUrl',
    why: 'asks for a new start, because the session has expired',
    run: (verify) => verify(),
  },
  {
    case: 'a page without fetch',
    code: 'unsupported_environment',
    says: 'verify() needs a browser page with fetch, URL and crypto',
    why: 'lists the required globals, which helps on a server and in an old browser',
    run: (verify) => {
      vi.stubGlobal('fetch', undefined);
      return verify();
    },
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

describe('when the response of the service cannot start a verification', () => {
  it.each(REFUSALS)('$status: $says', async ({ status, body, code, says }) => {
    world.answer({ status, body });
    const seen = watch(newOfAge({ cancelUrl: 'https://cancel.example/' }).verify());
    await world.elapse(0);
    expect(seen.error).toMatchObject({ code, message: says + link(code) });
  });
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
