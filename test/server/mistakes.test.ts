/** The mistakes of a caller of the kit: what it refuses before anything is sent, and how it says so. */
import {
  type ClientOptions,
  type CreateSessionInput,
  type OfAgeErrorCode,
  type WebhookHandlerOptions,
  createClient,
  createMemoryWebhookStore,
  createWebhookHandler,
  grantsAccess,
  verifyWebhook,
} from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { rejectionOf, returnUrl } from './an-api.ts';
import { SECRET_KEY, SESSION_ID, validationBody } from './builders.ts';
import { SECRET } from './signed-request.ts';

type Mistake = [mistake: string, given: unknown, code: OfAgeErrorCode, says: string];

const secretKey = SECRET_KEY;
const END = 'must end with /api/v1';

const CLIENT: readonly Mistake[] = [
  ['no options', undefined, 'invalid_option', 'got nothing. See '],
  ['no key', {}, 'secret_key_required', 'secretKey is required'],
  ['an empty key', { secretKey: '' }, 'secret_key_required', 'required'],
  ['a number as the key', { secretKey: 7 }, 'secret_key_invalid', 'string, got 7. See '],
  ['a publishable key', { secretKey: 'pk_test_1' }, 'publishable_key_refused', 'key (pk_)'],
  ['one with a space and capitals', { secretKey: ' PK_1' }, 'publishable_key_refused', 'pk_'],
  ['a copied line break', { secretKey: `${secretKey}\n` }, 'secret_key_invalid', 'white space'],
  ['the whole header', { secretKey: `Bearer ${secretKey}` }, 'secret_key_invalid', 'white space'],
  ['a webhook secret as the key', { secretKey: 'whsec_1' }, 'secret_key_invalid', 'with "sk_"'],
  ['only the prefix of a key', { secretKey: 'sk_' }, 'secret_key_invalid', '"sk_"'],
  ['a key that a header cannot hold', { secretKey: 'sk_ключ' }, 'secret_key_invalid', '"sk_"'],
  ['a misspelt option', { secretKey, baseURL: 'x' }, 'invalid_option', 'option "baseURL"'],
  [
    'a path as the store',
    { secretKey, resultStore: './db' },
    'invalid_option',
    'get and set, got a string',
  ],
  [
    'null as the store',
    { secretKey, resultStore: null },
    'invalid_option',
    'get and set, got null',
  ],
  ['an object as fetch', { secretKey, fetch: {} }, 'invalid_option', 'function, got an object'],
  ...[0, -5, 1.5, Number.NaN, 2_147_483_648, '5000'].map((timeoutMs): Mistake => {
    const says = 'timeoutMs must be an integer from 1 to 2147483647, got ';
    return [
      `timeoutMs ${JSON.stringify(timeoutMs)}`,
      { secretKey, timeoutMs },
      'invalid_option',
      says,
    ];
  }),
  ...(
    [
      ['without a scheme', 'api.ofage.example', 'absolute URL'],
      ['with plain http over the network', 'http://api.ofage.example/api/v1', 'https://'],
      ['with another scheme', 'ftp://localhost/api/v1', 'https://'],
      [
        'on a host that only starts with localhost',
        'http://localhost.evil.example/api/v1',
        'https',
      ],
      ['without the path /api/v1', 'http://127.0.0.1:4010', END],
      ['of another version', 'https://api.ofage.example/api/v2', END],
      ['with the path of an endpoint', 'https://api.ofage.example/api/v1/sessions', END],
      ['with a query', 'https://api.ofage.example/api/v1?x=1', 'query'],
      ['with a fragment', 'https://api.ofage.example/api/v1#x', 'fragment'],
      ['with a password', 'https://a:b@api.ofage.example/api/v1', 'user name or a password. See '],
      ['that is a number', 7, 'string, got 7'],
    ] as const
  ).map(([flaw, baseUrl, says]): Mistake => {
    return [`a baseUrl ${flaw}`, { secretKey, baseUrl }, 'base_url_invalid', says];
  }),
];

