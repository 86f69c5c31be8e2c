import type { OfAgeErrorCode } from 'ofage';

/** What developers see, and the mistakes after which they see it. */
export interface Refusal {
  readonly code: OfAgeErrorCode;
  /** The message, without the value that was passed and without the link at its end. */
  readonly says: string;
  readonly why: string;
  readonly mistakes: readonly {
    readonly mistake: string;
    /** The options. Those of new OfAge() replace or complete the ones of {@link GOOD}. */
    readonly given: object;
    /** The end of the message, if it shows the value. */
    readonly got?: string;
  }[];
}

export const GOOD = { apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' };

export const link = (code: string): string => `. See https://docs.ofage.example/errors/${code}`;

const URL_RULE =
  'must be https:, or http: on localhost or 127.0.0.1, without spaces or credentials';
const CALL_OPTIONS = 'externalUserId, skipIntro, autoReturn, language';
const OPTIONS =
  'apiKey, returnUrl, cancelUrl, mode, newTabTarget, language, environment, onComplete, onCancel, onError';

const secretKeys = [
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

/** The refusals of new OfAge(). */
export const CONSTRUCTOR_REFUSALS: readonly Refusal[] = [
  {
    code: 'api_key_required',
    says: 'apiKey is required',
    why: 'names the option',
    mistakes: [
      { mistake: 'an environment variable that is not set', given: { apiKey: undefined } },
      { mistake: 'an empty key', given: { apiKey: '' } },
    ],
  },
  {
    code: 'secret_key_blocked',
    says: 'Secret key in browser: revoke it',
    why: 'says what to do and never repeats the key',
    mistakes: secretKeys.map((apiKey) => ({
      mistake: `the secret key ${JSON.stringify(apiKey)}`,
      given: { apiKey },
    })),
  },
  {
    code: 'api_key_invalid',
    says: 'apiKey must be a pk_ key in ASCII without spaces',
    why: 'does not print the value, because it may be a secret of another product',
    mistakes: [
      { mistake: 'a key of another product', given: { apiKey: 'whsec_abc123' } },
      { mistake: 'a key of another kind', given: { apiKey: 'rk_live_1' } },
      { mistake: 'a variable that a template turned into text', given: { apiKey: 'undefined' } },
      { mistake: 'a space as the key', given: { apiKey: ' ' } },
      { mistake: 'a line feed, which a header cannot contain', given: { apiKey: 'pk_live_1\n' } },
      { mistake: 'the whole header as the key', given: { apiKey: 'Bearer pk_live_1' } },
      { mistake: 'only the prefix of a key', given: { apiKey: 'pk_' } },
    ],
  },
  {
    code: 'return_url_required',
    says: 'returnUrl is required',
    why: 'names the option',
    mistakes: [
      { mistake: 'no returnUrl', given: { returnUrl: undefined } },
      { mistake: 'an empty returnUrl', given: { returnUrl: '' } },
    ],
  },
  {
    code: 'return_url_invalid',
    says: `returnUrl ${URL_RULE}`,
    why: 'quotes the value, which makes spaces and tabs visible, but nothing in it that may be secret',
    mistakes: [
      { mistake: 'a path', given: { returnUrl: '/return' }, got: '"/return"' },
      {
        mistake: 'a URL without a scheme',
        given: { returnUrl: 'shop.example/return' },
        got: '"shop.example/return"',
      },
      {
        mistake: 'a space at the end of the URL',
        given: { returnUrl: 'https://shop.example/return ' },
        got: '"https://shop.example/return "',
      },
      {
        mistake: 'a tab, which URL parsers remove',
        given: { returnUrl: 'https://shop\t.example/' },
        got: '"https://shop\\t.example/"',
      },
      {
        mistake: 'a backslash, which URL parsers turn into a slash',
        given: { returnUrl: 'https:\\\\shop.example' },
        got: '"https:\\\\\\\\shop.example"',
      },
      {
        mistake: 'a password in the URL',
        given: { returnUrl: 'https://user:hush@shop.example/' },
        got: '"https:…shop.example/"',
      },
      {
        mistake: 'a path with a confidential query',
        given: { returnUrl: '/return?mail=hush%40example.com' },
        got: '"/return?…"',
      },
      { mistake: 'a secret key', given: { returnUrl: 'sk_live_hush' }, got: '"sk_…"' },
    ],
  },
  {
    code: 'https_required',
    says: `HTTPS required in production: returnUrl ${URL_RULE}`,
    why: 'names the option and the hosts that are exceptions',
    mistakes: [
      {
        mistake: 'plain http on a domain',
        given: { returnUrl: 'http://shop.example/return' },
        got: '"http://shop.example/return"',
      },
      {
        mistake: 'plain http on an address of the local network',
        given: { returnUrl: 'http://192.168.1.5:3000' },
        got: '"http://192.168.1.5:3000"',
      },
    ],
  },
  {
    code: 'https_required',
    says: `HTTPS required in production: cancelUrl ${URL_RULE}`,
    why: 'names the option, because there are two URLs',
    mistakes: [
      {
        mistake: 'plain http on a host that only starts with localhost',
        given: { cancelUrl: 'http://localhost.evil.example/' },
        got: '"http://localhost.evil.example/"',
      },
    ],
  },
  {
    code: 'url_scheme_blocked',
    says: `Blocked suspicious URL scheme: returnUrl ${URL_RULE}`,
    why: 'names the valid schemes',
    mistakes: [
      {
        mistake: 'localhost without a scheme, which a parser takes for the scheme',
        given: { returnUrl: 'localhost:3000/return' },
        got: '"localhost:3000/return"',
      },
      {
        mistake: 'a script with a line feed',
        given: { returnUrl: 'java\nscript:alert(1)' },
        got: '"java\\nscript:alert(1)"',
      },
      { mistake: 'data', given: { returnUrl: 'data:text/html,x' }, got: '"data:text/html,x"' },
      { mistake: 'a file', given: { returnUrl: 'file:///etc/x' }, got: '"file:///etc/x"' },
    ],
  },
  {
    code: 'url_scheme_blocked',
    says: `Blocked suspicious URL scheme: cancelUrl ${URL_RULE}`,
    why: 'names the option, because there are two URLs',
    mistakes: [
      {
        mistake: 'a javascript: URL as cancelUrl',
        given: { cancelUrl: 'javascript:alert(1)' },
        got: '"javascript:alert(1)"',
      },
    ],
  },
  {
    code: 'cancel_url_invalid',
    says: `cancelUrl ${URL_RULE}`,
    why: 'names the option, because there are two URLs',
    mistakes: [
      { mistake: 'a relative cancelUrl', given: { cancelUrl: 'cancel' }, got: '"cancel"' },
    ],
  },
  ...['apiKey', 'returnUrl', 'cancelUrl', 'language'].map((name): Refusal => {
    const url = new URL(GOOD.returnUrl);
    return {
      code: 'invalid_option',
      says: `${name} must be a string`,
      why: 'prints the type of an object, because its text may look valid',
      mistakes: [
        { mistake: `a number as ${name}`, given: { [name]: 5 }, got: '5' },
        { mistake: `a URL object as ${name}`, given: { [name]: url }, got: '[object URL]' },
        { mistake: `${name} in an array`, given: { [name]: ['x'] }, got: '[object Array]' },
        { mistake: `null for no ${name}`, given: { [name]: null }, got: 'null' },
      ],
    };
  }),
  ...['onComplete', 'onCancel', 'onError'].map((name): Refusal => ({
    code: 'invalid_option',
    says: `${name} must be a function`,
    why: 'accepts only undefined for a missing option',
    mistakes: [
      { mistake: `a function's name as ${name}`, given: { [name]: 'report' }, got: '"report"' },
      { mistake: `null for no ${name}`, given: { [name]: null }, got: 'null' },
    ],
  })),
  ...[
    { name: 'mode', wrong: 'popup', allowed: '"redirect" or "new-tab"' },
    { name: 'newTabTarget', wrong: 'window', allowed: '"popup" or "tab"' },
    { name: 'environment', wrong: 'test', allowed: '"production" or "staging"' },
  ].map(({ name, wrong, allowed }): Refusal => ({
    code: 'invalid_option',
    says: `${name} must be ${allowed}`,
    why: 'lists the valid values',
    mistakes: [{ mistake: `${name} "${wrong}"`, given: { [name]: wrong }, got: `"${wrong}"` }],
  })),
  ...[
    'apikey',
    'returnURL',
    'onSuccess',
    'userId',
    'externalUserId',
    'challengeAge',
    'faceMatchEnabled',
    'toString',
    '__proto__',
  ].map((name): Refusal => ({
    code: 'invalid_option',
    says: `new OfAge() has no option "${name}", it has ${OPTIONS}; policy is set in the dashboard`,
    why: 'lists the known options, and says where the policy is set, in case the option belongs there',
    // A computed name makes __proto__ an own property too, as in parsed JSON.
    mistakes: [{ mistake: `the option ${name}`, given: { [name]: {} } }],
  })),
];

/** The refusals of verify(). */
export const CALL_REFUSALS: readonly Refusal[] = [
  ...['mode', 'task_id', 'verificationMode'].map((name): Refusal => ({
    code: 'invalid_option',
    says: `verify() has no option "${name}", it has ${CALL_OPTIONS}; policy is set in the dashboard`,
    why: 'prints the name even if it contains the start of a secret key, "sk_"',
    mistakes: [{ mistake: `the option ${name}`, given: { [name]: 'redirect' } }],
  })),
  {
    code: 'invalid_option',
    says: 'externalUserId must be a string',
    why: 'names the type, because identifiers are often numbers',
    mistakes: [{ mistake: 'a number as the user', given: { externalUserId: 42 }, got: '42' }],
  },
  ...['skipIntro', 'autoReturn'].map((name): Refusal => ({
    code: 'invalid_option',
    says: `${name} must be a boolean`,
    why: 'rejects strings, because the string "false" would be truthy',
    mistakes: [{ mistake: `text as ${name}`, given: { [name]: 'true' }, got: '"true"' }],
  })),
  {
    code: 'invalid_option',
    says: 'verify() takes an object, got an event',
    why: 'recognises that verify was passed as a listener',
    mistakes: [
      { mistake: "addEventListener('click', ofAge.verify)", given: new MouseEvent('click') },
      {
        mistake: 'onClick={ofAge.verify} in React, whose events are separate objects',
        given: { _reactName: 'onClick', nativeEvent: {}, isTrusted: true },
      },
      {
        mistake: "jQuery's $('#buy').on('click', ofAge.verify)",
        given: { originalEvent: {}, type: 'click' },
      },
    ],
  },
];
