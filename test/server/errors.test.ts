import { OfAgeError, isOfAgeError } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { OFAGE_ERROR_CODES, reasonFor } from '../../src/server/errors.ts';

describe('OfAgeError', () => {
  it('is an Error with a code, and gives its facts as JSON', () => {
    const error = new OfAgeError('rate_limited', 'Cannot do it', {
      status: 429,
      retryAfterMs: 1000,
      details: ['Too Many Requests'],
      cause: new Error('inner'),
    });
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('OfAgeError: Cannot do it');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'OfAgeError',
      code: 'rate_limited',
      message: 'Cannot do it',
      status: 429,
      retryable: true,
      retryAfterMs: 1000,
      details: ['Too Many Requests'],
    });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('has no cause where there was none', () => {
    expect(Object.hasOwn(new OfAgeError('aborted', 'x'), 'cause')).toBe(false);
  });

  it.each(OFAGE_ERROR_CODES)('%s has a reason of its own, without a full stop', (code) => {
    const reason = reasonFor(code);
    expect(reason).toMatch(/[^.]$/);
    expect(OFAGE_ERROR_CODES.filter((other) => reasonFor(other) === reason)).toEqual([code]);
  });
});

describe('isOfAgeError()', () => {
  it.each([
    { why: 'one of ours', value: new OfAgeError('aborted', 'x'), is: true },
    {
      why: 'of another copy of the package',
      value: { name: 'OfAgeError', code: 'aborted' },
      is: true,
    },
    { why: 'a code of somebody else', value: { name: 'OfAgeError', code: 'nope' }, is: false },
    {
      why: 'an inherited name as code',
      value: { name: 'OfAgeError', code: 'toString' },
      is: false,
    },
    { why: 'another name', value: { name: 'Error', code: 'aborted' }, is: false },
    { why: 'a plain error', value: new Error('aborted'), is: false },
    { why: 'text', value: 'OfAgeError', is: false },
    { why: 'null', value: null, is: false },
    { why: 'nothing', value: undefined, is: false },
  ])('$why: $is', ({ value, is }) => {
    expect(isOfAgeError(value)).toBe(is);
  });
});
