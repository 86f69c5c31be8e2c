/** One contract for the servers of all examples, each against a mock over HTTP. */
import { once } from 'node:events';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSession, jsonHeaders } from '../support/api.ts';
import { eventBody } from '../server/builders.ts';
import { sign } from '../server/signed-request.ts';
import type { ExampleName } from '../support/examples.ts';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));
const WEBHOOK_SECRET = 'whsec_of_these_tests';

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const askAt =
  (server: Server): Ask =>
  (path, init) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);

/** Starts each server. The variables of the mock are set. */
const SERVERS: Readonly<Record<ExampleName, () => Promise<Ask>>> = {
  async 'script-tag'() {
    // The example listens at a fixed port, for other computers too.
    const { listen } = Server.prototype;
    const started = new Promise<Server>((resolve) => {
      vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
        resolve(this);
        return Reflect.apply(listen, this, [0, '127.0.0.1']) as Server;
      } as typeof listen);
    });
    await import(`${FOLDER}script-tag/server.js`);
    const server = await started;
    if (!server.listening) await once(server, 'listening');
    servers.push(server);
    return askAt(server);
  },
  async 'vite-express'() {
    const { app } = await import(`${FOLDER}vite-express/app.ts`);
    const server: Server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return askAt(server);
  },
  async next() {
    const { POST: ageCheck } = await import(`${FOLDER}next/app/age-check/route.ts`);
    const { POST: webhooks } = await import(`${FOLDER}next/app/webhooks/ofage/route.ts`);
    const routes: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
      '/age-check': ageCheck,
      '/webhooks/ofage': webhooks,
    };
    // Next.js answers with 500 if a route throws.
    return async (path, init) =>
      routes[path]!(new Request(`http://127.0.0.1${path}`, init)).catch((error: unknown) => {
        console.error(error);
        return new Response(null, { status: 500 });
      });
  },
};

const servers: Server[] = [];
let mock: MockServer;
const log = vi.spyOn(console, 'log').mockImplementation(() => {});
const logError = vi.spyOn(console, 'error').mockImplementation(() => {});

beforeAll(async () => {
  mock = await startMockServer({ port: 0 });
  vi.stubEnv('OFAGE_PUBLISHABLE_KEY', mock.publishableKey);
  vi.stubEnv('OFAGE_SECRET_KEY', mock.secretKey);
  vi.stubEnv('OFAGE_API_BASE', mock.apiBase);
  vi.stubEnv('OFAGE_WEBHOOK_SECRET', WEBHOOK_SECRET);
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await mock.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.each(Object.entries(SERVERS))('the server of the example %s', (_name, start) => {
  let ask: Ask;
  beforeAll(async () => {
    ask = await start();
  });

  const askAbout = (sessionId: string): Promise<Response> =>
    ask('/age-check', {
      method: 'POST',
      headers: jsonHeaders(),
      body: JSON.stringify({ sessionId }),
    });

  async function answerAbout(sessionId: string): Promise<unknown> {
    const response = await askAbout(sessionId);
    return { status: response.status, body: await response.json() };
  }
  const answer = (access: boolean) => ({ status: 200, body: { access } });

  const settle = async (name: 'verified' | 'failed_age_not_met', externalUserId: string) =>
    (await mock.control.trigger({ name, externalUserId })).id;
  const open = async (): Promise<string> =>
    (await createSession(mock, { externalUserId: 'customer-42' })).body.sessionId;

  it('gives access for a passed check, however often it is asked', async () => {
    const sessionId = await settle('verified', 'customer-42');
    for (let times = 0; times < 3; times += 1)
      expect(await answerAbout(sessionId)).toEqual(answer(true));
  });

  it.each<[kind: string, make: () => Promise<string> | string]>([
    ['a failed check', () => settle('failed_age_not_met', 'customer-42')],
    ['a check that has not ended', open],
    ['a passed check of another customer', () => settle('verified', 'customer-43')],
    ['a session that does not exist', () => '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90'],
    [
      'an expired session',
      async () => {
        const sessionId = await open();
        await mock.clock.advance(11 * 60_000);
        return sessionId;
      },
    ],
  ])('gives no access for %s', async (_kind, make) => {
    expect(await answerAbout(await make())).toEqual(answer(false));
  });

  it.each(['429', '500', '503', 'malformed'] as const)(
    'fails if the service answers with %s, and decides at the next request',
    async (fault) => {
      const sessionId = await settle('verified', 'customer-42');
      await mock.control.addFault({ operation: 'validate', fault, count: 5 });
      const response = await askAbout(sessionId);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('access');
      expect(logError).toHaveBeenCalled();
      await mock.control.clearFaults();
      expect(await answerAbout(sessionId)).toEqual(answer(true));
    },
  );

  it('gives no access for a body that is not JSON', async () => {
    const response = await ask('/age-check', { method: 'POST', headers: jsonHeaders(), body: '{' });
    expect(response.status).toBeGreaterThanOrEqual(400);
  });

  it('accepts a webhook of the service, and refuses one that somebody else has signed', async () => {
    const sessionId = await settle('verified', 'customer-42');
    const body = JSON.stringify(eventBody({}, { sessionId }));
    const send = async (secret: string) => {
      const headers = { 'x-ofage-signature': sign(body, secret) };
      return (await ask('/webhooks/ofage', { method: 'POST', headers, body })).status;
    };
    log.mockClear();
    expect(await send('whsec_of_somebody_else')).toBe(401);
    expect(log).not.toHaveBeenCalled();
    expect(await send(WEBHOOK_SECRET)).toBeLessThan(300);
    expect(JSON.stringify(log.mock.lastCall)).toContain(sessionId);
  });
});
