import { createServer } from 'node:http';
import { createServer as createTcp, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type MockServer } from '../../../mock-server/hosts/node-server.ts';
import { closers, folder, get, portOf, start, useServers } from './a-node-server.ts';

useServers();

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
      expect(answer.body).toBe(`x="${server.apiBase}",y="${server.apiBase}",z="${help}"`);
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

  it('serves the hosted page without a COOP header, and the shop on a different site', async () => {
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

  it('reports missing pages instead of serving a different one', async () => {
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
      const { status, body, headers } = await get(server, path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'x-ofage-docs': 'not built' });
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

  it("responds with 503 while the shop's server is not running", async () => {
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
