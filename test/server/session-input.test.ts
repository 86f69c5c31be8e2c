import * as fc from 'fast-check';
import { type CreateSessionInput, createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SECRET_KEY, sessionBody } from './builders.ts';

const returnUrl = 'https://shop.example/return';

const refused: { why: string; input: unknown; says: string }[] = [
  { why: 'nothing', input: undefined, says: 'must be an object with returnUrl, got nothing' },
  { why: 'a list', input: [returnUrl], says: 'must be an object with returnUrl, got an array' },
  { why: 'no returnUrl', input: {}, says: 'returnUrl is required' },
  { why: 'returnUrl undefined', input: { returnUrl: undefined }, says: 'returnUrl is required' },
  { why: 'returnUrl null', input: { returnUrl: null }, says: 'returnUrl must be an absolute URL' },
  { why: 'returnUrl empty', input: { returnUrl: '' }, says: 'got an empty string' },
  { why: 'a path', input: { returnUrl: '/return' }, says: 'got "/return"' },
  { why: 'without a scheme', input: { returnUrl: 'shop.example' }, says: 'got "shop.example"' },
  { why: 'no host', input: { returnUrl: 'https://' }, says: 'got "https://"' },
  { why: 'a script', input: { returnUrl: 'javascript:alert(1)' }, says: 'absolute URL' },
  {
    why: 'long data, cut in the sentence',
    input: { returnUrl: `data:${'x'.repeat(900)}` },
    says: `${'x'.repeat(75)}…"`,
  },
  { why: 'cancelUrl too', input: { returnUrl, cancelUrl: '/c' }, says: 'cancelUrl must be' },
  { why: 'age 24', input: { returnUrl, challengeAge: 24 }, says: 'from 25 to 99, got 24' },
  { why: 'age 100', input: { returnUrl, challengeAge: 100 }, says: 'from 25 to 99, got 100' },
  { why: 'age as text', input: { returnUrl, challengeAge: '25' }, says: 'from 25 to 99, got "25"' },
  { why: 'age NaN', input: { returnUrl, challengeAge: Number.NaN }, says: 'got NaN' },
  { why: 'mode', input: { returnUrl, verificationMode: 'l1' }, says: 'L1 or L2, got "l1"' },
  { why: 'flag', input: { returnUrl, faceMatchEnabled: 'no' }, says: 'true or false, got "no"' },
  { why: 'user', input: { returnUrl, externalUserId: 42 }, says: 'a string, got 42' },
  { why: 'null is not undefined', input: { returnUrl, merchantName: null }, says: 'got null' },
  {
    why: 'unknown',
    input: { returnUrl, chalengeAge: 25 },
    says: '"chalengeAge" is unknown; known',
  },
  { why: 'the token', input: { returnUrl, sessionToken: 't' }, says: '"sessionToken" is unknown' },
  { why: 'a name that objects inherit', input: { returnUrl, toString: 1 }, says: '"toString"' },
  {
    why: 'a name that changes objects',
    input: JSON.parse('{"returnUrl":"https://a.example","__proto__":{}}'),
    says: '"__proto__" is unknown',
  },
];

describe('createSession() refuses, and sends nothing', () => {
  it.each(refused)('$why', async ({ input, says }) => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl });

    const call = client.createSession(input as CreateSessionInput);

    await expect(call).rejects.toMatchObject({ code: 'invalid_input', status: undefined });
    await expect(call).rejects.toThrow(says);
    await expect(call).rejects.toThrow(/^Cannot create the session: /);
    expect(api.received).toEqual([]);
  });

  it.each([25, 99])('takes age %i, the end of the range', async (challengeAge) => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl });
    await client.createSession({ returnUrl, challengeAge });
    expect(JSON.parse(api.received[0]?.bodyText ?? '')).toEqual({ returnUrl, challengeAge });
  });

  it('sends exactly the fields given, whatever text is in them', async () => {
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
