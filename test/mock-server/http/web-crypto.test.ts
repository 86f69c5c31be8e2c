import { afterEach, describe, expect, it, vi } from 'vitest';
import { aMock } from '../../support/a-mock.ts';
import { RETURN_URL } from '../../support/api.ts';

afterEach(() => void vi.unstubAllGlobals());

describe('an environment without crypto.subtle, such as jsdom', () => {
  it('gets a 500 response that names Web Crypto if a request needs a signature', async () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const { api, secretKey } = await aMock();
    const response = await api('create', secretKey, { returnUrl: RETURN_URL });
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({
      message: expect.stringMatching(/no Web Crypto \(crypto\.subtle\)/),
      error: 'Internal Server Error',
    });
  });
});
