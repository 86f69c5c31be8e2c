import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTokenSigner, type Mac } from '../../../mock-server/service/http/session-tokens.ts';
import { aMock } from '../../support/a-mock.ts';
import { RETURN_URL } from '../../support/api.ts';

const SESSION = '3f2b8c1e-6d4a-4b7e-9c15-8a2d7e0f4b36';
const inThread: Mac = (key, text) => createHmac('sha256', key).update(text).digest();

describe.each([
  ['Web Crypto', undefined],
  ['node:crypto', inThread],
])('createTokenSigner() with %s', (_name, mac) => {
  it('signs both tokens of a session, and verifies them', async () => {
    const signer = createTokenSigner(() => 'secret', mac);
    const { sessionToken, handoffToken } = await signer.sign(SESSION);
    expect(sessionToken).toMatch(/^st1_3f2b8c1e6d4a4b7e9c158a2d7e0f4b36[0-9a-f]{32}$/);
    expect(await signer.verify(sessionToken)).toMatchObject({
      sessionId: SESSION,
      device: 'first',
    });
    expect(await signer.verify(handoffToken)).toMatchObject({
      sessionId: SESSION,
      device: 'second',
    });
  });

  it('rejects a token with any single character changed', async () => {
    const signer = createTokenSigner(() => 'secret', mac);
    const { sessionToken } = await signer.sign(SESSION);
    for (let at = 0; at < sessionToken.length; at += 1) {
      const other = sessionToken[at] === '0' ? '1' : '0';
      const altered = sessionToken.slice(0, at) + other + sessionToken.slice(at + 1);
      expect(await signer.verify(altered), altered).toBeNull();
    }
    expect(await signer.verify(`${sessionToken}0`)).toBeNull();
    expect(await signer.verify(sessionToken.replace('st1', 'ht1'))).toBeNull();
  });

  it('uses the current secret', async () => {
    let secret = 'secret';
    const signer = createTokenSigner(() => secret, mac);
    const { sessionToken } = await signer.sign(SESSION);
    secret = 'another';
    expect(await signer.verify(sessionToken)).toBeNull();
    secret = 'secret';
    expect(await signer.verify(sessionToken)).not.toBeNull();
  });
});

it('node:crypto verifies the tokens that Web Crypto has signed', async () => {
  const { sessionToken } = await createTokenSigner(() => 'secret').sign(SESSION);
  const other = createTokenSigner(() => 'secret', inThread);
  expect(await other.verify(sessionToken)).toMatchObject({ sessionId: SESSION });
});

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
