import { createMockService } from 'ofage/mock';
import { describe, expect, it } from 'vitest';

const API = 'https://api.ofage.example';
const ORIGIN = 'https://shop.example';

describe('a page on a different site', () => {
  it('may send a key and JSON, according to the preflight', async () => {
    const service = createMockService();
    const response = await service.fetch(
      new Request(`${API}/api/v1/sessions/create`, {
        method: 'OPTIONS',
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      }),
    );
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
  });

  it.each([
    ['/api/v1/sessions/create', 'an error response'],
    ['/api/v1/nothing', 'an unknown path'],
    ['/hosted/v1/session', 'the hosted page’s API'],
  ])('may read the response of %s: %s', async (path) => {
    const service = createMockService();
    const response = await service.fetch(
      new Request(API + path, { method: 'POST', headers: { origin: ORIGIN } }),
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'timing-allow-origin': ORIGIN,
      vary: 'Origin',
    });
  });

  it.each([
    ['X-RateLimit-Limit', 'the calls that a window allows'],
    ['X-RateLimit-Window', 'the length of the window'],
    ['X-RateLimit-Remaining', 'the calls that are left'],
    ['X-RateLimit-Retry-After', 'the wait after a 429, which the SDK shows the shopper'],
  ])('may read the response header %s: %s', async (header) => {
    const service = createMockService();
    const response = await service.fetch(
      new Request(`${API}/api/v1/sessions/create`, { method: 'POST', headers: { origin: ORIGIN } }),
    );
    const exposed = response.headers.get('access-control-expose-headers') ?? '';
    expect(exposed.split(', ')).toContain(header);
  });

  it('gets no CORS header if the request has no Origin', async () => {
    const service = createMockService();
    const response = await service.fetch(new Request(`${API}/api/v1/nothing`));
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});
