import { OfAgeError, isOfAgeError } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { OFAGE_ERROR_CODES, reasonFor } from '../../src/server/errors.ts';

describe('OfAgeError', () => {
  it('is an Error with a code and serializes its fields to JSON', () => {
    const error = new OfAgeError('rate_limited', 'Cannot do it', {
      status: 429,
      retryAfterMs: 1000,
      details: ['Too Many Requests'],
      cause: new Error('inner'),
    });
    expect(error).toBeInstanceOf(Error);
    const message = 'Cannot do it. See https://docs.ofage.example/errors/rate_limited';
    expect(String(error)).toBe(`OfAgeError: ${message}`);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'OfAgeError',
      code: 'rate_limited',
      message,
      status: 429,
      retryable: true,
      retryAfterMs: 1000,
      details: ['Too Many Requests'],
    });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('has no cause property when it was created without a cause', () => {
    expect(Object.hasOwn(new OfAgeError('aborted', 'x'), 'cause')).toBe(false);
  });
});

describe('reasonFor()', () => {
  it.each(OFAGE_ERROR_CODES)('returns a unique reason without a full stop for %s', (code) => {
    const reason = reasonFor(code);
    expect(reason).toMatch(/[^.]$/);
    expect(OFAGE_ERROR_CODES.filter((other) => reasonFor(other) === reason)).toEqual([code]);
  });
});

describe('isOfAgeError()', () => {
  it.each([
    { why: 'our error', value: new OfAgeError('aborted', 'x'), is: true },
    {
      why: 'an error from another copy of the package',
      value: { name: 'OfAgeError', code: 'aborted' },
      is: true,
    },
    { why: 'an unknown code', value: { name: 'OfAgeError', code: 'nope' }, is: false },
    {
      why: 'the name of an inherited property as code',
      value: { name: 'OfAgeError', code: 'toString' },
      is: false,
    },
    { why: 'another name', value: { name: 'Error', code: 'aborted' }, is: false },
    { why: 'a plain error', value: new Error('aborted'), is: false },
    { why: 'text', value: 'OfAgeError', is: false },
    { why: 'null', value: null, is: false },
    { why: 'undefined', value: undefined, is: false },
  ])('returns $is for $why', ({ value, is }) => {
    expect(isOfAgeError(value)).toBe(is);
  });
});
