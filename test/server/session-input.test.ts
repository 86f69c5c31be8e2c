import * as fc from 'fast-check';
import { type CreateSessionInput, createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SECRET_KEY, sessionBody } from './builders.ts';

const returnUrl = 'https://shop.example/return';

const refused: { why: string; input: unknown; says: string }[] = [
  {
    why: 'a missing argument',
    input: undefined,
    says: 'must be an object with returnUrl, got nothing',
  },
  { why: 'an array', input: [returnUrl], says: 'must be an object with returnUrl, got an array' },
  { why: 'a missing returnUrl', input: {}, says: 'returnUrl is required' },
  { why: 'an undefined returnUrl', input: { returnUrl: undefined }, says: 'returnUrl is required' },
  {
    why: 'a null returnUrl',
    input: { returnUrl: null },
    says: 'returnUrl must be an absolute URL',
  },
  { why: 'an empty returnUrl', input: { returnUrl: '' }, says: 'got an empty string' },
  { why: 'a path', input: { returnUrl: '/return' }, says: 'got "/return"' },
  {
    why: 'a URL without a scheme',
    input: { returnUrl: 'shop.example' },
    says: 'got "shop.example"',
  },
  { why: 'a URL without a host', input: { returnUrl: 'https://' }, says: 'got "https://"' },
  { why: 'a javascript: URL', input: { returnUrl: 'javascript:alert(1)' }, says: 'absolute URL' },
  {
    why: 'a long data: URL, truncated in the message',
    input: { returnUrl: `data:${'x'.repeat(900)}` },
    says: `${'x'.repeat(75)}…"`,
  },
  { why: 'a relative cancelUrl', input: { returnUrl, cancelUrl: '/c' }, says: 'cancelUrl must be' },
  { why: 'challengeAge 24', input: { returnUrl, challengeAge: 24 }, says: 'from 25 to 99, got 24' },
  {
    why: 'challengeAge 100',
    input: { returnUrl, challengeAge: 100 },
    says: 'from 25 to 99, got 100',
  },
  {
    why: 'a challengeAge that is a string',
    input: { returnUrl, challengeAge: '25' },
    says: 'from 25 to 99, got "25"',
  },
  { why: 'challengeAge NaN', input: { returnUrl, challengeAge: Number.NaN }, says: 'got NaN' },
  {
    why: 'an unknown verificationMode',
    input: { returnUrl, verificationMode: 'l1' },
    says: 'L1 or L2, got "l1"',
  },
  {
    why: 'a faceMatchEnabled that is a string',
    input: { returnUrl, faceMatchEnabled: 'no' },
    says: 'true or false, got "no"',
  },
  {
    why: 'an externalUserId that is a number',
    input: { returnUrl, externalUserId: 42 },
    says: 'a string, got 42',
  },
  { why: 'null for an optional field', input: { returnUrl, merchantName: null }, says: 'got null' },
  {
    why: 'a misspelt field',
    input: { returnUrl, chalengeAge: 25 },
    says: 'unknown field "chalengeAge"; supported',
  },
  {
    why: 'sessionToken, which is not an input',
    input: { returnUrl, sessionToken: 't' },
    says: 'unknown field "sessionToken"',
  },
  {
    why: 'the name of an inherited property',
    input: { returnUrl, toString: 1 },
    says: '"toString"',
  },
  {
    why: 'a field named __proto__',
    input: JSON.parse('{"returnUrl":"https://a.example","__proto__":{}}'),
    says: 'unknown field "__proto__"',
  },
];

describe('createSession() rejects without sending a request', () => {
  it.each(refused)('$why', async ({ input, says }) => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl });

    const call = client.createSession(input as CreateSessionInput);

    await expect(call).rejects.toMatchObject({ code: 'invalid_input', status: undefined });
    await expect(call).rejects.toThrow(says);
    await expect(call).rejects.toThrow(/^Cannot create the session: /);
    expect(api.received).toEqual([]);
  });
});

describe('createSession() with valid input', () => {
  it.each([25, 99])('accepts challengeAge %i, a limit of the range', async (challengeAge) => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl });
    await client.createSession({ returnUrl, challengeAge });
    expect(JSON.parse(api.received[0]?.bodyText ?? '')).toEqual({ returnUrl, challengeAge });
  });

  it('sends exactly the given fields (property)', async () => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl });
    const inputs = fc.record(
      {
        returnUrl: fc.webUrl({ withQueryParameters: true }),
        merchantName: fc.string({ unit: 'grapheme' }),
        externalUserId: fc.string({ unit: 'grapheme' }),
        challengeAge: fc.integer({ min: 25, max: 99 }),
        faceMatchEnabled: fc.boolean(),
      },
      { requiredKeys: ['returnUrl'] },
    );
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await client.createSession(input);
        expect(JSON.parse(api.received.at(-1)?.bodyText ?? '')).toEqual({ ...input });
      }),
      { numRuns: 60 },
    );
  });
});
