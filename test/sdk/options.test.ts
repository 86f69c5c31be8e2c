import { describe, expect, it } from 'vitest';
import { isOfAgeError, OfAge } from 'ofage';
import { toLanguage } from '../../src/language.ts';
import { withPropertyOnAllObjects } from './world.ts';

const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://merchant.example/return' };

/** Returns the error that the constructor throws. */
function refusal(options: unknown): { code: string; message: string; json: string } {
  try {
    void new OfAge(options as never);
  } catch (error) {
    if (!isOfAgeError(error)) throw error;
    return { code: error.code, message: error.message, json: JSON.stringify(error) };
  }
  throw new Error('accepted');
}

describe('new OfAge() accepts', () => {
  it.each([
    ['only the required options', {}],
    [
      'all options',
      {
        cancelUrl: 'http://localhost:3000/c',
        mode: 'new-tab',
        newTabTarget: 'tab',
        language: 'de',
        environment: 'staging',
        onComplete() {},
        onCancel() {},
        onError() {},
      },
    ],
    [
      'undefined for optional options',
      { cancelUrl: undefined, mode: undefined, language: undefined, onError: undefined },
    ],
    ['an empty cancelUrl', { cancelUrl: '' }],
    ['a backslash in the query', { returnUrl: 'https://merchant.example/r?p=a\\b' }],
    ['an unsupported language', { language: 'xx' }],
    ['a live key', { apiKey: 'pk_live_AbC-1.2' }],
    ['sk_ inside a word of the key', { apiKey: 'pk_live_task_1' }],
    ['http on 127.0.0.1', { returnUrl: 'http://127.0.0.1:8080/r?x=1' }],
  ])('%s', (_, options) => {
    expect(new OfAge({ ...GOOD, ...options } as never)).toBeInstanceOf(OfAge);
  });
});

describe('new OfAge() rejects', () => {
  it.each([
    ['no options', undefined, 'api_key_required', 'apiKey is required'],
    ['no apiKey', { apiKey: undefined }, 'api_key_required', 'apiKey is required'],
    ['an empty apiKey', { apiKey: '' }, 'api_key_required', 'apiKey is required'],
    ['a space as apiKey', { apiKey: ' ' }, 'api_key_invalid', ''],
    ['a key of another kind', { apiKey: 'rk_live_1' }, 'api_key_invalid', ''],
    ['a prefix alone', { apiKey: 'pk_' }, 'api_key_invalid', ''],
    [
      'a key with a line feed, which a header cannot contain',
      { apiKey: 'pk_live_1\n' },
      'api_key_invalid',
      '',
    ],
    ['a key that is a number', { apiKey: 5 }, 'invalid_option', 'apiKey must be a string, got 5'],
    ['no returnUrl', { returnUrl: undefined }, 'return_url_required', 'returnUrl is required'],
    ['an empty returnUrl', { returnUrl: '' }, 'return_url_required', 'returnUrl is required'],
    ['a relative returnUrl', { returnUrl: '/return' }, 'return_url_invalid', ''],
    [
      'plain http',
      { returnUrl: 'http://merchant.example/' },
      'https_required',
      'HTTPS required in production',
    ],
    [
      'a javascript: URL',
      { returnUrl: 'javascript:alert(1)' },
      'url_scheme_blocked',
      'Blocked suspicious URL scheme',
    ],
    [
      'a javascript: URL with a line feed',
      { returnUrl: 'java\nscript:alert(1)' },
      'url_scheme_blocked',
      'Blocked suspicious URL scheme',
    ],
    [
      'a data: URL',
      { returnUrl: 'data:text/html,x' },
      'url_scheme_blocked',
      'Blocked suspicious URL scheme',
    ],
    [
      'a file: URL',
      { returnUrl: 'file:///etc/passwd' },
      'url_scheme_blocked',
      'Blocked suspicious URL scheme',
    ],
    ['credentials', { returnUrl: 'https://u:p@merchant.example/' }, 'return_url_invalid', ''],
    [
      'a tab, which URL parsers remove',
      { returnUrl: 'https://merchant\t.example/' },
      'return_url_invalid',
      '',
    ],
    ['a space at the end', { returnUrl: 'https://merchant.example/ ' }, 'return_url_invalid', ''],
    [
      'a backslash, which URL parsers turn into a slash',
      { returnUrl: 'https:\\\\merchant.example' },
      'return_url_invalid',
      '',
    ],
    [
      'a URL in an array',
      { returnUrl: ['https://merchant.example/'] },
      'invalid_option',
      'returnUrl must be a string, got [object Array]',
    ],
    ['a relative cancelUrl', { cancelUrl: 'cancel' }, 'cancel_url_invalid', ''],
    [
      'a cancelUrl on http',
      { cancelUrl: 'http://localhost.evil.example/' },
      'https_required',
      'HTTPS required in production',
    ],
    [
      'an unknown mode',
      { mode: 'popup' },
      'invalid_option',
      'mode must be "redirect" or "new-tab", got "popup"',
    ],
    [
      'an unknown target',
      { newTabTarget: 'window' },
      'invalid_option',
      'newTabTarget must be "popup" or "tab", got "window"',
    ],
    [
      'an unknown environment',
      { environment: 'test' },
      'invalid_option',
      'environment must be "production" or "staging", got "test"',
    ],
    [
      'a language that is not a string',
      { language: 1 },
      'invalid_option',
      'language must be a string, got 1',
    ],
    [
      'a callback that is not a function',
      { onError: 'function' },
      'invalid_option',
      'onError must be a function, got "function"',
    ],
    [
      'null for a callback',
      { onCancel: null },
      'invalid_option',
      'onCancel must be a function, got null',
    ],
    [
      'a typo',
      { returnURL: 'https://m.example' },
      'invalid_option',
      'new OfAge() has no option "returnURL"',
    ],
    [
      'a policy setting',
      { challengeAge: 18 },
      'invalid_option',
      'cannot be set in the browser: use the dashboard',
    ],
    [
      'a policy setting',
      { verificationMode: 'L2' },
      'invalid_option',
      'cannot be set in the browser: use the dashboard',
    ],
    [
      'a policy setting',
      { faceMatchEnabled: false },
      'invalid_option',
      'cannot be set in the browser: use the dashboard',
    ],
    [
      'a name that every object inherits',
      { toString: 1 },
      'invalid_option',
      'has no option "toString"',
    ],
  ])('%s: %j', (_, options, code, message) => {
    const given = options ? { ...GOOD, ...options } : options;
    expect(refusal(given)).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

/** Values that are not options, although JavaScript treats most of them as objects. */
const NO_OPTIONS: ReadonlyArray<[value: unknown, shown: string]> = [
  [null, 'null'],
  [[], '[object Array]'],
  [new Map([['mode', 'redirect']]), '[object Map]'],
  [new Date(0), '[object Date]'],
  [() => GOOD, '[object Function]'],
];

describe.each(NO_OPTIONS)('%o as options', (value, shown) => {
  it(`is refused by new OfAge(), which got ${shown}`, () => {
    expect(refusal(value)).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(`new OfAge() takes an options object, got ${shown}`),
    });
  });

  it(`is refused by verify(), which got ${shown}`, async () => {
    await expect(new OfAge(GOOD).verify(value as never)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(`verify() takes an options object, got ${shown}`),
    });
  });
});

describe('new OfAge() reads only the own properties of its options', () => {
  it('and rejects an own __proto__, which would hide a wrong value from the checks', () => {
    const options: unknown = JSON.parse(
      `{ "__proto__": { "mode": "bad" }, "apiKey": "pk_test_1", "returnUrl": "https://a.example/" }`,
    );
    expect(refusal(options)).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining('new OfAge() has no option "__proto__"'),
    });
  });

  it('and ignores what a script added to every object', () =>
    withPropertyOnAllObjects('cancelUrl', () => {
      expect(new OfAge(GOOD)).toBeInstanceOf(OfAge);
    }));
});

