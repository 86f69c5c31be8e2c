/** The mistakes of a developer: what is refused, and the exact messages. */
import { describe, expect, it, vi } from 'vitest';
import { isOfAgeError, OfAge, type OfAgeErrorCode } from 'ofage';
import { link, newOfAge, useWorld, watch, withPropertyOnAllObjects } from './world.ts';

useWorld('https://shop.example/cart');

const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' };

const URL_RULE =
  'must be https:, or http: on localhost or 127.0.0.1, without spaces or credentials';
const OPTIONS =
  'apiKey, returnUrl, cancelUrl, mode, newTabTarget, language, environment, onComplete, onCancel, onError';
const CALL_OPTIONS = 'externalUserId, skipIntro, autoReturn, language';

/** The options replace or complete those of {@link GOOD}. The message ends with `got`, if it is given. */
type Mistake = [mistake: string, options: object, got?: string];

const refusals = (code: OfAgeErrorCode, says: string, mistakes: readonly Mistake[]) =>
  mistakes.map(([mistake, options, got]) => ({
    mistake,
    options,
    code,
    says: got === undefined ? says : `${says}, got ${got}`,
  }));

const SECRET_KEYS = [
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
];

const CONSTRUCTOR = [
  ...refusals('api_key_required', 'apiKey is required', [
    ['an environment variable that is not set', { apiKey: undefined }],
    ['an empty key', { apiKey: '' }],
  ]),
  // The message never repeats the key.
  ...refusals(
    'secret_key_blocked',
    'Secret key in browser: revoke it',
    SECRET_KEYS.map((apiKey) => [`the secret key ${JSON.stringify(apiKey)}`, { apiKey }]),
  ),
  // The value may be a secret of another product, so it is not printed.
  ...refusals('api_key_invalid', 'apiKey must be a pk_ key in ASCII without spaces', [
    ['a key of another product', { apiKey: 'whsec_abc123' }],
    ['a key of another kind', { apiKey: 'rk_live_1' }],
    ['a variable that a template turned into text', { apiKey: 'undefined' }],
    ['a space as the key', { apiKey: ' ' }],
    ['a line feed, which a header cannot contain', { apiKey: 'pk_live_1\n' }],
    ['the whole header as the key', { apiKey: 'Bearer pk_live_1' }],
    ['only the prefix of a key', { apiKey: 'pk_' }],
  ]),
  ...refusals('return_url_required', 'returnUrl is required', [
    ['no returnUrl', { returnUrl: undefined }],
    ['an empty returnUrl', { returnUrl: '' }],
  ]),
  // The value is quoted, which makes spaces and tabs visible, but nothing in it that may be secret.
  ...refusals('return_url_invalid', `returnUrl ${URL_RULE}`, [
    ['a path', { returnUrl: '/return' }, '"/return"'],
    ['a tab', { returnUrl: 'https://shop\t.example/' }, '"https://shop\\t.example/"'],
    ['a password', { returnUrl: 'https://user:hush@shop.example/' }, '"https:…shop.example/"'],
    ['a confidential query', { returnUrl: '/return?mail=hush%40example.com' }, '"/return?…"'],
    ['a secret key', { returnUrl: 'sk_live_hush' }, '"sk_…"'],
  ]),
  ...refusals('https_required', `HTTPS required in production: returnUrl ${URL_RULE}`, [
    [
      'plain http on the local network',
      { returnUrl: 'http://192.168.1.5:3000' },
      '"http://192.168.1.5:3000"',
    ],
  ]),
  ...refusals('https_required', `HTTPS required in production: cancelUrl ${URL_RULE}`, [
    ['plain http', { cancelUrl: 'http://shop.example/' }, '"http://shop.example/"'],
  ]),
  ...refusals('url_scheme_blocked', `Blocked suspicious URL scheme: returnUrl ${URL_RULE}`, [
    [
      'localhost without a scheme, which a parser takes for the scheme',
      { returnUrl: 'localhost:3000/return' },
      '"localhost:3000/return"',
    ],
  ]),
  ...refusals('url_scheme_blocked', `Blocked suspicious URL scheme: cancelUrl ${URL_RULE}`, [
    ['a script', { cancelUrl: 'java\nscript:alert(1)' }, '"java\\nscript:alert(1)"'],
  ]),
  ...refusals('cancel_url_invalid', `cancelUrl ${URL_RULE}`, [
    ['a relative cancelUrl', { cancelUrl: 'cancel' }, '"cancel"'],
  ]),
  // The type of an object is printed, because its text may look valid.
  ...['apiKey', 'returnUrl', 'cancelUrl', 'language'].flatMap((name) =>
    refusals('invalid_option', `${name} must be a string`, [
      [`a number as ${name}`, { [name]: 5 }, '5'],
      [`a URL object as ${name}`, { [name]: new URL(GOOD.returnUrl) }, '[object URL]'],
      [`${name} in an array`, { [name]: ['x'] }, '[object Array]'],
      [`null for no ${name}`, { [name]: null }, 'null'],
    ]),
  ),
  ...['onComplete', 'onCancel', 'onError'].flatMap((name) =>
    refusals('invalid_option', `${name} must be a function`, [
      [`a function's name as ${name}`, { [name]: 'report' }, '"report"'],
      [`null for no ${name}`, { [name]: null }, 'null'],
    ]),
  ),
  ...[
    { name: 'mode', wrong: 'popup', allowed: '"redirect" or "new-tab"' },
    { name: 'newTabTarget', wrong: 'window', allowed: '"popup" or "tab"' },
    { name: 'environment', wrong: 'test', allowed: '"production" or "staging"' },
  ].flatMap(({ name, wrong, allowed }) =>
    refusals('invalid_option', `${name} must be ${allowed}`, [
      [`${name} "${wrong}"`, { [name]: wrong }, `"${wrong}"`],
    ]),
  ),
  ...['apikey', 'onSuccess', 'externalUserId', 'challengeAge', 'toString', '__proto__'].flatMap(
    (name) =>
      refusals(
        'invalid_option',
        `new OfAge() has no option "${name}", it has ${OPTIONS}; policy is set in the dashboard`,
        // A computed name makes __proto__ an own property too, as in parsed JSON.
        [[`the option ${name}`, { [name]: {} }]],
      ),
  ),
];

