import { startMockServer } from 'ofage/mock/node';
import { createClient } from 'ofage/server';
import { playwrightFixtures } from 'ofage/testing';
import { expect, it } from 'vitest';

// test/e2e/testing.spec.ts tests the fixtures in Playwright itself.
const fixtures = playwrightFixtures({ startMockServer });
const [ofageServer] = fixtures.ofageServer;

it('the ofage fixture in Playwright clears faults and resumes the clock before the worker’s next test', async () => {
  await ofageServer({}, async (server) => {
    await fixtures.ofage({ ofageServer: server }, async ({ control, clock, fault }) => {
      await fault({ operation: 'create', fault: '503', count: 5 });
      // This fault affects every account.
      await control.addFault({ operation: 'create', fault: '500', count: 5 });
      await clock.freeze();
    });
    await fixtures.ofage({ ofageServer: server }, async ({ apiBase, secretKey, clock }) => {
      const client = createClient({ secretKey, baseUrl: apiBase });
      await client.createSession({ returnUrl: 'http://localhost/' });
      expect((await clock.read()).frozen).toBe(false);
    });
  });
});

it('the Playwright fixtures connect to a running mock and do not stop it', async () => {
  const running = await startMockServer({ port: 0 });
  const connected = playwrightFixtures({ baseUrl: running.controlBase });
  const [connect] = connected.ofageServer;
  await connect({}, async (server) => {
    expect(server).toMatchObject({
      apiBase: running.apiBase,
      controlBase: running.controlBase,
      sdkUrl: running.sdkUrl,
    });
    await connected.ofage({ ofageServer: server }, async (account) => {
      const client = createClient({ secretKey: account.secretKey, baseUrl: account.apiBase });
      const { sessionId } = await client.createSession({ returnUrl: 'http://localhost/' });
      expect(await account.settle('verified')).toMatchObject({ id: sessionId, status: 'verified' });
      expect(account.tenantId).not.toBe(running.tenantId);
    });
  });
  expect(await running.control.tenants()).toHaveLength(2);
  await running.close();
});