describe('createClient()', () => {
  it.each(CLIENT)('refuses %s', (_, options, code, says) => {
    expect(() => createClient(options as ClientOptions)).toThrow(
      expect.objectContaining({ name: 'OfAgeError', code, retryable: false, status: undefined }),
    );
    expect(() => createClient(options as ClientOptions)).toThrow(/^Cannot create the client: /);
    expect(() => createClient(options as ClientOptions)).toThrow(says);
  });

  it.each([
    ['only a key', {}],
    ['options that are undefined', { baseUrl: undefined, timeoutMs: undefined }],
    ['https', { baseUrl: 'https://api.staging.ofage.example/api/v1' }],
    ['a slash at the end', { baseUrl: 'https://api.ofage.example/api/v1/' }],
    ['the path of a gateway', { baseUrl: 'https://gateway.example/ofage/api/v1' }],
    ['localhost by name', { baseUrl: 'http://localhost:4010/api/v1' }],
    ['localhost by IPv4 address', { baseUrl: 'http://127.0.0.1:4010/api/v1' }],
    ['localhost by IPv6 address', { baseUrl: 'http://[::1]:4010/api/v1' }],
    ['the shortest time limit', { timeoutMs: 1 }],
    ['the longest time limit', { timeoutMs: 2_147_483_647 }],
  ])('accepts %s', (_, options) => {
    const client = createClient({ secretKey, ...options });
    expect(Object.keys(client)).toEqual(['createSession', 'validateSession', 'validateOnce']);
  });
});

/** A client whose calls must not be sent. */
function createUnsent() {
  const fetch = vi.fn<NonNullable<ClientOptions['fetch']>>();
  return { client: createClient({ secretKey, fetch }), fetch };
}

