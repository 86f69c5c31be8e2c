import { type ClientOptions, type OfAgeErrorCode, createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { SECRET_KEY } from './builders.ts';

const refused: { why: string; options: unknown; code: OfAgeErrorCode; says: RegExp }[] = [
  {
    why: 'missing options',
    options: undefined,
    code: 'invalid_option',
    says: /got nothing\. See /,
  },
  { why: 'a missing key', options: {}, code: 'secret_key_required', says: /secretKey is required/ },
  {
    why: 'an empty key',
    options: { secretKey: '' },
    code: 'secret_key_required',
    says: /required/,
  },
  {
    why: 'a key that is a number',
    options: { secretKey: 7 },
    code: 'secret_key_invalid',
    says: /string, got 7\. See /,
  },
  {
    why: 'a publishable key',
    options: { secretKey: 'pk_test_1' },
    code: 'publishable_key_refused',
    says: /publishable key \(pk_\)/,
  },
  {
    why: 'a publishable key with a space and capitals',
    options: { secretKey: ' PK_test_1' },
    code: 'publishable_key_refused',
    says: /publishable/,
  },
  {
    why: 'a key with a copied line break',
    options: { secretKey: `${SECRET_KEY}\n` },
    code: 'secret_key_invalid',
    says: /white space/,
  },
  {
    why: 'a key with the "Bearer" prefix',
    options: { secretKey: `Bearer ${SECRET_KEY}` },
    code: 'secret_key_invalid',
    says: /white space/,
  },
  {
    why: 'a webhook secret',
    options: { secretKey: 'whsec_1' },
    code: 'secret_key_invalid',
    says: /start with "sk_"/,
  },
  {
    why: 'a key prefix without a key',
    options: { secretKey: 'sk_' },
    code: 'secret_key_invalid',
    says: /"sk_"/,
  },
  {
    why: 'a key that a header cannot contain',
    options: { secretKey: 'sk_ключ' },
    code: 'secret_key_invalid',
    says: /"sk_"/,
  },
  {
    why: 'a misspelt option',
    options: { secretKey: SECRET_KEY, baseURL: 'https://api.example/api/v1' },
    code: 'invalid_option',
    says: /unknown option "baseURL"/,
  },
  {
    why: 'a fetch that is not a function',
    options: { secretKey: SECRET_KEY, fetch: {} },
    code: 'invalid_option',
    says: /fetch must be a function, got an object/,
  },
  ...[0, -5, 1.5, Number.NaN, 2_147_483_648, '5000'].map((timeoutMs) => ({
    why: `timeoutMs ${typeof timeoutMs === 'string' ? `"${timeoutMs}", a string` : timeoutMs}`,
    options: { secretKey: SECRET_KEY, timeoutMs },
    code: 'invalid_option' as const,
    says: /timeoutMs must be an integer from 1 to 2147483647, got/,
  })),
  ...(
    [
      ['no scheme', 'api.ofage.example', /absolute URL/],
      ['plain http over the network', 'http://api.ofage.example/api/v1', /https:\/\//],
      ['another scheme', 'ftp://localhost/api/v1', /https:\/\//],
      [
        'a host name that only starts with "localhost"',
        'http://localhost.evil.example/api/v1',
        /https/,
      ],
      ['no /api/v1 path', 'http://127.0.0.1:4010', /end with \/api\/v1/],
      ['another API version', 'https://api.ofage.example/api/v2', /end with \/api\/v1/],
      [
        'the path of an endpoint',
        'https://api.ofage.example/api/v1/sessions',
        /end with \/api\/v1/,
      ],
      ['a query', 'https://api.ofage.example/api/v1?x=1', /query/],
      ['a fragment', 'https://api.ofage.example/api/v1#x', /fragment/],
      ['a password', 'https://a:b@api.ofage.example/api/v1', /user name or a password\. See /],
      ['a number', 7, /string, got 7/],
    ] as const
  ).map(([why, baseUrl, says]) => ({
    why: `baseUrl: ${why}`,
    options: { secretKey: SECRET_KEY, baseUrl },
    code: 'base_url_invalid' as const,
    says,
  })),
];

describe('createClient() rejects', () => {
  it.each(refused)('$why', ({ options, code, says }) => {
    let thrown: unknown;
    try {
      createClient(options as ClientOptions);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'OfAgeError', code, retryable: false, status: undefined });
    expect((thrown as Error).message).toMatch(/^Cannot create the client: /);
    expect((thrown as Error).message).toMatch(says);
  });
});

describe('createClient() accepts', () => {
  it.each([
    { why: 'only a key', options: {} },
    { why: 'options that are undefined', options: { baseUrl: undefined, timeoutMs: undefined } },
    { why: 'https', options: { baseUrl: 'https://api.staging.ofage.example/api/v1' } },
    { why: 'a slash at the end', options: { baseUrl: 'https://api.ofage.example/api/v1/' } },
    { why: 'the path of a gateway', options: { baseUrl: 'https://gateway.example/ofage/api/v1' } },
    { why: 'localhost by name', options: { baseUrl: 'http://localhost:4010/api/v1' } },
    { why: 'localhost by IPv4 address', options: { baseUrl: 'http://127.0.0.1:4010/api/v1' } },
    { why: 'localhost by IPv6 address', options: { baseUrl: 'http://[::1]:4010/api/v1' } },
    { why: 'the shortest time limit', options: { timeoutMs: 1 } },
    { why: 'the longest time limit', options: { timeoutMs: 2_147_483_647 } },
  ])('$why', ({ options }) => {
    expect(Object.keys(createClient({ secretKey: SECRET_KEY, ...options }))).toEqual([
      'createSession',
      'validateSession',
    ]);
  });
});
