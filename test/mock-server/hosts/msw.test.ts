import { setupServer } from 'msw/node';
import { createMockService } from 'ofage/mock';
import { afterEach, describe, expect, it } from 'vitest';

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
