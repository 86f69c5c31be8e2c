/** What a developer reads after each likely mistake, word for word. */

import { describe, expect, it, vi } from 'vitest';
import { OfAge, type OfAgeErrorCode } from 'ofage';
import { newOfAge, useWorld, watch } from './world.ts';

useWorld();

const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' };

interface Mistake {
  readonly mistake: string;
  /** What is passed. */
  readonly given: unknown;
  readonly code: OfAgeErrorCode;
  /** The message, without the link at its end. */
  readonly says: string;
  readonly why: string;
}

const link = (code: string): string => `. See https://docs.ofage.example/errors#${code}`;

const URL_FORM =
  'must be a valid absolute URL such as "https://shop.example/return", without spaces (write %20), backslashes or credentials';
const SCHEMES = 'must start with "https://", or with "http://" on localhost or 127.0.0.1';
const KEY =
  'apiKey must start with "pk_" and have no spaces or non-ASCII characters: copy the whole publishable key';
const OPTIONS =
  'apiKey, returnUrl, cancelUrl, mode, newTabTarget, language, environment, onComplete, onCancel, onError';
const CALL_OPTIONS = 'externalUserId, skipIntro, autoReturn, language';

const KEYS: readonly Mistake[] = [
  {
    mistake: 'no options at all',
    given: undefined,
    code: 'api_key_required',
    says: 'apiKey is required: pass a publishable key ("pk_…")',
    why: 'names the option and what it must be',
  },
  {
    mistake: 'an environment variable that is not set',
    given: { ...GOOD, apiKey: undefined },
    code: 'api_key_required',
    says: 'apiKey is required: pass a publishable key ("pk_…")',
    why: 'undefined is the same as no key',
  },
  {
    mistake: 'a secret key',
    given: { ...GOOD, apiKey: 'sk_live_hush' },
    code: 'secret_key_blocked',
    says: 'Secret key in browser code: revoke it, and pass a publishable key ("pk_…") as apiKey',
    why: 'says what to do, and never repeats the key',
  },
  {
    mistake: 'a key of another product',
    given: { ...GOOD, apiKey: 'whsec_abc123' },
    code: 'api_key_invalid',
    says: KEY,
    why: 'it may be a secret, so it is not shown',
  },
  {
    mistake: 'an unset variable that a template turned into text',
    given: { ...GOOD, apiKey: 'undefined' },
    code: 'api_key_invalid',
    says: KEY,
    why: 'the rule tells that the variable is not the key',
  },
  {
    mistake: 'a line feed after the key',
    given: { ...GOOD, apiKey: 'pk_live_1\n' },
    code: 'api_key_invalid',
    says: KEY,
    why: 'no header can carry it',
  },
  {
    mistake: 'the whole header as the key',
    given: { ...GOOD, apiKey: 'Bearer pk_live_1' },
    code: 'api_key_invalid',
    says: KEY,
    why: 'the SDK adds the word Bearer itself',
  },
  {
    mistake: 'the prefix alone',
    given: { ...GOOD, apiKey: 'pk_' },
    code: 'api_key_invalid',
    says: KEY,
    why: 'a key has more than its prefix',
  },
  {
    mistake: 'a number as the key',
    given: { ...GOOD, apiKey: 5 },
    code: 'invalid_option',
    says: 'apiKey must be a string, got 5',
    why: 'a wrong type is its own sentence',
  },
];

