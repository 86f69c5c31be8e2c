import { setupServer } from 'msw/node';
import { createMockService } from 'ofage-mock';
import { afterEach, describe, expect, it } from 'vitest';
import { aMock } from '../../support/a-mock.ts';

const CREATE = '/api/v1/sessions/create';
const SHOP = 'https://shop.example';

/** Sends a request from a page, and returns the status and the headers of the response. */
async function ask(
  path: string,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const { request } = await aMock();
  const answer = await request(path, { method, headers: { origin: SHOP, ...headers } });
  return { status: answer.status, headers: Object.fromEntries(answer.headers) };
}

describe('a page on a different site', () => {
  it('may send a key and JSON, according to the preflight', async () => {
    const headers = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    expect(await ask(CREATE, { method: 'OPTIONS', headers })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': SHOP,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '7200',
        vary: 'Origin',
      },
    });
  });

  it.each([
    [CREATE, 'an error response'],
    ['/api/v1/nothing', 'an unknown path'],
    ['/hosted/v1/session', 'the hosted page’s API'],
  ])('may read the response of %s: %s', async (path) => {
    const { headers } = await ask(path);
    expect(headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      'timing-allow-origin': SHOP,
      vary: 'Origin',
    });
  });

  it.each([
    ['X-RateLimit-Limit', 'the calls that a window allows'],
    ['X-RateLimit-Window', 'the length of the window'],
    ['X-RateLimit-Remaining', 'the calls that are left'],
    ['X-RateLimit-Retry-After', 'the wait after a 429, which the SDK shows the shopper'],
  ])('may read the response header %s: %s', async (header) => {
    const { headers } = await ask(CREATE);
    const exposed = headers['access-control-expose-headers'] ?? '';
    expect(exposed.split(', ')).toContain(header);
  });
});

it('a request without an Origin gets no CORS header', async () => {
  const { request } = await aMock();
  const { headers } = await request('/api/v1/nothing', { method: 'GET' });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

const URL_OF_API = 'https://api.ofage.example/api/v1/nothing';

describe('a response to an intercepted request', () => {
  const service = createMockService();
  const server = setupServer(...service.handlers);
  server.listen();
  afterEach(() => server.close());

  it('allows every origin if the request has no Origin header, and otherwise only that origin', async () => {
    const [without, named] = await Promise.all([
      fetch(URL_OF_API),
      fetch(URL_OF_API, { headers: { origin: 'https://shop.example' } }),
    ]);
    expect(without.headers.get('access-control-allow-origin')).toBe('*');
    expect(named.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  });
});
