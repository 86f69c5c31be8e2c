import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOfAgeError, OfAgeError } from 'ofage';
import { enterWorld, leaveWorld, newOfAge, watch } from './world.ts';

describe('OfAgeError', () => {
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