describe('createSession() sends nothing and', () => {
  it.each<[mistake: string, input: unknown, says: string]>([
    ['no argument', undefined, 'must be an object with returnUrl, got nothing'],
    ['an array', [returnUrl], 'must be an object with returnUrl, got an array'],
    ['no returnUrl', {}, 'returnUrl is required'],
    ['an undefined returnUrl', { returnUrl: undefined }, 'returnUrl is required'],
    ['null as returnUrl', { returnUrl: null }, 'returnUrl must be an absolute URL'],
    ['an empty returnUrl', { returnUrl: '' }, 'got an empty string'],
    ['a path', { returnUrl: '/return' }, 'got "/return"'],
    ['a URL without a scheme', { returnUrl: 'shop.example' }, 'got "shop.example"'],
    ['a URL without a host', { returnUrl: 'https://' }, 'got "https://"'],
    ['a javascript: URL', { returnUrl: 'javascript:alert(1)' }, 'absolute URL'],
    [
      'a long URL, cut in the message',
      { returnUrl: `data:${'x'.repeat(900)}` },
      `${'x'.repeat(75)}…"`,
    ],
    ...['\n', '\t', '\0', '\u007f', ' '].flatMap((character): [string, unknown, string][] => [
      [
        `${JSON.stringify(character)} in the returnUrl`,
        { returnUrl: `https://shop.example/a${character}b` },
        'without spaces, control characters or credentials, got "https://shop.example/a',
      ],
      [
        `${JSON.stringify(character)} before the cancelUrl`,
        { returnUrl, cancelUrl: `${character}https://shop.example/` },
        'cancelUrl must be',
      ],
    ]),
    ['a user name', { returnUrl: 'https://user@shop.example/' }, 'or credentials'],
    [
      'a password, hidden',
      { returnUrl: 'https://:hunter2@shop.example/' },
      'got a URL with a user',
    ],
    ['credentials in the cancelUrl', { returnUrl, cancelUrl: 'http://a:b@c.example' }, 'cancelUrl'],
    ['a backslash', { returnUrl: 'https://shop.example\\@evil.example/' }, 'absolute URL'],
    ['a relative cancelUrl', { returnUrl, cancelUrl: '/c' }, 'cancelUrl must be'],
    ['challengeAge 24', { returnUrl, challengeAge: 24 }, 'from 25 to 99, got 24'],
    ['challengeAge 100', { returnUrl, challengeAge: 100 }, 'from 25 to 99, got 100'],
    ['text as challengeAge', { returnUrl, challengeAge: '25' }, 'from 25 to 99, got "25"'],
    ['NaN as challengeAge', { returnUrl, challengeAge: Number.NaN }, 'got NaN'],
    ['an unknown mode', { returnUrl, verificationMode: 'l1' }, 'L1 or L2, got "l1"'],
    ['text as faceMatchEnabled', { returnUrl, faceMatchEnabled: 'no' }, 'true or false, got "no"'],
    ['a number as the user', { returnUrl, externalUserId: 42 }, 'a string, got 42'],
    ['null for no name', { returnUrl, merchantName: null }, 'got null'],
    ['a misspelt field', { returnUrl, chalengeAge: 25 }, 'unknown field "chalengeAge"; supported'],
    ['sessionToken', { returnUrl, sessionToken: 't' }, 'unknown field "sessionToken"'],
    ['the name of an inherited property', { returnUrl, toString: 1 }, '"toString"'],
    ['__proto__', { returnUrl, ['__proto__']: {} }, 'unknown field "__proto__"'],
  ])('refuses %s', async (_, input, says) => {
    const { client, fetch } = createUnsent();
    const error = await rejectionOf(client.createSession(input as CreateSessionInput));
    expect(error).toMatchObject({ code: 'invalid_input', status: undefined });
    expect(error.message).toMatch(/^Cannot create the session: /);
    expect(error.message).toContain(says);
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    ['signal', { signal: 'stop' }, 'signal must be an AbortSignal'],
    ['timeoutMs', { timeoutMs: 0 }, 'timeoutMs must be an integer'],
    ['name', { timeout: 5000 }, 'unknown option "timeout"; supported options: signal, timeoutMs'],
    ['options object', 5000, 'expected an object with signal and timeoutMs, got 5000'],
  ])('refuses an invalid %s', async (_, options, says) => {
    const { client, fetch } = createUnsent();
    const error = await rejectionOf(client.createSession({ returnUrl }, options as object));
    expect(error.code).toBe('invalid_option');
    expect(error.message).toContain(says);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('validateSession() sends nothing and', () => {
  it.each([
    ['an array, as from a repeated query parameter', [SESSION_ID, SESSION_ID]],
    ['undefined', undefined],
    ['an empty string', ''],
    ['an id with a digit too few', SESSION_ID.slice(1)],
    ['a line break at the end', `${SESSION_ID}\n`],
    ['a path', `../${SESSION_ID}`],
    ['the secret key', secretKey],
  ])('refuses %s', async (_, sessionId) => {
    const { client, fetch } = createUnsent();
    const error = await rejectionOf(client.validateSession(sessionId as string));
    expect(error).toMatchObject({ code: 'session_id_invalid', retryable: false });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('grantsAccess()', () => {
  const externalUserId = 'user-42';
  const good = validationBody();
  it.each<[mistake: string, result: unknown, expected: unknown, says: string]>([
    ['no result', undefined, { externalUserId }, 'result must be what validateSession'],
    ['a result that is not awaited', Promise.resolve(good), { externalUserId }, 'got a promise'],
    ['a number as the result', 7, { externalUserId }, 'got 7'],
    ['the id of the session', SESSION_ID, { externalUserId }, 'got a string'],
    [
      'the body of a webhook',
      { ...good, accessGranted: undefined },
      { externalUserId },
      'accessGranted',
    ],
    [
      'text as verified',
      { ...good, verified: 'true' },
      { externalUserId },
      'verified of the result must be',
    ],
    [
      'a result without a user',
      { ...good, externalUserId: undefined },
      { externalUserId },
      'externalUserId of the result',
    ],
    ['no requirements', good, undefined, 'with externalUserId, got nothing'],
    ['the user itself', good, externalUserId, 'got a string'],
    ['a list of users', good, [{ externalUserId }], 'got an array'],
    ['no user', good, {}, 'externalUserId must be a string or null, got nothing'],
    ['an undefined user', good, { externalUserId: undefined }, 'or null, got nothing'],
    ['a number as the user', good, { externalUserId: 42 }, 'or null, got 42'],
    ['a promise of the user', good, { externalUserId: Promise.resolve('u') }, 'got a promise'],
    ['another name for the user', good, { userId: 'user-42' }, 'unknown option "userId"'],
    ['a misspelt age', good, { externalUserId, minimumAge: 30 }, 'unknown option "minimumAge"'],
    ['text as the age', good, { externalUserId, minimumChallengeAge: '30' }, 'got a string'],
    ['NaN as the age', good, { externalUserId, minimumChallengeAge: Number.NaN }, 'got NaN'],
    ['an undefined age', good, { externalUserId, minimumChallengeAge: undefined }, 'got nothing'],
    ['null as the age', good, { externalUserId, minimumChallengeAge: null }, 'got null'],
    [
      'a mode in lower case',
      good,
      { externalUserId, verificationMode: 'l2' },
      'L1 or L2, got a string',
    ],
    ['an unknown mode', good, { externalUserId, verificationMode: 'L3' }, 'L1 or L2, got a string'],
    ['an undefined mode', good, { externalUserId, verificationMode: undefined }, 'got nothing'],
    [
      'a stored result without the age that is required',
      { ...good, challengeAge: undefined },
      { externalUserId, minimumChallengeAge: 25 },
      'challengeAge of the result must be a number, got nothing',
    ],
  ])('refuses %s', (_, result, expected, says) => {
    const decide = () => grantsAccess(result as never, expected as never);
    expect(decide).toThrow(expect.objectContaining({ code: 'invalid_option', retryable: false }));
    expect(decide).toThrow(/^Cannot decide about access: /);
    expect(decide).toThrow(says);
  });
});

describe('options of another kind than an object with fields', () => {
  // They have no unknown names, so that a check of names alone accepts and ignores them.
  const KINDS: [string, object][] = [
    ['a promise', Promise.resolve({})],
    ['a signal', new AbortController().signal],
    ['an array', []],
    ['a Map', new Map()],
  ];
  const { client, fetch } = createUnsent();
  it.each(KINDS)('are refused everywhere, such as %s', async (_, options) => {
    const invalid = expect.objectContaining({ code: 'invalid_option' });
    expect(() => createClient(options as ClientOptions)).toThrow(invalid);
    expect(() => createWebhookHandler(options as WebhookHandlerOptions)).toThrow(invalid);
    expect(() => createMemoryWebhookStore(options)).toThrow(invalid);
    await expect(client.createSession({ returnUrl }, options)).rejects.toThrow(invalid);
    await expect(client.validateSession(SESSION_ID, options)).rejects.toThrow(invalid);
    await expect(client.createSession(options as CreateSessionInput)).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('null, which is not the same as an option that is left out,', () => {
  const handler = { secret: SECRET, onEvent: () => {} };
  it.each<[name: string, create: () => unknown]>([
    ...['baseUrl', 'fetch', 'timeoutMs', 'resultStore'].map((name): [string, () => unknown] => [
      `${name} of createClient`,
      () => createClient({ secretKey, [name]: null }),
    ]),
    ...['onTest', 'onDuplicate', 'onProblem', 'store', 'leaseMs', 'maxBodyBytes'].map(
      (name): [string, () => unknown] => [
        `${name} of createWebhookHandler`,
        () => createWebhookHandler({ ...handler, [name]: null }),
      ],
    ),
    ...['retentionMs', 'maxEntries'].map((name): [string, () => unknown] => [
      `${name} of createMemoryWebhookStore`,
      () => createMemoryWebhookStore({ [name]: null }),
    ]),
  ])('is refused as %s', (_, create) => {
    expect(create).toThrow(expect.objectContaining({ name: 'OfAgeError' }));
  });
});

describe('verifyWebhook()', () => {
  it('says that a body or a secret was not awaited', async () => {
    const later = Promise.resolve('{}') as never;
    await expect(verifyWebhook(later, 'x', SECRET)).rejects.toThrow('got a promise');
    await expect(verifyWebhook('{}', 'x', later)).rejects.toThrow('got a promise');
  });
});

describe('createWebhookHandler()', () => {
  const good = { secret: SECRET, onEvent: () => {} };
  const noSecret = 'webhook_secret_required';
  it.each<[mistake: string, options: unknown, code: OfAgeErrorCode]>([
    ['no options', undefined, 'invalid_option'],
    ['no secret', { ...good, secret: undefined }, noSecret],
    ['an empty secret', { ...good, secret: '' }, noSecret],
    ['an empty list of secrets', { ...good, secret: [] }, noSecret],
    ['a list with an empty secret', { ...good, secret: ['a', ''] }, noSecret],
    ['no onEvent', { secret: SECRET }, 'invalid_option'],
    ['a misspelt option', { ...good, onevent: 1 }, 'invalid_option'],
    ['an onTest that is not a function', { ...good, onTest: true }, 'invalid_option'],
    ['a Map as store', { ...good, store: new Map() }, 'invalid_option'],
    ['null as store', { ...good, store: null }, 'invalid_option'],
    ['a lease below the minimum', { ...good, leaseMs: 999 }, 'invalid_option'],
    ['text as the lease', { ...good, leaseMs: '60000' }, 'invalid_option'],
    ['a body limit below the minimum', { ...good, maxBodyBytes: 262_143 }, 'invalid_option'],
    ['an infinite body limit', { ...good, maxBodyBytes: Infinity }, 'invalid_option'],
    ['the secret as a name, which it does not show', { ...good, [SECRET]: 1 }, 'invalid_option'],
  ])('refuses %s', (_, options, code) => {
    expect(() => createWebhookHandler(options as WebhookHandlerOptions)).toThrow(
      expect.objectContaining({
        name: 'OfAgeError',
        code,
        message: expect.not.stringContaining(SECRET),
      }),
    );
  });
});

describe('createMemoryWebhookStore()', () => {
  it.each([
    ['null', null],
    ['a misspelt option', { maxEntrys: 5 }],
    ['zero entries', { maxEntries: 0 }],
    ['a fraction of an entry', { maxEntries: 1.5 }],
    ['infinitely many entries', { maxEntries: Infinity }],
    ['text as the retention', { retentionMs: '1000' }],
    ['a retention of more than a year', { retentionMs: 31_536_000_001 }],
  ])('refuses %s', (_, options) => {
    expect(() => createMemoryWebhookStore(options as object)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  });
});
