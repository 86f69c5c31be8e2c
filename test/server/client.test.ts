import { type CreateSessionInput, createClient } from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SESSION_ID, sessionBody, validationBody } from './builders.ts';
import { returnUrl, secretKey } from './client-calls.ts';

describe('createSession()', () => {
  it('posts the input and returns the known fields of the response', async () => {
    const api = await startApiServer(
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

    const session = await createClient({ secretKey, baseUrl: api.baseUrl }).createSession(input);

    expect(session).toEqual(sessionBody({ externalUserId: 'user-42' }));
    expect(api.received).toHaveLength(1);
    expect(api.received[0]).toMatchObject({ method: 'POST', path: '/api/v1/sessions/create' });
    expect(api.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(api.received[0]?.bodyText ?? '')).toEqual(input);
  });

  it('warns once if returnUrl already has a parameter that the service appends', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey, baseUrl: api.baseUrl });

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

  it('omits undefined fields', async () => {
    const api = await startApiServer(json(201, sessionBody()));
    const client = createClient({ secretKey, baseUrl: `${api.baseUrl}/` });

    await client.createSession({ returnUrl, externalUserId: undefined, challengeAge: undefined });

    expect(api.received[0]?.bodyText).toBe(JSON.stringify({ returnUrl }));
  });

  it('returns a billing block', async () => {
    const billingBlock = {
      code: 'PLAN_LIMIT_REACHED',
      message: 'The plan is used up',
      portalUrl: 'https://billing.ofage.example/',
    };
    const api = await startApiServer(json(201, sessionBody({ billingBlock })));
    const session = await createClient({ secretKey, baseUrl: api.baseUrl }).createSession({
      returnUrl,
    });
    expect(session.billingBlock).toEqual(billingBlock);
  });
});

describe('validateSession()', () => {
  it('posts only the session id and returns the known fields of the response', async () => {
    const api = await startApiServer(json(200, validationBody({ estimatedAge: 31 })));

    const result = await createClient({ secretKey, baseUrl: api.baseUrl }).validateSession(
      SESSION_ID,
    );

    expect(result).toEqual(validationBody());
    expect(api.received[0]).toMatchObject({
      path: '/api/v1/sessions/validate',
      bodyText: JSON.stringify({ sessionId: SESSION_ID }),
    });
  });
});
