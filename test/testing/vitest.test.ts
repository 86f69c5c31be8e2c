import { setupServer } from 'msw/node';
import { createMockService } from 'ofage/mock';
import { createClient } from 'ofage/server';
import { vitestFixtures } from 'ofage/testing';
import { describe, expect, test as base } from 'vitest';

const returnUrl = 'http://localhost/return';
const test = base.extend(vitestFixtures({ createMockService, setupServer }));

describe('ofage in a test that Vitest runs', () => {
  const seen: string[] = [];

  test('is the whole provider at the production address', async ({ ofage }) => {
    seen.push(ofage.tenantId);
    const client = createClient({ secretKey: ofage.secretKey });
    const { sessionId } = await client.createSession({ returnUrl });
    await ofage.settle('failed_age_not_met');
    const validation = await client.validateSession(sessionId);
    expect(validation).toMatchObject({ status: 'failed', verified: false });
  });

  test('is another one in each test', async ({ ofage }) => {
    expect(seen).toHaveLength(1);
    expect(seen).not.toContain(ofage.tenantId);
    expect(await ofage.sessions()).toEqual([]);
    await expect(ofage.settle('verified')).rejects.toThrow('the account has no session yet');
  });

  test('has a clock that stands still until it is moved', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    const { sessionId } = await client.createSession({ returnUrl });
    expect((await ofage.clock.read()).frozen).toBe(true);
    await ofage.clock.advance(600_000);
    expect(await ofage.sessions()).toMatchObject([{ id: sessionId, status: 'expired' }]);
  });

  test('gives outcomes by call, session by session', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    await ofage.nextOutcomes('failed_document_rejected', 'verified');
    for (let n = 0; n < 3; n += 1) await client.createSession({ returnUrl });
    const presets = (await ofage.sessions()).map(({ presetOutcome }) => presetOutcome);
    expect(presets).toEqual([null, 'verified', 'failed_document_rejected']);
  });

  test('goes wrong when it is told to', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    await ofage.fault({ operation: 'create', fault: '503' });
    await expect(client.createSession({ returnUrl })).rejects.toMatchObject({ status: 503 });
    await client.createSession({ returnUrl });
  });

  test('brings the SDK for itself', async ({ ofage }) => {
    expect(ofage.OfAge.VERSION).toMatch(/^\d+\.\d+\.\d+$/);
    expect(() => new ofage.OfAge({ apiKey: 'sk_no', returnUrl })).toThrow('Secret key in browser');
  });
});

describe('without setupServer', () => {
  const test = base.extend(vitestFixtures({ createMockService, options: { seed: 7 } }));
  const keys: string[] = [];

  test.for([1, 2])(
    'nothing is intercepted, and fetch is handed in (run %i)',
    async (_, { ofage }) => {
      const client = createClient({ secretKey: ofage.secretKey, fetch: ofage.fetch });
      await client.createSession({ returnUrl });
      expect(await ofage.sessions()).toHaveLength(1);
      keys.push(ofage.secretKey);
      // A seed makes keys repeat themselves.
      expect(new Set(keys).size).toBe(1);
    },
  );
});
