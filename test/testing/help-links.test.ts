// @vitest-environment jsdom
import { createClient, verifyWebhook } from 'ofage/server';
import { createTestOfAge } from 'ofage-mock/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

const mock = (port: number): string => `http://127.0.0.1:${port}`;
const apiBaseOf = (port: number): string => `${mock(port)}/api/v1`;
const DOCUMENTATION = 'https://docs.ofage.example/errors/';

const failure = async (run: () => unknown): Promise<Error & { code?: string }> => {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected an error');
};

/** Expects the link in the message and in the stack, which consoles print. */
async function expectLink(run: () => unknown, link: string): Promise<void> {
  const { message, stack } = await failure(run);
  expect(message).toMatch(/ See [^ ].*$/);
  expect(message.slice(message.indexOf(' See ') + 5)).toBe(link);
  expect(stack).toContain(message);
}

afterEach(() => vi.unstubAllGlobals());

describe('the errors of each SDK link to the help of its mock, whichever was created last,', () => {
  const first = createTestOfAge(apiBaseOf(4010));
  const second = createTestOfAge(apiBaseOf(4020));
  const intercepted = createTestOfAge('https://api.ofage.example/api/v1');
  const SDKS = [
    { OfAge: first, help: `${mock(4010)}/help/` },
    { OfAge: second, help: `${mock(4020)}/help/` },
    // There is no page where MSW intercepts the requests.
    { OfAge: intercepted, help: 'npx ofage-mock explain ' },
  ];
  const options = { apiKey: 'pk_1', returnUrl: 'http://localhost/return' };

  it.each(SDKS)('when the constructor throws: $help', async ({ OfAge, help }) => {
    const make = (): unknown => new OfAge({ ...options, apiKey: 'sk_1' });
    await expectLink(make, `${help}secret_key_blocked`);
  });

  it.each(SDKS)('when verify() rejects at once: $help', async ({ OfAge, help }) => {
    const verify = () => new OfAge(options).verify({ nope: 1 } as never);
    await expectLink(verify, `${help}invalid_option`);
  });

  it.each(SDKS)(
    'when verify() rejects later, and onError() runs: $help',
    async ({ OfAge, help }) => {
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')));
      const onError = vi.fn();
      await expectLink(() => new OfAge({ ...options, onError }).verify(), `${help}network_error`);
      expect(onError.mock.calls[0]?.[0].message).toContain(help);
    },
  );
});

describe('the errors of each client of the kit link to the help of its mock', () => {
  const CLIENTS = [
    { baseUrl: apiBaseOf(4010), help: `${mock(4010)}/help/` },
    { baseUrl: apiBaseOf(4020), help: `${mock(4020)}/help/` },
    { baseUrl: undefined, help: DOCUMENTATION },
    { baseUrl: 'https://proxy.example/api/v1', help: DOCUMENTATION },
  ];
  const fetch = () => Promise.reject(new TypeError('refused'));
  const clients = CLIENTS.map(({ baseUrl, help }) => ({
    help,
    client: createClient({ secretKey: 'sk_1', baseUrl, fetch }),
    late: createClient({ secretKey: () => '', baseUrl, fetch }),
  }));
  const SESSION_ID = '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90';
  const input = { returnUrl: 'https://shop.example/return' };

  it.each(clients)('when a call fails: $help', async ({ client, late, help }) => {
    await expectLink(() => client.createSession(input), `${help}network_error`);
    await expectLink(() => client.validateSession(SESSION_ID), `${help}network_error`);
    await expectLink(() => client.validateSession('x'), `${help}session_id_invalid`);
    await expectLink(
      () => client.createSession({ ...input, no: 1 } as never),
      `${help}invalid_input`,
    );
    await expectLink(
      () => client.createSession(input, { no: 1 } as never),
      `${help}invalid_option`,
    );
    await expectLink(() => late.createSession(input), `${help}secret_key_required`);
  });

  it.each(CLIENTS)('when it cannot be created: $help', async ({ baseUrl, help }) => {
    await expectLink(() => createClient({ secretKey: '', baseUrl }), `${help}secret_key_required`);
  });

  it.each(['http://shop.example/api/v1', 'http://localhost.evil.example/api/v1'])(
    'unless it is refused because of its address: %s',
    async (baseUrl) => {
      const create = (): unknown => createClient({ secretKey: 'sk_1', baseUrl });
      await expectLink(create, `${DOCUMENTATION}base_url_invalid`);
    },
  );

  it('but an error without a client links to the documentation', async () => {
    const verify = (): unknown => verifyWebhook('', null, '');
    const { message } = await failure(verify);
    expect(message).toContain(DOCUMENTATION);
  });
});
