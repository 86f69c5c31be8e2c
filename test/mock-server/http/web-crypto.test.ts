import { createMockService } from 'ofage/mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jsonHeaders } from '../../support/api.ts';

afterEach(() => void vi.unstubAllGlobals());

describe('an environment without crypto.subtle, such as jsdom', () => {
  it('gets a 500 response that names Web Crypto if a request needs a signature', async () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const service = createMockService();
    const { secretKey } = await service.ready;
    const response = await service.fetch(
      new Request('https://api.ofage.example/api/v1/sessions/create', {
        method: 'POST',
        headers: jsonHeaders(secretKey),
        body: JSON.stringify({ returnUrl: 'http://localhost/return' }),
      }),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(/no Web Crypto \(crypto\.subtle\)/),
      error: 'Internal Server Error',
    });
  });
});