const CALL = [
  // The name is printed even if it contains the start of a secret key, "sk_".
  ...['mode', 'task_id'].flatMap((name) =>
    refusals(
      'invalid_option',
      `verify() has no option "${name}", it has ${CALL_OPTIONS}; policy is set in the dashboard`,
      [[`the option ${name}`, { [name]: 'redirect' }]],
    ),
  ),
  ...refusals('invalid_option', 'externalUserId must be a string', [
    ['a number as the user', { externalUserId: 42 }, '42'],
  ]),
  // The text "false" would be truthy.
  ...['skipIntro', 'autoReturn'].flatMap((name) =>
    refusals('invalid_option', `${name} must be a boolean`, [
      [`text as ${name}`, { [name]: 'true' }, '"true"'],
    ]),
  ),
  ...refusals('invalid_option', 'verify() takes an object, got an event', [
    ["addEventListener('click', ofAge.verify)", new MouseEvent('click')],
    [
      'onClick={ofAge.verify} in React, whose events are separate objects',
      { _reactName: 'onClick', nativeEvent: {}, isTrusted: true },
    ],
    ["jQuery's $('#buy').on('click', ofAge.verify)", { originalEvent: {}, type: 'click' }],
  ]),
];

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
  it.each(CONSTRUCTOR)('refuses $mistake: $says', ({ options, code, says }) => {
    const error = refusalOf({ ...GOOD, ...options });
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
    ['undefined for options', { cancelUrl: undefined, mode: undefined, onError: undefined }],
    ['an empty cancelUrl', { cancelUrl: '' }],
    ['a backslash in the query', { returnUrl: 'https://shop.example/r?p=a\\b' }],
    ['a live key', { apiKey: 'pk_live_AbC-1.2' }],
    ['sk_ inside a word of the key', { apiKey: 'pk_live_task_1' }],
    ['http on localhost', { cancelUrl: 'http://localhost:3000/c' }],
  ])('accepts %s', (_, options) => {
    expect(new OfAge({ ...GOOD, ...options } as never)).toBeInstanceOf(OfAge);
  });

  it.each<[kind: string, make: (options: object) => object]>([
    ['a frozen object', Object.freeze],
    ['a sealed object', Object.seal],
    ['an object without a prototype', (options) => Object.assign(Object.create(null), options)],
    ['an object with read-only options', withReadOnlyOptions],
    ['an object with getters', withGetters],
    ['a proxy of a frozen object', (options) => new Proxy(Object.freeze(options), {})],
  ])('accepts %s', (_, make) => {
    const callbacks = { onComplete() {}, onCancel() {}, onError() {} };
    expect(new OfAge(make({ ...GOOD, ...callbacks }) as never)).toBeInstanceOf(OfAge);
    const refused = refusalOf(make({ ...callbacks, colour: 'red' }));
    expect(refused).toMatchObject({ message: expect.stringContaining('has no option "colour"') });
  });
});

function withReadOnlyOptions(options: object): object {
  const properties = Object.entries(options).map(([name, value]) => [
    name,
    { value, enumerable: true },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties));
}

function withGetters(options: object): object {
  const properties = Object.entries(options).map(([name, value]) => [
    name,
    { get: () => value, enumerable: true },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties));
}

describe('verify()', () => {
  it.each(CALL)('refuses $mistake: $says', async ({ options, code, says }) => {
    expect(await rejectionOf(options)).toMatchObject({ code, message: says + link(code) });
  });
});

it.each<[value: unknown, shown: string]>([
  [null, 'null'],
  ['pk_test_123', '"pk_test_123"'],
  ['sk_live_hush', '"sk_…"'],
  [[], '[object Array]'],
  [new Map([['mode', 'redirect']]), '[object Map]'],
  [new Date(0), '[object Date]'],
  [() => GOOD, '[object Function]'],
])('%o is refused as the options of new OfAge() and of verify()', async (value, shown) => {
  const says = `takes an object, got ${shown}${link('invalid_option')}`;
  expect(refusalOf(value)).toMatchObject({ message: `new OfAge() ${says}` });
  expect(await rejectionOf(value)).toMatchObject({ message: `verify() ${says}` });
});
