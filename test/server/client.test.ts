import * as fc from 'fast-check';
import { type ClientOptions, type CreateSessionInput, createClient } from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { anyText, anyWebUrl } from '../support/any-text.ts';
import { aClient, json, returnUrl } from './an-api.ts';
import { SECRET_KEY, SESSION_ID, sessionBody, validationBody } from './builders.ts';

describe('createSession()', () => {
  it('posts the input and returns the known fields of the response', async () => {
    const { client, received } = await aClient(
      json(201, sessionBody({ externalUserId: 'user-42', more: 1 })),
    );
    const input: CreateSessionInput = {
      returnUrl,
      cancelUrl: 'https://shop.example/cancel',
      merchantId: 'tenant-1',
      merchantName: 'The Shop',
      externalUserId: 'user-42',
      verificationMode: 'L2',
      challengeAge: 25,
      faceMatchEnabled: false,
    };

    expect(await client.createSession(input)).toEqual(sessionBody({ externalUserId: 'user-42' }));

    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'POST', path: '/api/v1/sessions/create' });
    expect(received[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET_KEY}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(input);
  });

  it('sends exactly the given fields (property)', async () => {
    const { client, received } = await aClient(json(201, sessionBody()));
    const inputs = fc.record(
      {
        returnUrl: anyWebUrl(),
        merchantName: fc.option(anyText(), { nil: undefined }),
        externalUserId: anyText(),
        challengeAge: fc.oneof(fc.constantFrom(25, 99), fc.integer({ min: 25, max: 99 })),
        faceMatchEnabled: fc.boolean(),
      },
      { requiredKeys: ['returnUrl'] },
    );
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await client.createSession(input);
        expect(received.at(-1)?.body).toBe(JSON.stringify(input)); // without undefined fields
      }),
      { numRuns: 60 },
    );
  });

  it('accepts a baseUrl with a slash at the end', async () => {
    const { baseUrl, received } = await aClient(json(201, sessionBody()));
    await createClient({ secretKey: SECRET_KEY, baseUrl: `${baseUrl}/` }).createSession({
      returnUrl,
    });
    expect(received[0]?.path).toBe('/api/v1/sessions/create');
  });

  it('warns once if returnUrl already has a parameter that the service appends', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { client } = await aClient(json(201, sessionBody()));

    const used = 'https://shop.example/return?a=1&sessionId=old&status=verified';
    for (let n = 0; n < 2; n += 1) await client.createSession({ returnUrl: used });
    await client.createSession({ returnUrl: 'https://shop.example/?sessionIds=1#?status=1' });

    expect(warn.mock.calls).toEqual([
      [
        'OfAge: returnUrl already has sessionId: read results with handleReturn(url) of "ofage", which takes the last one',
      ],
    ]);
    warn.mockRestore();
  });

  it('returns a billing block', async () => {
    const billingBlock = {
      code: 'PLAN_LIMIT_REACHED',
      message: 'The plan is used up',
      portalUrl: 'https://billing.ofage.example/',
    };
    const { client } = await aClient(json(201, sessionBody({ billingBlock })));
    expect((await client.createSession({ returnUrl })).billingBlock).toEqual(billingBlock);
  });

  it('leaves a script out of a billing block, because a page may show the address', async () => {
    const block = { code: 'PLAN_LIMIT_REACHED', message: 'The plan is used up' };
    const billingBlock = { ...block, portalUrl: 'javascript:alert(1)' };
    const { client } = await aClient(json(201, sessionBody({ billingBlock })));
    expect((await client.createSession({ returnUrl })).billingBlock).toEqual(block);
  });
});

describe('validateSession()', () => {
  it('posts only the session id and returns the known fields of the response', async () => {
    const { client, received } = await aClient(json(200, validationBody({ estimatedAge: 31 })));
    expect(await client.validateSession(SESSION_ID)).toEqual(validationBody());
    expect(received[0]).toMatchObject({
      path: '/api/v1/sessions/validate',
      body: JSON.stringify({ sessionId: SESSION_ID }),
    });
  });
});

describe('secretKey as a function', () => {
  /** Creates a client and records the Authorization header of each of its requests. */
  function clientWith(secretKey: ClientOptions['secretKey']) {
    const sent: (string | null)[] = [];
    const client = createClient({
      secretKey,
      fetch: async (_url, init) => {
        sent.push(new Headers(init?.headers as Record<string, string>).get('authorization'));
        return Response.json(validationBody());
      },
    });
    return { client, sent };
  }

  it.each([
    ['the key', () => SECRET_KEY],
    ['a promise of the key', async () => SECRET_KEY],
  ])('may return %s, and is called for each request', async (_, readKey) => {
    const secretKey = vi.fn(readKey);
    const { client, sent } = clientWith(secretKey);
    expect(secretKey).not.toHaveBeenCalled();
    await Promise.all([client.validateSession(SESSION_ID), client.validateSession(SESSION_ID)]);
    secretKey.mockReturnValue('sk_the_next_key');
    await client.validateSession(SESSION_ID);
    expect(sent).toEqual([
      `Bearer ${SECRET_KEY}`,
      `Bearer ${SECRET_KEY}`,
      'Bearer sk_the_next_key',
    ]);
  });

  it.each([
    ['', 'secret_key_required', /^Cannot validate the session: secretKey is required/],
    ['pk_test_1', 'publishable_key_refused', /^Cannot validate the session: .*publishable/],
    ['whsec_1', 'secret_key_invalid', /^Cannot validate the session: .*start with "sk_"/],
  ])('makes the call reject if it returns "%s"', async (key, code, message) => {
    const { client, sent } = clientWith(() => key);
    await expect(client.validateSession(SESSION_ID)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(sent).toEqual([]);
  });

  it('makes the call reject if it throws an error', async () => {
    const cause = new Error('the vault is sealed');
    const { client, sent } = clientWith(() => {
      throw cause;
    });
    await expect(client.validateSession(SESSION_ID)).rejects.toMatchObject({
      code: 'secret_key_required',
      cause,
    });
    expect(sent).toEqual([]);
  });
});
