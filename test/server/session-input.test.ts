import * as fc from 'fast-check';
import { createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SECRET_KEY, sessionBody } from './builders.ts';
import { returnUrl } from './client-calls.ts';

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
