import { describe, expect, it } from 'vitest';
import { aMock, type Mock } from '../../support/a-mock.ts';
import { RETURN_URL } from '../../support/api.ts';

const FOREIGN = [
  'https://shop.example',
  'http://localhost.evil.example',
  'http://192.168.1.5:3000',
  'null',
  'capacitor://localhost',
  'chrome-extension://localhost',
];
const LOOPBACK = ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:4010'];

/** Calls each operation of the public API with a key, as a page at the origin would. */
async function callAll(mock: Mock, key: string, headers: Record<string, string>) {
  const { sessionId } = await mock.create();
  await mock.control.settle(sessionId, 'verified');
  const created = await mock.request('/api/v1/sessions/create', {
    key,
    headers,
    body: { returnUrl: RETURN_URL },
  });
  const validated = await mock.request('/api/v1/sessions/validate', {
    key,
    headers,
    body: { sessionId },
  });
  return { created, validated, sessionId };
}

describe('a secret key', () => {
  it.each(FOREIGN)('is refused from a page at %s, which may read why', async (origin) => {
    const mock = await aMock();
    const { created, validated, sessionId } = await callAll(mock, mock.secretKey, { origin });
    for (const { status, body, headers } of [created, validated]) {
      expect(status).toBe(403);
      expect(body.message).toBe(
        `A secret key must stay on your server, but a page at ${origin} has sent it. Use the publishable key in pages, and call validate from your server`,
      );
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
    // The session was not used up, and no other was created.
    expect(await mock.control.sessions()).toHaveLength(1);
    const result = await mock.api('validate', mock.secretKey, { sessionId });
    expect([result.status, result.body.verified]).toEqual([200, true]);
  });

  it.each(LOOPBACK)('is accepted from a page of this computer, such as %s', async (origin) => {
    const mock = await aMock();
    const { created, validated } = await callAll(mock, mock.secretKey, { origin });
    expect([created.status, validated.status]).toEqual([201, 200]);
  });

  it('is accepted from a server, which sends no origin', async () => {
    const mock = await aMock();
    const { created, validated } = await callAll(mock, mock.secretKey, {});
    expect([created.status, validated.status]).toEqual([201, 200]);
  });

  it('that does not exist is an invalid key, also from a page', async () => {
    const mock = await aMock();
    const { created } = await callAll(mock, 'sk_none', { origin: 'https://shop.example' });
    expect([created.status, created.body.message]).toEqual([401, 'Invalid API key']);
  });
});

it.each([...FOREIGN, ...LOOPBACK])('a publishable key is accepted from %s', async (origin) => {
  const mock = await aMock();
  const { created } = await callAll(mock, mock.publishableKey, { origin });
  expect(created.status).toBe(201);
});

describe('the hosted page’s API', () => {
  const PAGE = 'https://verify.ofage.example';
  const ACTIONS = [
    'session',
    'heartbeat',
    'continue',
    'submit',
    'outcome',
    'retry',
    'leave',
    'cancel',
  ];

  it.each([...FOREIGN, ...LOOPBACK, 'https://api.ofage.example', `${PAGE}.evil.example`])(
    'refuses a page at %s',
    async (origin) => {
      const mock = await aMock();
      const { sessionId, sessionToken } = await mock.create();
      for (const action of ACTIONS) {
        const method = action === 'session' ? 'GET' : 'POST';
        const { status, body, headers } = await mock.request(`/hosted/v1/${action}`, {
          method,
          key: sessionToken,
          headers: { origin },
          ...(method === 'POST' && { body: {} }),
        });
        expect([action, status, body.message]).toEqual([
          action,
          403,
          `The hosted page's API accepts requests of pages at ${PAGE} only, got ${origin}`,
        ]);
        expect(headers.get('access-control-allow-origin')).toBe(origin);
      }
      await mock.clock.advance(10_000);
      expect((await mock.control.session(sessionId)).status).toBe('pending');
    },
  );

  it('accepts the hosted page, and programs', async () => {
    const mock = await aMock();
    const { sessionToken } = await mock.create();
    for (const headers of [{ origin: PAGE }, {}]) {
      const { status } = await mock.request('/hosted/v1/heartbeat', {
        key: sessionToken,
        headers: headers as Record<string, string>,
        body: {},
      });
      expect(status).toBe(200);
    }
  });
});
