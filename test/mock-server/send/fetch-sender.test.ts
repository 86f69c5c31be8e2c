import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFetchSender, type WebhookRequest } from '../../../mock-server/send/sender.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const toRequest = (url: string, timeoutMs = 5_000): WebhookRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'x-ofage-signature': 'sha256=00' },
  body: new TextEncoder().encode('{"name":"café", "age": 25.0}'),
  timeoutMs,
});
const sender = createFetchSender();

describe('createFetchSender()', () => {
  it("reaches a merchant's MSW handler with the exact bytes", async () => {
    let received: unknown;
    server.use(
      http.post('https://shop.example.com/hook', async ({ request }) => {
        received = [request.headers.get('x-ofage-signature'), await request.text()];
        return new HttpResponse(null, { status: 429, headers: { 'retry-after': '7' } });
      }),
    );
    expect(await sender.send(toRequest('https://shop.example.com/hook'))).toEqual({
      kind: 'response',
      status: 429,
      retryAfter: '7',
      address: null,
      hops: 0,
    });
    expect(received).toEqual(['sha256=00', '{"name":"café", "age": 25.0}']);
  });

  it('follows a visible redirect with the same bytes', async () => {
    let received: unknown;
    server.use(
      http.post('https://shop.example.com/old', () =>
        HttpResponse.json(null, { status: 302, headers: { location: '/new' } }),
      ),
      http.post('https://shop.example.com/new', async ({ request }) => {
        received = await request.text();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const result = await sender.send(toRequest('https://shop.example.com/old'));
    expect(result).toMatchObject({ kind: 'response', status: 204, hops: 1 });
    expect(received).toBe('{"name":"café", "age": 25.0}');
  });

  it('fails on a redirect that the browser hides', async () => {
    const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    const inPage = createFetchSender({ fetch: async () => opaque });
    const result = await inPage.send(toRequest('https://shop.example.com/hook'));
    expect(result).toMatchObject({ kind: 'failure', error: 'bad_redirect' });
  });

  it('rejects non-public URLs without a request, and sends to localhost only if loopback is allowed', async () => {
    let requests = 0;
    server.use(
      http.all('*', () => {
        requests += 1;
        return new HttpResponse();
      }),
    );
    for (const url of ['https://127.0.0.1/', 'https://localhost/', 'https://169.254.169.254/'])
      expect(await sender.send(toRequest(url))).toMatchObject({ kind: 'refused' });
    expect(requests).toBe(0);
    const open = createFetchSender({ allowLoopback: true });
    expect(await open.send(toRequest('http://localhost:4011/'))).toMatchObject({ status: 200 });
  });

  it('fails with connect after a network error, and with timeout if the receiver hangs', async () => {
    server.use(
      http.post('https://shop.example.com/down', () => HttpResponse.error()),
      http.post('https://shop.example.com/slow', () => new Promise<never>(() => {})),
    );
    expect(await sender.send(toRequest('https://shop.example.com/down'))).toMatchObject({
      kind: 'failure',
      error: 'connect',
    });
    expect(await sender.send(toRequest('https://shop.example.com/slow', 50))).toMatchObject({
      kind: 'failure',
      error: 'timeout',
    });
  });
});
