import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { createSession, postJson } from '../../support/api.ts';
import { folder, portOf, start, useServers } from './a-node-server.ts';

useServers();

describe('startMockServer()', () => {
  it('returns its URLs and the keys of an account', async () => {
    const server = await start();
    const port = portOf(server);
    expect(server).toMatchObject({
      apiBase: `http://127.0.0.1:${port}/api/v1`,
      controlBase: `http://127.0.0.1:${port}/control/v1`,
      shop: `http://localhost:${port}/`,
      dashboard: `http://127.0.0.1:${port}/dashboard/`,
      sdkUrl: `http://127.0.0.1:${port}/sdk.min.js`,
      publishableKey: expect.stringMatching(/^pk_/),
      secretKey: expect.stringMatching(/^sk_/),
      webhookSecret: null,
    });
  });

  it('starts a server that creates and validates a session over HTTP', async () => {
    const server = await start();
    const created = await postJson(`${server.apiBase}/sessions/create`, server.publishableKey, {
      returnUrl: `${server.shop}return/`,
    });
    expect(created.status).toBe(201);
    const verifyUrl = new URL(created.body.verifyUrl);
    expect(verifyUrl.origin + verifyUrl.pathname).toBe(
      `http://127.0.0.1:${portOf(server)}/verify/`,
    );
    const { sessionId } = created.body;
    await server.control.settle(sessionId, 'verified');
    const validated = await postJson(`${server.apiBase}/sessions/validate`, server.secretKey, {
      sessionId,
    });
    expect(validated).toMatchObject({
      status: 200,
      body: { sessionId, verified: true, merchantId: server.tenantId },
    });
  });

  it('generates the same account id and keys for the same seed, and different ones for a different seed', async () => {
    const accounts: unknown[] = [];
    for (const seed of [7, 7, 8]) {
      const server = await startMockServer({ port: 0, seed });
      accounts.push([server.tenantId, server.publishableKey, server.secretKey]);
      await server.close();
    }
    expect(accounts[0]).toEqual(accounts[1]);
    expect(accounts[0]).not.toEqual(accounts[2]);
  });

  it('restores its state and keys from a file after a restart', async () => {
    const data = join(folder, 'state.sqlite');
    const first = await startMockServer({ port: 0, data });
    const created = await createSession(first);
    await first.control.settle(created.body.sessionId, 'failed_age_not_met');
    await first.close();
    const second = await start({ data });
    expect(second.secretKey).toBe(first.secretKey);
    const validated = await postJson(`${second.apiBase}/sessions/validate`, first.secretKey, {
      sessionId: created.body.sessionId,
    });
    expect(validated).toMatchObject({ status: 200, body: { status: 'failed' } });
  });

  it('releases the port and the file when it is closed, even with open connections', async () => {
    const data = join(folder, 'released.sqlite');
    const server = await startMockServer({ port: 0, data });
    const port = portOf(server);
    const idle = connect(port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.on('error', () => {}).resume();
    await server.close();
    await ended;
    // Closing twice must be harmless, because tests do it.
    await server.close();
    await start({ port, data });
    // Without close(), the server ends a silent connection after 30 seconds.
  }, 20_000);

  it('reports in one sentence that the port is in use, and creates no file', async () => {
    const taken = await start();
    const data = join(folder, 'never-made.sqlite');
    const port = portOf(taken);
    const failure = await startMockServer({ port, data }).catch((error: Error) => error.message);
    expect(failure).toMatch(
      new RegExp(`^Cannot listen on 127.0.0.1:${port}: the port is in use[^\n]*[^.]$`),
    );
    const { existsSync } = await import('node:fs');
    expect(existsSync(data)).toBe(false);
  });

  it('releases the port if the file cannot be used', async () => {
    const junk = join(folder, 'junk.sqlite');
    writeFileSync(junk, 'this is not a database, but long enough to be taken for one'.repeat(50));
    const probe = await startMockServer({ port: 0 });
    const port = portOf(probe);
    await probe.close();
    await expect(startMockServer({ port, data: junk })).rejects.toThrow(
      /Cannot open the data file/,
    );
    await start({ port });
  });

  it.each(['0.0.0.0', '192.168.1.5', 'example.com', '::'])(
    'refuses to listen on %s, which other computers could reach',
    async (host) => {
      await expect(startMockServer({ port: 0, host })).rejects.toThrow(RangeError);
    },
  );

  it.each([
    [
      { shopUrl: 'http://localhost:3000' },
      'unknown option "shopUrl"; supported options: port, host',
    ],
    [{ port: '4010' }, 'port must be an integer from 0 to 65535, got "4010"'],
    [{ port: 65_536 }, 'port must be an integer from 0 to 65535, got 65536'],
    [{ port: 0, data: true }, 'data must be a string, got true'],
    [{ port: 0, forwardTo: 'localhost:3000' }, 'forwardTo must be an http or https URL'],
    [{ port: 0, allowLoopbackWebhooks: [] }, 'allowLoopbackWebhooks must be true or false'],
    ['4010', 'its options must be an object, got "4010"'],
  ])('rejects %j', async (options, message) => {
    const starting = startMockServer(options as never);
    await expect(starting).rejects.toThrow(TypeError);
    await expect(starting).rejects.toThrow(`Cannot start the server: ${message}`);
  });
});
