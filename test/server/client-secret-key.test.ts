import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient } from 'ofage/server';
import { SECRET_KEY, SESSION_ID, validationBody } from './builders.ts';

/** Creates a client and records the Authorization header of each of its requests. */
function clientWith(secretKey: ClientOptions['secretKey']) {
  const sent: (string | null)[] = [];
  const client = createClient({
    secretKey,
    fetch: async (_url, init) => {
      sent.push(new Headers(init?.headers as Record<string, string>).get('authorization'));
      return Response.json(validationBody());
    },
  });
  return { client, sent };
}

describe('secretKey as a function', () => {
  it('is not called when the client is created', () => {
    const secretKey = vi.fn(() => '');
    clientWith(secretKey);
    expect(secretKey).not.toHaveBeenCalled();
  });

  it.each([
    ['the key', () => SECRET_KEY],
    ['a promise of the key', async () => SECRET_KEY],
  ])('may return %s, and is called once', async (_, readKey) => {
    const secretKey = vi.fn(readKey);
    const { client, sent } = clientWith(secretKey);
    await Promise.all([client.validateSession(SESSION_ID), client.validateSession(SESSION_ID)]);
    await client.validateSession(SESSION_ID);
    expect(sent).toEqual(Array.from({ length: 3 }, () => `Bearer ${SECRET_KEY}`));
    expect(secretKey).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['', 'secret_key_required', /^Cannot validate the session: secretKey is required/],
    ['pk_test_1', 'publishable_key_refused', /^Cannot validate the session: .*publishable/],
    ['whsec_1', 'secret_key_invalid', /^Cannot validate the session: .*start with "sk_"/],
  ])('makes the call reject if it returns "%s"', async (key, code, message) => {
    const { client, sent } = clientWith(() => key);
    await expect(client.validateSession(SESSION_ID)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(sent).toEqual([]);
  });

  it('is called again at the next call if it failed', async () => {
    const cause = new Error('the vault is sealed');
    const secretKey = vi.fn<() => string>().mockImplementationOnce(() => {
      throw cause;
    });
    secretKey.mockReturnValue(SECRET_KEY);
    const { client, sent } = clientWith(secretKey);
    await expect(client.validateSession(SESSION_ID)).rejects.toMatchObject({
      code: 'secret_key_required',
      cause,
    });
    await client.validateSession(SESSION_ID);
    expect(sent).toHaveLength(1);
  });
});
