import { createServer } from 'node:http';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { createMockService, type MockService } from 'ofage-mock';
import { createClient, createWebhookHandler } from 'ofage/server';
import { vitestFixtures } from 'ofage-mock/testing';
import { afterEach, beforeEach, describe, expect, it, test as base, vi } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';

const returnUrl = 'http://localhost/return';
const freePort = await findFreePort();
const test = base.extend(vitestFixtures({ createMockService, setupServer }));

describe('the ofage fixture in Vitest', () => {
  test('serves the complete API at the production address', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    const { sessionId } = await client.createSession({ returnUrl });
    await ofage.settle('failed_age_not_met');
    const validation = await client.validateSession(sessionId);
    expect(validation).toMatchObject({ status: 'failed', verified: false });
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

  test('injects a fault into the requests of its account only', async ({ ofage }) => {
    const { id } = await ofage.control.createTenant({ name: 'Another shop' });
    const { secret } = await ofage.control.createKeyPair(id);
    await ofage.fault({ operation: 'create', fault: '503' });
    await createClient({ secretKey: secret.value }).createSession({ returnUrl });
    const client = createClient({ secretKey: ofage.secretKey });
    await expect(client.createSession({ returnUrl })).rejects.toMatchObject({ status: 503 });
  });

  test('settles the newest session of its account, or the one that is named', async ({ ofage }) => {
    const client = createClient({ secretKey: ofage.secretKey });
    const { sessionId: first } = await client.createSession({ returnUrl });
    const { sessionId: second } = await client.createSession({ returnUrl });
    const { id } = await ofage.control.createTenant({ name: 'Another shop' });
    const { secret } = await ofage.control.createKeyPair(id);
    await createClient({ secretKey: secret.value }).createSession({ returnUrl });
    expect(await ofage.settle('verified')).toMatchObject({ id: second, status: 'verified' });
    expect(await ofage.settle('cancelled', first)).toMatchObject({ id: first });
  });

  test('rejects what the mock refuses', async ({ ofage }) => {
    const unknown = 'unknown' as 'verified';
    await expect(ofage.nextOutcomes(unknown)).rejects.toThrow('must be one of');
    await expect(ofage.settle('verified', 'no-session')).rejects.toThrow('Session not found');
    const fault = { operation: 'create', fault: unknown } as never;
    await expect(ofage.fault(fault)).rejects.toThrow('fault');
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

describe('the ofage fixture in Vitest if OFAGE_API_BASE is set, for example by the .env of a running mock', () => {
  // Nothing listens there, so requests that are not intercepted fail.
  const origin = `http://127.0.0.1:${freePort}`;
  const baseUrl = `${origin}/api/v1`;
  beforeEach(() => void vi.stubEnv('OFAGE_API_BASE', baseUrl));
  afterEach(() => void vi.unstubAllEnvs());

  test.for([baseUrl, `${baseUrl}/`, undefined])(
    'serves the API to a client with the baseUrl %s',
    async (address, { ofage }) => {
      const client = createClient({ secretKey: ofage.secretKey, baseUrl: address });
      const { sessionId } = await client.createSession({ returnUrl });
      expect(await ofage.sessions()).toMatchObject([{ id: sessionId }]);
    },
  );

  test('leaves the rest of that address to the running mock', async ({ ofage }) => {
    expect(await ofage.sessions()).toEqual([]);
    await expect(fetch(`${origin}/control/v1/clock`)).rejects.toThrow('fetch failed');
  });
});

it('the ofage fixture in Vitest stops intercepting and closes its service after the test', async () => {
  const url = await serve('the real server');
  const intercepting = http.get(url, () => HttpResponse.text('the test'));
  const { ofage } = vitestFixtures({
    createMockService,
    setupServer: (...handlers) => setupServer(intercepting, ...handlers),
  });
  const read = async (): Promise<string> => (await fetch(url)).text();
  let control: MockService['control'] | undefined;
  await ofage({}, async (account) => {
    ({ control } = account);
    expect(await read()).toBe('the test');
    expect(await control.tenants()).toHaveLength(1);
  });
  expect(await read()).toBe('the real server');
  await expect(control?.tenants()).rejects.toThrow('The service is closed');
});

it('the ofage fixture in Vitest has a new account in each test', async () => {
  const { ofage } = vitestFixtures({ createMockService, setupServer });
  const accounts = new Set<string>();
  for (let n = 0; n < 2; n += 1) {
    await ofage({}, async ({ tenantId, secretKey, sessions, settle }) => {
      accounts.add(tenantId);
      expect(await sessions()).toEqual([]);
      await expect(settle('verified')).rejects.toThrow('the account has no session yet');
      await createClient({ secretKey }).createSession({ returnUrl });
    });
  }
  expect(accounts.size).toBe(2);
});

it.each(['listen', 'close'] as const)(
  'the ofage fixture in Vitest closes its service although %s() of MSW throws',
  async (failing) => {
    let service: MockService | undefined;
    const { ofage } = vitestFixtures({
      createMockService(options) {
        const created = createMockService(options);
        service = created;
        return created;
      },
      setupServer: (...handlers) =>
        Object.assign(setupServer(...handlers), {
          [failing]() {
            throw new Error('MSW is not ready');
          },
        }),
    });
    await expect(ofage({}, async () => {})).rejects.toThrow('MSW is not ready');
    await expect(service?.control.tenants()).rejects.toThrow('The service is closed');
  },
);

/** Serves a text at an address of this computer until the test has finished. */
async function serve(text: string): Promise<string> {
  const server = createServer((_request, response) => void response.end(text));
  return `http://127.0.0.1:${await listen(server)}/`;
}

describe('the ofage fixture in Vitest if setupServer is not passed', () => {
  const options = { seed: 7, clock: { frozen: false } };
  const { ofage } = vitestFixtures({ createMockService, options });

  it('does not intercept requests, so the test passes the fixture’s fetch to the client', async () => {
    const keys = new Set<string>();
    for (let n = 0; n < 2; n += 1) {
      await ofage({}, async ({ secretKey, fetch, sessions, clock }) => {
        await createClient({ secretKey, fetch }).createSession({ returnUrl });
        expect(await sessions()).toHaveLength(1);
        keys.add(secretKey);
        // The options of the test win over those of the fixture.
        expect((await clock.read()).frozen).toBe(false);
      });
    }
    // The seed makes the keys repeatable.
    expect(keys.size).toBe(1);
  });
});
