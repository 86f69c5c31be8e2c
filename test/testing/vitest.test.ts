import { http } from 'msw';
import { setupServer } from 'msw/node';
import { createMockService } from 'ofage/mock';
import { createClient, createWebhookHandler } from 'ofage/server';
import { vitestFixtures } from 'ofage/testing';
import { describe, expect, test as base } from 'vitest';

const returnUrl = 'http://localhost/return';
const test = base.extend(vitestFixtures({ createMockService, setupServer }));

describe('the ofage fixture in Vitest', () => {
  const seen: string[] = [];

  test('serves the complete API at the production address', async ({ ofage }) => {
    seen.push(ofage.tenantId);
    const client = createClient({ secretKey: ofage.secretKey });
    const { sessionId } = await client.createSession({ returnUrl });
    await ofage.settle('failed_age_not_met');
    const validation = await client.validateSession(sessionId);
    expect(validation).toMatchObject({ status: 'failed', verified: false });
  });

  test('has a new account in each test', async ({ ofage }) => {
    expect(seen).toHaveLength(1);
    expect(seen).not.toContain(ofage.tenantId);
    expect(await ofage.sessions()).toEqual([]);
    await expect(ofage.settle('verified')).rejects.toThrow('the account has no session yet');
  });

  test('has a frozen clock that the test can move', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    const { sessionId } = await client.createSession({ returnUrl });
    expect((await ofage.clock.read()).frozen).toBe(true);
    await ofage.clock.advance(600_000);
    expect(await ofage.sessions()).toMatchObject([{ id: sessionId, status: 'expired' }]);
  });

  test('queues outcomes for the next sessions', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    await ofage.nextOutcomes('failed_document_rejected', 'verified');
    for (let n = 0; n < 3; n += 1) await client.createSession({ returnUrl });
    const presets = (await ofage.sessions()).map(({ presetOutcome }) => presetOutcome);
    expect(presets).toEqual([null, 'verified', 'failed_document_rejected']);
  });

  test('injects a fault into the next request', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    await ofage.fault({ operation: 'create', fault: '503' });
    await expect(client.createSession({ returnUrl })).rejects.toMatchObject({ status: 503 });
    await client.createSession({ returnUrl });
  });

  test('provides an SDK that checks its options', async ({ ofage }) => {
    expect(ofage.OfAge.VERSION).toMatch(/^\d+\.\d+\.\d+$/);
    expect(() => new ofage.OfAge({ apiKey: 'sk_no', returnUrl })).toThrow('Secret key in browser');
  });
});

describe('the ofage fixture in Vitest with a receiver of webhooks', () => {
  const url = 'https://shop.example/webhooks/ofage';
  const secret = 'whsec_of_this_test';
  const received: string[] = [];
  const webhooks = createWebhookHandler({ secret, onEvent: ({ event }) => received.push(event) });
  const receiver = http.post(url, ({ request }) => webhooks(request));
  const test = base.extend(
    vitestFixtures({
      createMockService,
      setupServer: (...handlers) => setupServer(receiver, ...handlers),
    }),
  );

  test('delivers the webhooks that are due when the clock is advanced', async ({ ofage }) => {
    await ofage.control.createEndpoint(ofage.tenantId, { url, secret });
    const client = createClient({ secretKey: ofage.secretKey });
    await client.createSession({ returnUrl });
    await ofage.settle('verified');
    await ofage.clock.advance(0);
    expect(received).toEqual(['session.started', 'verification.completed']);
  });
});

describe('the ofage fixture in Vitest if setupServer is not passed', () => {
  const test = base.extend(vitestFixtures({ createMockService, options: { seed: 7 } }));
  const keys: string[] = [];

  test.for([1, 2])(
    'does not intercept requests, so the test passes the fixture’s fetch to the client (run %i)',
    async (_, { ofage }) => {
      const client = createClient({ secretKey: ofage.secretKey, fetch: ofage.fetch });
      await client.createSession({ returnUrl });
      expect(await ofage.sessions()).toHaveLength(1);
      keys.push(ofage.secretKey);
      // The seed makes the keys repeatable.
      expect(new Set(keys).size).toBe(1);
    },
  );
});
