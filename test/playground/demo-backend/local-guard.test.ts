import { request as sendRequest } from 'node:http';
import { startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoBackend } from '../../../playground/demo-backend/demo-backend.ts';
import { listenAsShop } from '../../../playground/demo-backend/listen-as-shop.ts';
import { createMemoryLabStore } from '../../../playground/demo-backend/lab-store.ts';
import { createMemoryStore } from '../../../playground/reference-backend/store.ts';
import { sendRaw } from '../../support/raw-socket.ts';

/** Starts the demo backend, and a mock that forwards to it. */
async function startBoth() {
  const shop = await listenAsShop(
    createDemoBackend({
      secretKey: 'sk_shop',
      publishableKey: 'pk_shop',
      webhookSecret: 'whsec_shop',
      apiBase: 'http://127.0.0.1:1/api/v1',
      fetch: () => Promise.reject(new TypeError('No service')),
      store: createMemoryStore(),
      labStore: createMemoryLabStore(),
      publicUrl: 'http://127.0.0.1',
      breakConnection: () => Response.error(),
    }),
    0,
  );
  const mock = await startMockServer({ port: 0, shopBackend: `http://127.0.0.1:${shop.port}` });
  return {
    ports: { own: shop.port, proxied: Number(new URL(mock.apiBase).port) },
    async close() {
      await mock.close();
      await shop.close();
    },
  };
}

let both: Awaited<ReturnType<typeof startBoth>>;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both.close());

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

describe.each([
  { server: 'the shop’s own server', which: 'own' },
  { server: 'the mock, which forwards to the shop', which: 'proxied' },
] as const)('$server', ({ which }) => {
  const portOf = (): number => both.ports[which];

  /** Sends a request over a socket, because fetch() sets `Host` and `Sec-Fetch-Site` itself. */
  const ask = ({ method = 'GET', path = '/shop/config', headers = {} }: Sent) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const host = `localhost:${portOf()}`;
      const options = { host: '127.0.0.1', port: portOf(), method, path, agent: false };
      const request = sendRequest({ ...options, headers: { host, ...headers } }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      request.on('error', reject).end();
    });

  it.each([
    { why: 'a program', headers: {} },
    {
      why: 'the shop’s own page',
      headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    },
    {
      why: 'an address that is typed in',
      headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    },
    {
      why: 'a link on another site',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    },
    {
      why: 'a page on another port of this computer',
      headers: { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
    },
  ])('accepts the request of $why', async ({ headers }) => {
    expect(await ask({ headers })).toMatchObject({ status: 200 });
  });

  it.each([
    { why: 'a rebound name', headers: { host: 'rebind.example:4011' } },
    { why: 'the name of another computer', headers: { host: '192.168.1.5:4011' } },
    {
      why: 'a script on another site',
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    },
    {
      why: 'an image on another site, which sends no origin',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    },
    {
      why: 'a frame on another site',
      headers: { origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    },
    {
      why: 'an old browser, which sends only the origin',
      headers: { origin: 'http://evil.example' },
    },
    { why: 'an app whose pages have a local host', headers: { origin: 'capacitor://localhost' } },
  ])('refuses the request of $why', async ({ headers }) => {
    for (const path of ['/shop/config', '/shop/lab/receiver/state']) {
      const { status, body } = await ask({ path, headers });
      expect([path, status]).toEqual([path, 403]);
      expect(body).toMatch(/only serves|accepts requests from/);
    }
  });

  it('refuses a form that another site submits, although that is a navigation', async () => {
    const headers = {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    };
    expect(await ask({ method: 'POST', path: '/shop/sign-in', headers })).toMatchObject({
      status: 403,
    });
  });

  it('refuses TRACE, which fetch() cannot forward, with a true sentence', async () => {
    const { status, body } = await ask({ method: 'TRACE' });
    expect([status, body]).toEqual([405, '{"message":"Cannot TRACE /shop/config"}']);
  });

  describe.each([
    '/shop/webhooks/ofage',
    '/shop/lab/receiver',
    '/shop/careless/webhooks',
    '/shop/x',
  ])('refuses a large body to %s before it has arrived', (path) => {
    const head = (...lines: string[]): string =>
      [`POST ${path} HTTP/1.1`, `Host: localhost:${portOf()}`, ...lines, '', ''].join('\r\n');

    it('if its length is announced', async () => {
      const { statuses, text } = await sendRaw(portOf(), head('Content-Length: 5000000'), {
        answers: 1,
      });
      expect(statuses).toEqual([413]);
      expect(text).toContain('must not be larger than');
    });

    it('if it arrives in chunks without an end', async () => {
      const chunk = `20000\r\n${'x'.repeat(0x20000)}\r\n`;
      const bytes = head('Transfer-Encoding: chunked') + chunk + chunk;
      const { statuses, end } = await sendRaw(portOf(), bytes, { answers: 1 });
      // A server that has responded may close the connection while the body is still arriving.
      if (end !== 'reset') expect(statuses).toEqual([413]);
    });

    it('if all of it arrives', async () => {
      const bytes = head('Content-Length: 5000000') + 'x'.repeat(5_000_000);
      const { statuses, end } = await sendRaw(portOf(), bytes, { answers: 1 });
      if (end !== 'reset') expect(statuses).toEqual([413]);
    });
  });
});
