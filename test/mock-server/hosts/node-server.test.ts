import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseUrl, toPublicData } from '../../../mock-server/hosts/node-data.ts';
import {
  type MockServer,
  type MockServerOptions,
  startMockServer,
} from '../../../mock-server/hosts/node-server.ts';
import { createSession, postJson } from '../../support/api.ts';
import { findFreePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { startReceiver } from '../../support/receiver.ts';

let folder: string;

const closers: (() => Promise<unknown>)[] = [];

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

/** Sends a request over a socket, because fetch does not allow a custom Host header. */
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

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-server-'));
  mkdirSync(join(folder, 'pages/verify'), { recursive: true });
  mkdirSync(join(folder, 'docs/guides'), { recursive: true });
  writeFileSync(join(folder, 'docs/index.html'), 'docs');
  writeFileSync(join(folder, 'docs/guides/index.html'), 'guides');
  writeFileSync(join(folder, 'pages/index.html'), 'shop');
  writeFileSync(join(folder, 'pages/verify/index.html'), 'verify');
  writeFileSync(
    join(folder, 'sdk.min.js'),
    'x="https://api.ofage.example/api/v1",y="https://api.staging.ofage.example/api/v1",z="https://docs.ofage.example/errors/"',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('startMockServer()', () => {
  it('returns its URLs and the keys of an account', async () => {
    const server = await start();
    const port = portOf(server);
    expect(server).toMatchObject({
      apiBase: `http://127.0.0.1:${port}/api/v1`,
      controlBase: `http://127.0.0.1:${port}/control/v1`,
      shop: `http://localhost:${port}/`,
      console: `http://localhost:${port}/console/`,
      sdkUrl: `http://127.0.0.1:${port}/sdk.min.js`,
      publishableKey: expect.stringMatching(/^pk_/),
      secretKey: expect.stringMatching(/^sk_/),
      webhookSecret: expect.stringMatching(/^whsec_/),
    });
  });

  it('starts a server whose sessions are verified on its hosted page', async () => {
    const server = await start();
    const { verifyUrl } = (await createSession(server)).body;
    expect(verifyUrl).toContain(`http://127.0.0.1:${portOf(server)}/verify/?`);
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

  it.each([
    ['localhost', '127.0.0.1'],
    ['LOCALHOST', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.255.255.254', '127.255.255.254'],
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
    ['0:0:0:0:0:0:0:1', '[::1]'],
    ['[0000:0000:0000:0000:0000:0000:0000:0001]', '[::1]'],
    ['::0:1', '[::1]'],
    ['::0.0.0.1', '[::1]'],
  ])('listens on the host %s as %s', async (host, expected) => {
    const server = await startMockServer({ port: 0, host });
    expect(new URL(server.apiBase).hostname).toBe(expected);
    expect((await fetch(`${server.controlBase}/clock`)).status).toBe(200);
    await server.close();
  });

  it.each([
    '0.0.0.0',
    '192.168.1.5',
    'example.com',
    '::',
    '',
    // Other programs read these in other ways.
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.0.0.1.',
    'localhost.',
    '::ffff:127.0.0.1',
    '::1%lo',
    '127.0.0.1:4010',
    '[127.0.0.1]',
  ])(
    'refuses to listen on "%s", which may be an address that other computers reach',
    async (host) => {
      const sentence = `host must be localhost or a loopback address, such as 127.0.0.1 or ::1, got "${host}"`;
      await expect(startMockServer({ port: 0, host })).rejects.toThrow(new RangeError(sentence));
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

  it('rejects a public port that is the default port', async () => {
    const options = { publicPort: 4010, publicUrl: 'https://phone.example' };
    const message = 'publicPort must differ from port, got 4010 for both';
    await expect(startMockServer(options)).rejects.toThrow(message);
  });
});

it('startMockServer() does not change the globals of the process', async () => {
  const { Request, Response, fetch } = globalThis;
  const server = await startMockServer({ port: 0 });
  await fetch(`${server.controlBase}/clock`);
  expect([globalThis.Request, globalThis.Response, globalThis.fetch]).toEqual([
    Request,
    Response,
    fetch,
  ]);
  await server.close();
});

describe('the server of a mock', () => {
  let server: MockServer;
  beforeEach(async () => {
    server = await start();
  });

  it('rejects a foreign Host for pages and the SDK too', async () => {
    for (const path of ['/', '/sdk.min.js'])
      expect((await get(server, path, { host: 'evil.example' })).status).toBe(403);
  });

  it('serves an SDK that uses this server, to every page', async () => {
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
      const help = `${new URL(server.apiBase).origin}/help/`;
      const bound = `x="${server.apiBase}",y="${server.apiBase}",z="${help}"`;
      expect(answer.body.startsWith(bound)).toBe(true);
    }
    const { headers } = await get(server, '/sdk.min.js');
    const { etag } = headers as { etag: string };
    expect(await get(server, '/sdk.min.js', { 'if-none-match': etag })).toMatchObject({
      status: 304,
    });
    const packed = await get(server, '/sdk.min.js', { 'accept-encoding': 'gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' });
    const asked = { 'accept-encoding': 'gzip', 'if-none-match': `W/${etag}` };
    expect(await get(server, '/sdk.min.js', asked)).toMatchObject({
      status: 304,
      headers: { 'access-control-allow-origin': '*' },
    });
  });

  it('leads from / to the console, unless it has a demo shop', async () => {
    const toConsole = { status: 307, headers: { location: server.console } };
    expect(await get(server, '/')).toMatchObject(toConsole);
    const localhost = { host: `localhost:${portOf(server)}` };
    expect(await get(server, '/', localhost)).toMatchObject(toConsole);
  });

  it('serves the hosted page without a COOP header, and the shop on a different site', async () => {
    const demo = await start({ shopBackend: 'http://127.0.0.1:9' });
    const verify = await get(server, '/verify/?sessionId=1');
    expect(verify).toMatchObject({ status: 200, body: 'verify' });
    expect(verify.headers).not.toHaveProperty('cross-origin-opener-policy');
    const localhost = { host: `localhost:${portOf(demo)}` };
    expect(await get(demo, '/', localhost)).toMatchObject({ status: 200, body: 'shop' });
    for (const path of ['', 'code/', 'console/', 'labs/'])
      expect(await get(demo, `/${path}?a=1#x`)).toMatchObject({
        status: 307,
        headers: { location: `${demo.shop}${path}?a=1` },
      });
  });

  it('reports missing pages instead of serving a different one', async () => {
    expect(await get(server, '/nothing/here')).toMatchObject({ status: 404 });
    expect(await get(server, '/api/v1/nothing')).toMatchObject({
      status: 404,
      headers: { 'content-type': expect.stringContaining('application/json') },
    });
    const bare = await start({ pagesDir: join(folder, 'none'), sdkFile: join(folder, 'none.js') });
    const localhost = { host: `localhost:${portOf(bare)}` };
    expect(await get(bare, '/console/', localhost)).toMatchObject({ status: 503 });
    expect(await get(bare, '/sdk.min.js')).toMatchObject({ status: 503 });
  });
});

describe('the documentation of a mock', () => {
  it('is served below /docs/ on both sites, with headers that allow its search', async () => {
    const server = await start({ docsDir: join(folder, 'docs') });
    for (const name of ['localhost', '127.0.0.1']) {
      const host = `${name}:${portOf(server)}`;
      const page = await get(server, '/docs/guides/', { host });
      expect(page).toMatchObject({ status: 200, body: 'guides' });
      expect(page.headers).toMatchObject({
        'content-security-policy': expect.stringContaining("'wasm-unsafe-eval'"),
      });
    }
    expect(await get(server, '/docs/guides?a=1')).toMatchObject({
      status: 308,
      headers: { location: '/docs/guides/?a=1' },
    });
    expect(await get(server, '/docs')).toMatchObject({ headers: { location: '/docs/' } });
    for (const path of ['/docs/nothing/', '/docs/..%2fsdk.min.js', '/docsearch'])
      expect(await get(server, path)).toMatchObject({ status: 404 });
  });

  it('is a link to the published page if the site was not built', async () => {
    const server = await start({ docsDir: join(folder, 'none') });
    for (const [path, url] of [
      ['/docs', 'https://docs.ofage.example/'],
      ['/docs/guides/popup/?a=1', 'https://docs.ofage.example/guides/popup/'],
      ['/docs//evil.example/', 'https://docs.ofage.example//evil.example/'],
      ['/docs/"><script>', 'https://docs.ofage.example/%22%3E%3Cscript%3E'],
    ] as const) {
      const { status, body } = await get(server, path);
      expect(status).toBe(200);
      expect(body).toContain(`<a href="${url}">${url}</a>`);
    }
  });
});

describe('the shop of a mock', () => {
  it("forwards /shop/* to the shop's server, only on the shop's site", async () => {
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
    const shopBackend = `http://127.0.0.1:${await listen(backend)}`;
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
  });

  it("responds with 503 while the shop's server is not running", async () => {
    for (const shopBackend of [undefined, `http://127.0.0.1:${await findFreePort()}`]) {
      const server = await start({ shopBackend });
      const response = await fetch(`${server.shop}shop/config`);
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({
        message: "The demo shop's server is not running; --demo starts it",
      });
    }
  });
});

describe('the webhooks of a mock', () => {
  it('arrive at a receiver on this machine, with a signature that @octokit/webhooks-methods accepts', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const server = await start({ forwardTo: receiver.url });
    const secret = server.webhookSecret!;
    expect(secret).toMatch(/^whsec_/);

    const created = await createSession(server, { externalUserId: 'café ☕' });
    await server.control.settle(created.body.sessionId, 'verified');
    await receiver.waitFor(2);

    for (const { method, path, headers, body } of receiver.received) {
      expect([method, path]).toEqual(['POST', '/hooks']);
      expect(await verify(secret, body, String(headers['x-ofage-signature']))).toBe(true);
    }
  });

  it('have endpoints on this machine if allowLoopbackWebhooks is set and not by default, but never at a private address', async () => {
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
    ).rejects.toThrow('url must point to a public Internet address');
  });

  it('go to the shop’s server, but to no other URL on this machine', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const { origin } = new URL(receiver.url);
    const server = await start({ shopBackend: origin });
    const add = (url: string) => server.control.createEndpoint(server.tenantId, { url });
    await expect(add('http://127.0.0.1:9/x')).rejects.toThrow('url must use https');
    await expect(add('https://127.0.0.1/')).rejects.toThrow('must point to a public');
    const { id } = await add(`${origin}/shop/lab/receiver`);
    expect(await server.control.testEndpoint(id)).toMatchObject({ success: true });
    // The URL is checked again when an event is sent.
    const created = await createSession(server);
    expect(created.status).toBe(201);
    await receiver.waitFor(3);
  });

  it.each([
    ['a local URL allows loopback, as --help says', 'http://localhost:9/hooks', true],
    // No event occurs here, so nothing is sent.
    ['a public URL does not allow loopback', 'https://1.1.1.1/hooks', false],
  ])(
    'may go to a local endpoint only if forwardTo is local: %s',
    async (_what, forwardTo, isOpen) => {
      const server = await start({ forwardTo });
      const adding = server.control.createEndpoint(server.tenantId, {
        url: 'http://127.0.0.1:9/x',
      });
      await (isOpen ? adding : expect(adding).rejects.toThrow('url must use https'));
    },
  );

  it('are not forwarded to a private URL', async () => {
    await expect(
      startMockServer({ port: 0, forwardTo: 'http://169.254.169.254/' }),
    ).rejects.toThrow(
      /^Cannot forward webhooks to "http:\/\/169.254.169.254\/": url must use https$/,
    );
  });
});

describe('helpers for the data option', () => {
  it.each([
    ['postgres://user@localhost/mock', true, 'the common scheme'],
    ['postgresql://localhost/mock', true, 'the other scheme of PostgreSQL'],
    ['POSTGRES://localhost/mock', true, 'schemes are case-insensitive'],
    ['postgres.sqlite', false, 'a file name'],
    ['./postgres://x', false, 'an unusual path'],
    ['C:\\mock.sqlite', false, 'a drive letter is not a scheme'],
  ])('isDatabaseUrl(%s) is %s (%s)', (data, isDatabase) => {
    expect(isDatabaseUrl(data)).toBe(isDatabase);
  });

  it.each([
    [
      'postgres://user:s3cret@localhost:5432/mock',
      'postgres://user@localhost:5432/mock',
      'with a password',
    ],
    [
      'postgres://user:s3@cret@localhost/mock',
      'postgres://user@localhost/mock',
      'with an @ in the password',
    ],
    ['postgres://user:@localhost/mock', 'postgres://user@localhost/mock', 'with an empty password'],
    ['postgres://:s3cret@localhost/mock', 'postgres://@localhost/mock', 'without a user'],
    [
      'postgres:///mock?password=s3cret&host=/tmp',
      'postgres:///mock',
      'with the password as a parameter',
    ],
    ['postgresql://localhost/mock', 'postgresql://localhost/mock', 'without credentials'],
    ['postgres://user@localhost/a@b:c', 'postgres://user@localhost/a@b:c', 'with an @ in the path'],
    ['state:s3@cret.sqlite?x', 'state:s3@cret.sqlite?x', 'a file path is unchanged'],
  ])('toPublicData(%s) is %s (%s)', (data, shown) => {
    expect(toPublicData(data)).toBe(shown);
  });
});