describe('new OfAge()', () => {
  it.each([
    'sk_live_hush',
    'SK_LIVE_hush',
    'Sk_test_hush',
    ' sk_live_hush',
    'sk_live_hush\n',
    '\tsk_live_hush',
    'Bearer sk_live_hush',
    'bearer  SK_hush',
    '"sk_live_hush"',
    '\u200bsk_live_hush',
    'pk_live_1 sk_live_hush',
    'pk_live_1,sk_live_hush',
  ])('rejects the apiKey %j as a secret key and does not repeat the key in the error', (apiKey) => {
    const { code, message, json } = refusal({ ...GOOD, apiKey });
    expect(code).toBe('secret_key_blocked');
    expect(message).toContain('Secret key in browser');
    expect(message + json).not.toContain('hush');
  });
});

describe('verify() rejects with invalid_option', () => {
  it.each([
    [
      'a policy setting',
      { challengeAge: 21 },
      'challengeAge cannot be set in the browser: use the dashboard',
    ],
    ['an option of the constructor', { mode: 'redirect' }, 'verify() has no option "mode"'],
    [
      'a number as externalUserId',
      { externalUserId: 42 },
      'externalUserId must be a string, got 42',
    ],
    ['text for a flag', { skipIntro: 'true' }, 'skipIntro must be a boolean, got "true"'],
    ['text for a flag', { autoReturn: 'true' }, 'autoReturn must be a boolean, got "true"'],
    [
      'the click event, from addEventListener(…, ofAge.verify)',
      new MouseEvent('click'),
      'verify() takes an options object, got an event',
    ],
  ])('for %s', async (_, options, message) => {
    const promise = new OfAge(GOOD).verify(options as never);
    await expect(promise).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(message),
    });
  });
});

describe('toLanguage()', () => {
  it.each([
    ['en', 'en'],
    ['de-DE', 'de'],
    ['pt-BR', 'pt'],
    ['it-IT', 'it'],
    ['FR', 'fr'],
    ['es_MX', 'es'],
    ['DE-at', 'de'],
    ['ent', undefined],
    ['nl', undefined],
    ['', undefined],
    [' de', undefined],
    ['xde', undefined],
    ['constructor', undefined],
  ])('for %j returns %s', (tag, language) => {
    expect(toLanguage(tag)).toBe(language);
  });
});