const URLS: readonly Mistake[] = [
  {
    mistake: 'no returnUrl',
    given: { apiKey: GOOD.apiKey },
    code: 'return_url_required',
    says: 'returnUrl is required: pass an absolute URL such as "https://shop.example/return"',
    why: 'an example is the shortest rule',
  },
  {
    mistake: 'a URL object',
    given: { ...GOOD, returnUrl: new URL(GOOD.returnUrl) },
    code: 'invalid_option',
    says: 'returnUrl must be a string, got [object URL]',
    why: 'printed as text it would look right',
  },
  {
    mistake: 'null as cancelUrl',
    given: { ...GOOD, cancelUrl: null },
    code: 'invalid_option',
    says: 'cancelUrl must be a string, got null',
    why: 'an absent option is undefined',
  },
  {
    mistake: 'a path',
    given: { ...GOOD, returnUrl: '/return' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "/return"`,
    why: 'a relative URL means something else on another page',
  },
  {
    mistake: 'a URL without a scheme',
    given: { ...GOOD, returnUrl: 'shop.example/return' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "shop.example/return"`,
    why: 'it is a relative URL, too',
  },
  {
    mistake: 'a space at the end',
    given: { ...GOOD, returnUrl: 'https://shop.example/return ' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "https://shop.example/return "`,
    why: 'the quotes show the space',
  },
  {
    mistake: 'a tab in the host',
    given: { ...GOOD, returnUrl: 'https://shop\t.example/' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "https://shop\\t.example/"`,
    why: 'written as \\t it can be seen',
  },
  {
    mistake: 'a password',
    given: { ...GOOD, returnUrl: 'https://user:hush@shop.example/' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "https:…shop.example/"`,
    why: 'a password is not repeated',
  },
  {
    mistake: 'a query in a URL that cannot be used',
    given: { ...GOOD, returnUrl: '/return?mail=jane%40example.com' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "/return?…"`,
    why: 'a query may be confidential',
  },
  {
    mistake: 'plain http on a domain',
    given: { ...GOOD, returnUrl: 'http://shop.example/return' },
    code: 'https_required',
    says: `HTTPS required in production and staging: returnUrl ${SCHEMES}, got "http://shop.example/return"`,
    why: 'names the option and the exception',
  },
  {
    mistake: 'plain http on an address of the local network',
    given: { ...GOOD, returnUrl: 'http://192.168.1.5:3000' },
    code: 'https_required',
    says: `HTTPS required in production and staging: returnUrl ${SCHEMES}, got "http://192.168.1.5:3000"`,
    why: 'only this computer itself is an exception, so the developer reads which names are',
  },
  {
    mistake: 'localhost without a scheme',
    given: { ...GOOD, returnUrl: 'localhost:3000/return' },
    code: 'url_scheme_blocked',
    says: `Blocked suspicious URL scheme: returnUrl ${SCHEMES}, got "localhost:3000/return"`,
    why: 'a parser takes localhost: for the scheme, and the sentence says what is missing',
  },
  {
    mistake: 'a script as cancelUrl',
    given: { ...GOOD, cancelUrl: 'javascript:alert(1)' },
    code: 'url_scheme_blocked',
    says: `Blocked suspicious URL scheme: cancelUrl ${SCHEMES}, got "javascript:alert(1)"`,
    why: 'names the option: there are two',
  },
  {
    mistake: 'a relative cancelUrl',
    given: { ...GOOD, cancelUrl: 'cancel' },
    code: 'cancel_url_invalid',
    says: `cancelUrl ${URL_FORM}, got "cancel"`,
    why: 'names the option: there are two',
  },
  {
    mistake: 'the arguments swapped',
    given: { apiKey: 'pk_test_1', returnUrl: 'sk_live_hush' },
    code: 'return_url_invalid',
    says: `returnUrl ${URL_FORM}, got "sk_…"`,
    why: 'a secret key is never printed, wherever it stands',
  },
];

const WORDS: readonly Mistake[] = [
  {
    mistake: "mode: 'popup'",
    given: { ...GOOD, mode: 'popup' },
    code: 'invalid_option',
    says: 'mode must be "redirect" or "new-tab", got "popup"',
    why: 'a wrong value is its own sentence, with the right ones',
  },
  {
    mistake: "newTabTarget: 'window'",
    given: { ...GOOD, newTabTarget: 'window' },
    code: 'invalid_option',
    says: 'newTabTarget must be "popup" or "tab", got "window"',
    why: 'the same rule for every list of words',
  },
  {
    mistake: 'the name of a function',
    given: { ...GOOD, onError: 'report' },
    code: 'invalid_option',
    says: 'onError must be a function, got "report"',
    why: 'a wrong type is its own sentence',
  },
  {
    mistake: 'null for a callback',
    given: { ...GOOD, onCancel: null },
    code: 'invalid_option',
    says: 'onCancel must be a function, got null',
    why: 'an absent option is undefined',
  },
  {
    mistake: 'challengeAge in a page',
    given: { ...GOOD, challengeAge: 18 },
    code: 'invalid_option',
    says: 'challengeAge cannot be set in the browser: set it in the dashboard or on your server',
    why: 'policy is its own sentence, and true for policy alone',
  },
  {
    mistake: 'an option of a call',
    given: { ...GOOD, externalUserId: 'user-1' },
    code: 'invalid_option',
    says: 'new OfAge() does not take externalUserId: pass it to verify()',
    why: 'the option exists, in another place',
  },
  ...['apikey', 'returnURL', 'onSuccess', 'userId'].map((name) => ({
    mistake: `${name}, which does not exist`,
    given: { ...GOOD, [name]: 'x' },
    code: 'invalid_option' as const,
    says: `new OfAge() has no option "${name}". Its options are ${OPTIONS}`,
    why: 'an unknown option is its own sentence, with the known ones',
  })),
  {
    mistake: 'the key alone, as other SDKs take it',
    given: 'pk_test_123',
    code: 'invalid_option',
    says: 'new OfAge() takes an options object, got "pk_test_123"',
    why: 'a string has no options, not even unknown ones',
  },
  {
    mistake: 'a secret key alone',
    given: 'sk_live_hush',
    code: 'invalid_option',
    says: 'new OfAge() takes an options object, got "sk_…"',
    why: 'a secret key is never printed, wherever it stands',
  },
];

const CALLS: readonly Mistake[] = [
  {
    mistake: 'policy in a call',
    given: { verificationMode: 'L2' },
    code: 'invalid_option',
    says: 'verificationMode cannot be set in the browser: set it in the dashboard or on your server',
    why: 'the same sentence in both places',
  },
  {
    mistake: 'a name that contains the start of a secret key',
    given: { task_id: '7' },
    code: 'invalid_option',
    says: `verify() has no option "task_id". Its options are ${CALL_OPTIONS}`,
    why: 'only what may be a key is left out',
  },
  {
    mistake: "jQuery's $('#buy').on('click', ofAge.verify)",
    given: { originalEvent: {}, type: 'click' },
    code: 'invalid_option',
    says: 'verify() got an event: use () => ofAge.verify() as the listener',
    why: "jQuery's events have no isTrusted of their own",
  },
  {
    mistake: 'an option of the constructor',
    given: { mode: 'redirect' },
    code: 'invalid_option',
    says: `verify() does not take mode: pass it to new OfAge()`,
    why: 'names the call, because the option exists elsewhere',
  },
  {
    mistake: 'a number as the user',
    given: { externalUserId: 42 },
    code: 'invalid_option',
    says: 'externalUserId must be a string, got 42',
    why: 'identifiers often are numbers',
  },
  {
    mistake: 'text for a flag',
    given: { skipIntro: 'true' },
    code: 'invalid_option',
    says: 'skipIntro must be a boolean, got "true"',
    why: 'the text "false" would be true',
  },
  {
    mistake: 'the user alone',
    given: 'user-1',
    code: 'invalid_option',
    says: 'verify() takes an options object, got "user-1"',
    why: 'a string has no options',
  },
  {
    mistake: "addEventListener('click', ofAge.verify)",
    given: new MouseEvent('click'),
    code: 'invalid_option',
    says: 'verify() got an event: use () => ofAge.verify() as the listener',
    why: 'the browser passes the event',
  },
  {
    mistake: 'onClick={ofAge.verify} in React',
    given: { _reactName: 'onClick', nativeEvent: {}, isTrusted: true },
    code: 'invalid_option',
    says: 'verify() got an event: use () => ofAge.verify() as the listener',
    why: 'an event of React is an object of its own, and has the property too',
  },
];

describe('new OfAge()', () => {
  it.each([...KEYS, ...URLS, ...WORDS])('$mistake: $says', ({ given, code, says }) => {
    let error: unknown;
    try {
      void new OfAge(given as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code, message: says + link(code) });
    expect(JSON.stringify(error)).not.toContain('hush');
  });

  it('without new: the browser’s own sentence', () => {
    expect(() => (OfAge as unknown as (options: object) => void)(GOOD)).toThrow(TypeError);
  });
});

describe('verify()', () => {
  it.each(CALLS)('$mistake: $says', async ({ given, code, says }) => {
    const seen = watch(newOfAge().verify(given as never));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.error).toMatchObject({ code, message: says + link(code) });
  });
});
