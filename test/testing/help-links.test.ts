import { createClient, OfAgeError } from 'ofage/server';
import { createTestOfAge } from 'ofage/testing';
import { describe, expect, it } from 'vitest';

const apiBase = 'http://127.0.0.1:4010/api/v1';
const help = 'http://127.0.0.1:4010/help/';

describe('messages link to', () => {
  const messageOf = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('expected an error');
  };

  it('the mock to which a test has bound the SDK', () => {
    const OfAge = createTestOfAge(apiBase);
    const message = messageOf(() => new OfAge({ apiKey: 'sk_1', returnUrl: 'http://localhost/' }));
    expect(message).toContain(`. See ${help}secret_key_blocked`);
  });

  it('the command where the SDK in a test has no mock with pages', () => {
    const OfAge = createTestOfAge('https://api.ofage.example/api/v1');
    const message = messageOf(() => new OfAge({ apiKey: 'sk_1', returnUrl: 'http://localhost/' }));
    expect(message).toContain('. See npx ofage-mock explain secret_key_blocked');
  });

  it('the mock of the client, also for the other errors of the process', () => {
    const create = () => createClient({ secretKey: '', baseUrl: apiBase });
    expect(messageOf(create)).toContain(`See ${help}secret_key_required`);
    expect(new OfAgeError('aborted', 'No').message).toBe(`No. See ${help}aborted`);
  });

  it.each([
    ['production', undefined],
    ['another service', 'https://proxy.example/api/v1'],
    ['an address that is refused', 'http://shop.example/api/v1'],
    ['a name that only looks like this computer', 'http://localhost.evil.example/api/v1'],
  ])('the documentation where the client uses %s', (_, baseUrl) => {
    const message = messageOf(() => createClient({ secretKey: '', baseUrl }));
    expect(message).toContain('See https://docs.ofage.example/errors/secret_key_required');
  });
});
