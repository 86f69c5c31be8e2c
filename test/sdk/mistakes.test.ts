import { describe, expect, it, vi } from 'vitest';
import { isOfAgeError, OfAge } from 'ofage';
import { CALL_REFUSALS, CONSTRUCTOR_REFUSALS, GOOD, link, type Refusal } from './mistakes.ts';
import { newOfAge, useWorld, watch, withPropertyOnAllObjects } from './world.ts';

useWorld('https://shop.example/cart');

/** Returns a row for each mistake, with the exact message that the developer sees. */
const toRows = (refusals: readonly Refusal[]) =>
  refusals.flatMap(({ code, says, why, mistakes }) =>
    mistakes.map(({ mistake, given, got }) => ({
      mistake,
      given,
      code,
      says: got === undefined ? says : `${says}, got ${got}`,
      why,
    })),
  );

/** Returns the error that the constructor throws. */
function refusalOf(options: unknown): unknown {
  try {
    void new OfAge(options as never);
  } catch (error) {
    if (isOfAgeError(error)) return error;
    throw error;
  }
  throw new Error('accepted');
}

/** Returns the error with which verify() rejects. */
async function rejectionOf(options: unknown): Promise<unknown> {
  const seen = watch(newOfAge().verify(options as never));
  await vi.advanceTimersByTimeAsync(0);
  return seen.error;
}

describe('new OfAge()', () => {
  it.each(toRows(CONSTRUCTOR_REFUSALS))('refuses $mistake: $says', ({ given, code, says }) => {
    const error = refusalOf({ ...GOOD, ...given });
    expect(error).toMatchObject({ code, message: says + link(code) });
    expect(JSON.stringify(error)).not.toContain('hush');
  });

  it('names the first required option if no options are passed', () => {
    expect(refusalOf(undefined)).toMatchObject({ code: 'api_key_required' });
  });

  it('throws the TypeError of the browser if the word new is missing', () => {
    expect(() => (OfAge as unknown as (options: object) => void)(GOOD)).toThrow(TypeError);
  });

  it('ignores what a script added to every object', () =>
    withPropertyOnAllObjects('cancelUrl', () => {
      expect(new OfAge(GOOD)).toBeInstanceOf(OfAge);
    }));

  it.each([
    ['only the required options', {}],
    [
      'all other options',
      { environment: 'staging', onError() {}, language: 'de', mode: 'new-tab' },
    ],
    [
      'undefined for optional options',
      { cancelUrl: undefined, mode: undefined, onError: undefined },
    ],
    ['an empty cancelUrl', { cancelUrl: '' }],
    ['a backslash in the query', { returnUrl: 'https://shop.example/r?p=a\\b' }],
    ['an unsupported language', { language: 'xx' }],
    ['a live key', { apiKey: 'pk_live_AbC-1.2' }],
    ['sk_ inside a word of the key', { apiKey: 'pk_live_task_1' }],
    ['http on localhost', { cancelUrl: 'http://localhost:3000/c' }],
    ['http on 127.0.0.1', { returnUrl: 'http://127.0.0.1:8080/r?x=1' }],
  ])('accepts %s', (_, options) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(new OfAge({ ...GOOD, ...options } as never)).toBeInstanceOf(OfAge);
  });
});

describe('verify()', () => {
  it.each(toRows(CALL_REFUSALS))('refuses $mistake: $says', async ({ given, code, says }) => {
    expect(await rejectionOf(given)).toMatchObject({ code, message: says + link(code) });
  });
});

describe.each<[value: unknown, shown: string]>([
  [null, 'null'],
  ['pk_test_123', '"pk_test_123"'],
  ['sk_live_hush', '"sk_…"'],
  [[], '[object Array]'],
  [new Map([['mode', 'redirect']]), '[object Map]'],
  [new Date(0), '[object Date]'],
  [() => GOOD, '[object Function]'],
])('%o, which is not an options object,', (value, shown) => {
  const says = `takes an object, got ${shown}${link('invalid_option')}`;

  it('is refused by new OfAge()', () => {
    expect(refusalOf(value)).toMatchObject({ message: `new OfAge() ${says}` });
  });

  it('is refused by verify()', async () => {
    expect(await rejectionOf(value)).toMatchObject({ message: `verify() ${says}` });
  });
});
