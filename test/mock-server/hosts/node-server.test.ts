import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { connect, createServer as createTcp, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startMockServer,
  type MockServer,
  type MockServerOptions,
} from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';
import { startReceiver, type Received } from '../../support/receiver.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-server-'));
  mkdirSync(join(folder, 'pages/verify'), { recursive: true });
  writeFileSync(join(folder, 'pages/index.html'), 'shop');
  writeFileSync(join(folder, 'pages/verify/index.html'), 'verify');
  writeFileSync(
    join(folder, 'sdk.min.js'),
    'x="https://api.ofage.example/api/v1",y="https://api.staging.ofage.example/api/v1"',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: MockServerOptions = {}): Promise<MockServer> {
  const server = await startMockServer({
    port: 0,
    pagesDir: join(folder, 'pages'),
    sdkFile: join(folder, 'sdk.min.js'),
    ...options,
  });
  closers.push(() => server.close());
  return server;
}

const portOf = (server: MockServer) => Number(new URL(server.apiBase).port);

/** A request as bytes on a socket would make it: fetch does not let a test choose its Host. */
function get(server: MockServer, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: object; body: string }>(
    (resolve, reject) => {
      const request = sendRequest(
        { host: '127.0.0.1', port: portOf(server), path, headers, agent: false },
        (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, body }),
          );
        },
      );
      request.on('error', reject).end();
    },
  );
}

