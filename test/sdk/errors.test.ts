import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOfAgeError, OfAgeError, type OfAgeErrorCode } from 'ofage';
import { enterWorld, leaveWorld, newOfAge, watch } from './world.ts';

/** Maps every code to true if the same call may succeed later. The compiler checks that none is missing. */
const CODES: Record<OfAgeErrorCode, boolean> = {
  api_key_required: false,
  api_key_invalid: false,
  secret_key_blocked: false,
  return_url_required: false,
  return_url_invalid: false,
  cancel_url_invalid: false,
  https_required: false,
  url_scheme_blocked: false,
  invalid_option: false,
  unsupported_environment: false,
  verification_in_progress: true,
  superseded: false,
  rate_limited: true,
  popup_blocked: true,
  network_error: true,
  request_timeout: true,
  invalid_request: false,
  return_url_not_allowed: false,
  unauthorized: false,
  forbidden: false,
  service_unavailable: true,
  server_error: true,
  invalid_response: true,
  billing_blocked: false,
  navigation_failed: true,
  session_expired: true,
  internal_error: false,
};
const codes = Object.keys(CODES) as OfAgeErrorCode[];

describe('OfAgeError', () => {
  it.each(codes)(
    'with the code %s has the right retryable flag and a message with its link',
    (code) => {
      const error = new OfAgeError(code);
      expect(error.retryable).toBe(CODES[code]);
      expect(error).toBeInstanceOf(Error);
      expect(error.name).toBe('OfAgeError');
      expect(error.message).toMatch(
        new RegExp(`^\\w.+ See https://docs\\.ofage\\.example/errors/${code}$`),
      );
    },
  );

  it('serializes to JSON without its cause', () => {
    const error = new OfAgeError('rate_limited', 'Too many', {
      retryAfterMs: 5000,
      cause: new Error('hush'),
    });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'OfAgeError',
      code: 'rate_limited',
      message: 'Too many. Try again in 5 s. See https://docs.ofage.example/errors/rate_limited',
      retryable: true,
      retryAfterMs: 5000,
    });
  });
});

describe('on a page that froze Error.prototype', () => {
  const errors: object = Error.prototype;
  const name = Object.getOwnPropertyDescriptor(errors, 'name')!;
  beforeEach(() => {
    Object.defineProperty(errors, 'name', { ...name, writable: false });
  });
  afterEach(() => {
    Object.defineProperty(errors, 'name', name);
  });

  it('an error can be built, and JSON contains its name', () => {
    const error = new OfAgeError('forbidden');
    expect(isOfAgeError(error)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'OfAgeError',
      code: 'forbidden',
    });
  });

  it('verify() rejects and leaves no window open', async () => {
    const world = enterWorld();
    world.answer({ status: 500, body: '' });
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    leaveWorld();
    expect(seen.error).toMatchObject({ name: 'OfAgeError', code: 'server_error' });
    expect(world.popup().closed).toBe(true);
  });
});

describe('isOfAgeError()', () => {
  it.each([
    ['our error', new OfAgeError('forbidden'), true],
    [
      'an error from a second copy of the SDK',
      Object.assign(new Error('x'), { name: 'OfAgeError', code: 'forbidden' }),
      true,
    ],
    ['another error', new Error('x'), false],
    ['null', null, false],
    ['undefined', undefined, false],
    ['text', 'OfAgeError', false],
  ])('returns $2 for $0', (_, value, expected) => {
    expect(isOfAgeError(value)).toBe(expected);
  });
});

describe('docs/errors.md', () => {
  const text = readFileSync('docs/errors.md', 'utf8');
  const sdk = text.slice(text.indexOf('## The browser SDK'));
  const end = sdk.indexOf('\n## ', 1);
  const rows = [
    ...(end < 0 ? sdk : sdk.slice(0, end)).matchAll(
      /^\| `([a-z_]+)` +\| (yes|no) +\|(.+)\|(.+)\|$/gm,
    ),
  ];

  it('lists exactly the codes of the SDK, each once', () => {
    expect(rows.map((row) => row[1]).sort()).toEqual(codes.slice().sort());
  });

  it('has the same retryable codes as the SDK', () => {
    for (const [, code, again] of rows)
      expect(again, code).toBe(CODES[code as OfAgeErrorCode] ? 'yes' : 'no');
  });

  it('has the section from which the page of the warnings is made', () => {
    expect(text).toContain('\n## Warnings\n');
  });

  it('describes a cause and a fix for each code', () => {
    for (const [, code, , cause, cure] of rows) {
      expect(cause!.trim().length, code).toBeGreaterThan(10);
      expect(cure!.trim().length, code).toBeGreaterThan(10);
    }
  });
});
