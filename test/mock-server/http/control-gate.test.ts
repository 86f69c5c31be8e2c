import { request } from 'node:http';
import { startMockServer, type MockServer } from 'ofage/mock/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlOperations } from '../../../mock-server/http/openapi/control-operations.ts';
import { aService } from './a-service.ts';

/** Ways in which a foreign page could call the control API. Each must be rejected for every operation. */
const FOREIGN = [
  {
    why: 'a name that resolves to this computer (DNS rebinding)',
    url: 'http://rebound.evil.example:4010',
    headers: {},
  },
  {
    why: 'a rebound name in the Host header only',
    url: 'http://127.0.0.1:4010',
    headers: { host: 'rebound.evil.example:4010' },
  },
  {
    why: 'a fetch from a foreign page',
    url: 'http://127.0.0.1:4010',
    headers: { origin: 'https://evil.example' },
  },
  {
    why: 'a sandboxed frame or a redirected form, whose origin is null',
    url: 'http://127.0.0.1:4010',
    headers: { origin: 'null' },
  },
  {
    why: 'a page whose origin looks like ours',
    url: 'http://127.0.0.1:4010',
    headers: { origin: 'http://localhost.evil.example' },
  },
  {
    why: 'an image, script or link, which sends no Origin header',
    url: 'http://127.0.0.1:4010',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  },
] as const;

describe.each(FOREIGN)('$why', ({ url, headers }) => {
  const { service } = aService();
  afterAll(() => service.close());

  it.each(controlOperations)('is rejected by $method $path, and changes nothing', async (row) => {
    const { tenantId } = await service.ready;
    const before = await service.control.snapshot();
    const response = await service.fetch(
      new Request(url + row.path.replace('{id}', tenantId), {
        method: row.method.toUpperCase(),
        headers: { 'content-type': 'application/json', ...headers },
        ...(row.method !== 'get' && { body: JSON.stringify(row.example ?? {}) }),
      }),
    );
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      message: 'The control API accepts requests from this computer only',
    });
    expect(await service.control.snapshot()).toEqual(before);
  });
});

describe('a page on this computer', () => {
  const { service } = aService();
  afterAll(() => service.close());

  it.each(['http://localhost:5173', 'http://127.0.0.1:4010', 'http://[::1]:3000'])(
    'at %s is allowed, even if the browser calls it cross-site',
    async (origin) => {
      const response = await service.fetch(
        new Request('http://127.0.0.1:4010/control/v1/state', {
          headers: { origin, 'sec-fetch-site': 'cross-site' },
        }),
      );
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    },
  );
});

describe('a foreign page', () => {
  const { service } = aService();
  afterAll(() => service.close());

  it('gets no permission in a preflight', async () => {
    const response = await service.fetch(
      new Request('http://127.0.0.1:4010/control/v1/faults', {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    );
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-methods')).toBeNull();
  });
});

describe('over a socket', () => {
  let server: MockServer;
  beforeAll(async () => {
    server = await startMockServer({ port: 0 });
  });
  afterAll(() => server.close());

  it.each(controlOperations.filter(({ method }) => method === 'get'))(
    'a rebound Host is rejected by $path',
    async ({ path }) => {
      const { port } = new URL(server.controlBase);
      const status = await new Promise((resolve, reject) => {
        request(
          { host: '127.0.0.1', port, path, headers: { host: 'rebound.evil.example' } },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        )
          .on('error', reject)
          .end();
      });
      expect(status).toBe(403);
    },
  );
});