describe('startMockServer()', () => {
  it('tells where everything is and which account to use', async () => {
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

  it('creates, settles and validates a session over HTTP', async () => {
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

  it('repeats its ids, keys and secrets for a seed', async () => {
    const accounts: unknown[] = [];
    for (const seed of [7, 7, 8]) {
      const server = await startMockServer({ port: 0, seed });
      accounts.push([server.tenantId, server.publishableKey, server.secretKey]);
      await server.close();
    }
    expect(accounts[0]).toEqual(accounts[1]);
    expect(accounts[0]).not.toEqual(accounts[2]);
  });

  it('keeps its state in a file over a restart, keys included', async () => {
    const data = join(folder, 'state.sqlite');
    const first = await startMockServer({ port: 0, data });
    const created = await postJson(`${first.apiBase}/sessions/create`, first.secretKey, {
      returnUrl: 'http://localhost/',
    });
    await first.control.settle(created.body.sessionId, 'failed_age_not_met');
    await first.close();
    const second = await start({ data });
    expect(second.secretKey).toBe(first.secretKey);
    const validated = await postJson(`${second.apiBase}/sessions/validate`, first.secretKey, {
      sessionId: created.body.sessionId,
    });
    expect(validated).toMatchObject({ status: 200, body: { status: 'failed' } });
  });

  it('lets go of port and file when it is closed, whoever is connected', async () => {
    const data = join(folder, 'released.sqlite');
    const server = await startMockServer({ port: 0, data });
    const port = portOf(server);
    const idle = connect(port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.on('error', () => {}).resume();
    const startedAt = performance.now();
    await server.close();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await ended;
    // Closing twice is what tidy tests do.
    await server.close();
    await start({ port, data });
  });

  it('says in one sentence that the port is in use, and leaves no file behind', async () => {
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

  it('frees the port when the file cannot be used', async () => {
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
    'refuses to listen on %s, where others could reach it',
    async (host) => {
      await expect(startMockServer({ port: 0, host })).rejects.toThrow(RangeError);
    },
  );

  it.each([
    [
      { shopUrl: 'http://localhost:3000' },
      'there is no option "shopUrl"; the options are port, host',
    ],
    [{ port: '4010' }, 'port must be an integer from 0 to 65535, got "4010"'],
    [{ port: 65_536 }, 'port must be an integer from 0 to 65535, got 65536'],
    [{ port: 0, data: true }, 'data must be a string, got true'],
    [{ port: 0, forwardTo: 'localhost:3000' }, 'forwardTo must be an http or https URL'],
    [{ port: 0, allowLoopbackWebhooks: [] }, 'allowLoopbackWebhooks must be true or false'],
    ['4010', 'its options must be an object, got "4010"'],
  ])('refuses %j', async (options, message) => {
    const starting = startMockServer(options as never);
    await expect(starting).rejects.toThrow(TypeError);
    await expect(starting).rejects.toThrow(`Cannot start the server: ${message}`);
  });
});

describe('the server of a mock', () => {
  let server: MockServer;
  beforeEach(async () => {
    server = await start();
  });

  it.each([
    ['evil.example', 'a name that was made to resolve to this machine'],
    ['192.168.1.5:4010', 'the local network'],
    ['localhost.evil.example', 'a prefix'],
  ])('answers nothing to the Host %s: %s', async (host) => {
    for (const path of ['/', '/control/v1/state', '/api/v1/sessions/create', '/sdk.min.js'])
      expect((await get(server, path, { host })).status).toBe(403);
  });

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    [undefined, 200],
  ])('answers the control surface for the Origin %s with %i', async (origin, status) => {
    const answer = await get(server, '/control/v1/state', origin === undefined ? {} : { origin });
    expect(answer.status).toBe(status);
  });

  it('lets its own pages use the control surface', async () => {
    for (const name of ['localhost', '127.0.0.1'])
      expect(
        await get(server, '/control/v1/state', { origin: `http://${name}:${portOf(server)}` }),
      ).toMatchObject({ status: 200 });
  });

  it('serves the SDK bound to itself, for every page to load', async () => {
    for (const path of ['/sdk.min.js', '/ofage.min.js']) {
      const answer = await get(server, path);
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          etag: expect.stringMatching(/^".+"$/),
        },
      });
      expect(answer.body).toBe(`x="${server.apiBase}",y="${server.apiBase}"`);
    }
    const { headers } = await get(server, '/sdk.min.js');
    const { etag } = headers as { etag: string };
    expect(await get(server, '/sdk.min.js', { 'if-none-match': etag })).toMatchObject({
      status: 304,
    });
  });

  it('serves the hosted page without a COOP header, and the shop on the other site', async () => {
    const verify = await get(server, '/verify/?sessionId=1');
    expect(verify).toMatchObject({ status: 200, body: 'verify' });
    expect(verify.headers).not.toHaveProperty('cross-origin-opener-policy');
    const localhost = { host: `localhost:${portOf(server)}` };
    expect(await get(server, '/', localhost)).toMatchObject({ status: 200, body: 'shop' });
    expect(await get(server, '/?a=1')).toMatchObject({
      status: 307,
      headers: { location: `${server.shop}?a=1` },
    });
    expect(await get(server, '/dashboard/?a=1#x')).toMatchObject({
      status: 307,
      headers: { location: `${server.shop}dashboard/?a=1` },
    });
  });

  it('says what is missing instead of answering with something else', async () => {
    expect(await get(server, '/nothing/here')).toMatchObject({ status: 404 });
    expect(await get(server, '/api/v1/nothing')).toMatchObject({
      status: 404,
      headers: { 'content-type': expect.stringContaining('application/json') },
    });
    const bare = await start({ pagesDir: join(folder, 'none'), sdkFile: join(folder, 'none.js') });
    const localhost = { host: `localhost:${portOf(bare)}` };
    expect(await get(bare, '/', localhost)).toMatchObject({ status: 503 });
    expect(await get(bare, '/sdk.min.js')).toMatchObject({ status: 503 });
  });

  it('survives rubbish', async () => {
    for (const rubbish of [
      'GET / HTTP/1.1\r\n\r\n',
      'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: [\r\n\r\n',
      'GET //evil.example/%2e%2e HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'POST /api/v1/sessions/create HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{',
      '\0\0\0\0',
    ]) {
      const socket = connect(portOf(server), '127.0.0.1', () => socket.write(rubbish));
      socket.on('error', () => {}).resume();
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
    }
    expect(await get(server, '/verify/')).toMatchObject({ status: 200 });
  });
});

describe('the shop of a mock', () => {
  it("hands /shop/* on to the shop's own server, on the shop's site alone", async () => {
    const seen: string[] = [];
    const backend = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { method, url, headers } = request;
        seen.push(`${method} ${url} ${headers.authorization} ${body}`);
        response.writeHead(201, { 'content-type': 'application/json', 'x-shop': '1' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => backend.close(resolve)));
    const shopBackend = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
    const server = await start({ shopBackend });

    const response = await fetch(`${server.shop}shop/checkout?a=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer me', 'content-type': 'application/json' },
      body: '{"returnUrl":"x"}',
    });
    expect([response.status, response.headers.get('x-shop'), await response.text()]).toEqual([
      201,
      '1',
      '{}',
    ]);
    expect(seen).toEqual(['POST /shop/checkout?a=1 Bearer me {"returnUrl":"x"}']);
    expect(await get(server, '/shop/config')).toMatchObject({ status: 404 });
    expect(seen).toHaveLength(1);
    backend.closeAllConnections();
  });

  it('answers 503 as long as that server is not running', async () => {
    const free = createTcp();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    for (const shopBackend of [undefined, `http://127.0.0.1:${port}`]) {
      const server = await start({ shopBackend });
      const response = await fetch(`${server.shop}shop/config`);
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({
        message: "The demo shop's server is not running",
      });
    }
  });
});

describe('the webhooks of a mock', () => {
  it('arrive signed at a receiver on this machine, for whom @octokit/webhooks-methods vouches', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const server = await start({ forwardTo: receiver.url });
    const secret = server.webhookSecret!;
    expect(secret).toMatch(/^whsec_/);

    const created = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: 'café ☕',
    });
    await server.control.settle(created.body.sessionId, 'verified');
    await receiver.waitFor(2);

    expect(receiver.received.map(({ body }) => JSON.parse(body).event).sort()).toEqual([
      'session.started',
      'verification.completed',
    ]);
    for (const { method, path, headers, body } of receiver.received) {
      expect([method, path]).toEqual(['POST', '/hooks']);
      const signature = String(headers['x-ofage-signature']);
      expect(await verify(secret, body, signature)).toBe(true);
      const at = body.indexOf('caf');
      const changed = `${body.slice(0, at)}b${body.slice(at + 1)}`;
      expect(await verify(secret, changed, signature)).toBe(false);
    }
  });

  it('go nowhere on this machine unless that was asked for', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const strict = await start();
    await expect(
      strict.control.createEndpoint(strict.tenantId, { url: receiver.url }),
    ).rejects.toThrow('url must use https');
    const open = await start({ allowLoopbackWebhooks: true });
    const { secret } = await open.control.createEndpoint(open.tenantId, { url: receiver.url });
    expect(secret).toMatch(/^whsec_/);
    await expect(
      open.control.createEndpoint(open.tenantId, { url: 'https://10.0.0.1/' }),
    ).rejects.toThrow('url must lead to a public Internet address');
  });

  it('go to the shop’s own server, which opens nothing else on this machine', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const { origin } = new URL(receiver.url);
    const server = await start({ shopBackend: origin });
    const add = (url: string) => server.control.createEndpoint(server.tenantId, { url });
    await expect(add('http://127.0.0.1:9/x')).rejects.toThrow('url must use https');
    await expect(add('https://127.0.0.1/')).rejects.toThrow('must lead to a public');
    const { id } = await add(`${origin}/shop/lab/receiver`);
    expect(await server.control.testEndpoint(id)).toMatchObject({ success: true });
    // What was allowed yesterday is judged again when it is sent.
    const created = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
      returnUrl: 'http://localhost/',
    });
    expect(created.status).toBe(201);
    await receiver.waitFor(3);
  });

  it.each([
    ['a local address opens this machine, as --help says', 'http://localhost:9/hooks', true],
    // No event happens here, so nothing is sent.
    ['an address elsewhere does not', 'https://1.1.1.1/hooks', false],
  ])('are forwarded: %s', async (_what, forwardTo, isOpen) => {
    const server = await start({ forwardTo });
    const adding = server.control.createEndpoint(server.tenantId, { url: 'http://127.0.0.1:9/x' });
    await (isOpen ? adding : expect(adding).rejects.toThrow('url must use https'));
  });

  it('follow the shop to another port, and share one secret with the forwarding', async () => {
    const data = join(folder, 'moving.sqlite');
    const first = await startMockServer({ port: 0, data, shopBackend: 'http://localhost:4011' });
    await first.close();
    const options = { shopBackend: 'http://localhost:4099', forwardTo: 'http://localhost:3000/h' };
    const second = await start({ data, ...options });
    expect(second.webhookSecret).toBe(first.webhookSecret);
    const endpoints = await second.control.endpoints(second.tenantId);
    expect(endpoints.map(({ url }) => url)).toEqual([
      'http://localhost:4099/shop/webhooks/ofage',
      'http://localhost:3000/h',
    ]);
  });

  it('stop going to a shop that does not run, and start again with it', async () => {
    const data = join(folder, 'on-and-off.sqlite');
    const shopBackend = 'http://localhost:4011';
    const seen: boolean[] = [];
    for (const options of [{ shopBackend }, {}, { shopBackend }]) {
      const server = await startMockServer({ port: 0, data, ...options });
      const endpoints = await server.control.endpoints(server.tenantId);
      expect(endpoints).toHaveLength(1);
      seen.push(endpoints[0]!.enabled);
      await server.close();
    }
    expect(seen).toEqual([true, false, true]);
  });

  it('keep their addresses and secrets over a reset', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const shopBackend = 'http://127.0.0.1:9';
    const server = await start({ shopBackend, forwardTo: receiver.url });
    await server.control.reset();
    expect(await server.control.endpoints(server.tenantId)).toHaveLength(2);
    const created = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
      returnUrl: 'http://localhost/',
    });
    expect(created.status).toBe(201);
    await receiver.waitFor(1);
    const [{ body, headers }] = receiver.received as [Received];
    const signature = String(headers['x-ofage-signature']);
    expect(await verify(server.webhookSecret!, body, signature)).toBe(true);
  });

  it('are not forwarded to where they must not go', async () => {
    await expect(
      startMockServer({ port: 0, forwardTo: 'http://169.254.169.254/' }),
    ).rejects.toThrow(
      /^Cannot forward webhooks to "http:\/\/169.254.169.254\/": url must use https$/,
    );
  });
});
