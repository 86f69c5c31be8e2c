/** Runs the server of docs/guides/server.md, which is that of examples/vite-express, against a mock over HTTP. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ScenarioName } from 'ofage-mock';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from 'ofage/server';
import { createSession, jsonHeaders, postJson } from '../support/api.ts';
import { aFolder } from '../support/folder.ts';
import { createSqliteResultStore } from './sqlite-result-store.ts';
import { waitFor } from '../support/wait-for.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

let shop: Server;
let mock: MockServer;
const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);

beforeAll(async () => {
  shop = createServer().listen(0, '127.0.0.1');
  await once(shop, 'listening');
  mock = await startMockServer({ port: 0, forwardTo: `${shopUrl()}/webhooks/ofage` });
  // These are the variables of the .env block that the mock prints.
  vi.stubEnv('OFAGE_SECRET_KEY', mock.secretKey);
  vi.stubEnv('OFAGE_API_BASE', mock.apiBase);
  vi.stubEnv('OFAGE_WEBHOOK_SECRET', mock.webhookSecret ?? '');
  const { app } = await import(join(ROOT, 'examples/vite-express/app.ts'));
  shop.on('request', app);
});
afterAll(async () => {
  shop.closeAllConnections();
  shop.close();
  await mock.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const shopUrl = (): string => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

async function settle(name: ScenarioName, externalUserId = 'customer-42'): Promise<string> {
  const { id } = await mock.control.trigger({ name, externalUserId });
  return id;
}

const ask = (body: string, headers = jsonHeaders()): Promise<Response> =>
  fetch(`${shopUrl()}/age-check`, { method: 'POST', headers, body });

async function askShop(sessionId: string): Promise<unknown> {
  const response = await ask(JSON.stringify({ sessionId }));
  return { status: response.status, body: await response.json() };
}

const answer = (access: boolean) => ({ status: 200, body: { access } });

describe('the Express server of docs/guides/server.md', () => {
  it('has a store of results that equals the file that this test runs', () => {
    expect(read('docs/guides/server.md')).toContain(
      `\`\`\`ts\n${read('test/docs/sqlite-result-store.ts')}\`\`\``,
    );
  });

  it('gives both of two processes with this store the result of each of eight sessions', async () => {
    const file = join(aFolder(), 'results.sqlite');
    const processes = [0, 1].map(() =>
      createClient({
        secretKey: mock.secretKey,
        baseUrl: mock.apiBase,
        resultStore: createSqliteResultStore(file),
      }),
    );
    const sessionIds = await Promise.all(Array.from({ length: 8 }, () => settle('verified')));
    const results = await Promise.all(
      sessionIds.flatMap((id) => processes.map((client) => client.validateOnce(id))),
    );
    expect(results.map(({ verified }) => verified)).toEqual(Array(16).fill(true));
  });

  it('gives access for a passed check, and stores the result', async () => {
    const sessionId = await settle('verified');
    expect(await askShop(sessionId)).toEqual(answer(true));
    expect(await askShop(sessionId)).toEqual(answer(true));
    const state = await fetch(`${shopUrl()}/age-check/state`);
    expect(await state.json()).toEqual({ access: true });
    const { findings } = await mock.control.doctor({ sessionId });
    expect(findings.map(({ code }) => code)).toEqual(['webhook_not_https']);
  });

  it('says what is missing in a request without a sessionId, for example without a content type', async () => {
    const response = await ask(JSON.stringify({ sessionId: await settle('verified') }), {});
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      message: 'Send the sessionId in a body of type application/json',
    });
  });

  it('gives access for a passed check that was pending at first', async () => {
    const { body } = await createSession(mock, { externalUserId: 'customer-42' });
    expect(await askShop(body.sessionId)).toEqual(answer(false));
    await mock.control.settle(body.sessionId, 'verified');
    expect(await askShop(body.sessionId)).toEqual(answer(true));
  });

  it.each(['failed_age_not_met', 'cancelled', 'timeout', 'never'] as const)(
    'gives no access after %s',
    async (scenario) => {
      expect(await askShop(await settle(scenario))).toEqual(answer(false));
    },
  );

  it('gives no access for an unknown session, or for one of another customer', async () => {
    expect(await askShop('3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90')).toEqual(answer(false));
    expect(await askShop(await settle('verified', 'customer-43'))).toEqual(answer(false));
  });

  it('gives no access for a session of another customer whose webhook has arrived', async () => {
    const sessionId = await settle('verified', 'customer-43');
    await waitFor(() => expect(log).toHaveBeenCalledWith('verification.completed', sessionId));
    expect(await askShop(sessionId)).toEqual(answer(false));
  });

  it('responds with 500, and not with the status of the service, if validating fails', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const sessionId = await settle('failed_age_not_met');
    await mock.control.addFault({ operation: 'validate', fault: '429' });
    expect((await ask(JSON.stringify({ sessionId }))).status).toBe(500);
    expect(report).toHaveBeenCalledWith(expect.objectContaining({ code: 'rate_limited' }));
    report.mockRestore();
  });

  it('gives access after the response of validate was lost, by the signed webhook', async () => {
    const sessionId = await settle('verified');
    await postJson(`${mock.apiBase}/sessions/validate`, mock.secretKey, { sessionId });
    await waitFor(() => expect(log).toHaveBeenCalledWith('verification.completed', sessionId));
    expect(await askShop(sessionId)).toEqual(answer(true));
  });
});
