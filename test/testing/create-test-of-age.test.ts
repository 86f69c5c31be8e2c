// @vitest-environment jsdom
import { createMockService, type ReportResource } from 'ofage-mock';
import { isOfAgeError } from 'ofage';
import { createClient, OfAgeError } from 'ofage/server';
import { createTestOfAge, type TestOfAgeOptions } from 'ofage-mock/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aMock, ORIGIN } from '../support/a-mock.ts';
import { waitFor } from '../support/wait-for.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('what a page does with the SDK', () => {
  /** Creates an SDK, refuses its options once, and returns the reports that the mock has received. */
  async function useSdk(options?: TestOfAgeOptions): Promise<ReportResource[]> {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const mock = await aMock();
    const requests: Promise<Response>[] = [];
    vi.stubGlobal('fetch', (url: string, { signal: _signal, ...init }: RequestInit) => {
      const headers = { ...init.headers, origin: 'http://localhost:3000' };
      const request = new Request(url, { ...init, headers, redirect: 'follow' });
      requests.push(mock.service.fetch(request));
      return requests.at(-1);
    });
    const OfAge = createTestOfAge(`${ORIGIN}/api/v1`, options);
    const returnUrl = 'http://localhost:3000/return';
    new OfAge({ apiKey: mock.publishableKey, returnUrl }).destroy();
    expect(() => new OfAge({ apiKey: '', returnUrl })).toThrow();
    await vi.runAllTimersAsync();
    for (const response of await Promise.all(requests)) expect(response.status).toBe(204);
    return mock.control.reports();
  }

  it('is reported to the mock if the test asks for it', async () => {
    const reports = await useSdk({ report: true });
    const ofSdk = reports.filter(({ kind }) => kind.startsWith('sdk.'));
    expect(ofSdk.map(({ kind }) => kind)).toEqual(['sdk.refused', 'sdk.created']);
  });

  it.each([undefined, {}, { report: false }])('is not reported with %j', async (options) => {
    expect(await useSdk(options)).toEqual([]);
  });

  it('is not reported where there is no page, such as on a server', async () => {
    vi.stubGlobal('document', undefined);
    expect(await useSdk({ report: true })).toEqual([]);
  });
});

describe('createTestOfAge', () => {
  it.each(['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/v1/'])(
    'creates an SDK that sends requests only to %s',
    async (apiBase) => {
      const service = createMockService();
      const { publishableKey } = await service.ready;
      const asked: string[] = [];
      vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
        asked.push(url);
        const { signal: _signal, ...plain } = init;
        return service.fetch(new Request(url, { ...plain, redirect: 'follow' }));
      });
      const OfAge = createTestOfAge(apiBase);
      for (const environment of ['production', 'staging'] as const) {
        const ofAge = new OfAge({
          apiKey: publishableKey,
          returnUrl: 'http://localhost/return',
          environment,
        });
        void ofAge.verify().catch(() => {});
        await waitFor(async () => expect(await service.control.sessions()).not.toEqual([]));
        ofAge.destroy();
      }
      expect([...new Set(asked)]).toEqual(['http://127.0.0.1:4010/api/v1/sessions/create']);
      await service.close();
    },
  );

  it.each([
    'https://my-mock.example/api/v1',
    'https://api.ofage.example/api/v1',
    'https://localhost.evil.example/api/v1',
    'https://127.0.0.1.evil.example/api/v1',
    'https://10.0.0.7/api/v1',
  ])('throws a TypeError if a page should report to %s', (apiBase) => {
    expect(() => createTestOfAge(apiBase, { report: true })).toThrow(
      new TypeError(
        `report must be false for a service that is not on this computer, got the address "${new URL(apiBase).origin}": reports are only for a mock at localhost or a loopback address`,
      ),
    );
    expect(() => createTestOfAge(apiBase)).not.toThrow();
  });

  it.each(['http://localhost:4010/api/v1', 'http://127.0.0.1:4010/api/v1', 'http://[::1]/api/v1'])(
    'lets a page report to %s',
    (apiBase) => {
      expect(() => createTestOfAge(apiBase, { report: true })).not.toThrow();
    },
  );

  it.each<[apiBase: unknown, reason: string]>([
    [42, 'must be an absolute URL'],
    ['', 'must be an absolute URL'],
    ['/api/v1', 'must be an absolute URL'],
    ['https:///', 'must be an absolute URL'],
    [
      'ftp://127.0.0.1/api/v1',
      'must start with https://, or with http:// on localhost or 127.0.0.1',
    ],
    ['javascript:alert(1)', 'must start with https://, or with http:// on localhost or 127.0.0.1'],
    [
      'http://mock:4010/api/v1',
      'must start with https://, or with http:// on localhost or 127.0.0.1',
    ],
    [
      'http://localhost.evil.example/api/v1',
      'must start with https://, or with http:// on localhost',
    ],
    ['http://127.0.0.1:4010', 'must end with /api/v1'],
    ['http://127.0.0.1:4010/', 'must end with /api/v1'],
    ['http://127.0.0.1:4010/console/', 'must end with /api/v1'],
    ['http://127.0.0.1:4010/api/v1?a=1', 'must not have a query or a fragment'],
    ['http://127.0.0.1:4010/api/v1#a', 'must not have a query or a fragment'],
    ['http://me:secret@127.0.0.1:4010/api/v1', 'must not contain a user name or a password'],
  ])('refuses %j with a reason, as createClient() does', (apiBase, reason) => {
    const create = () => createTestOfAge(apiBase as string);
    expect(create).toThrow(`apiBase ${reason}`);
    expect(create).not.toThrow('secret');
    expect(() => createClient({ secretKey: 'sk_1', baseUrl: apiBase as string })).toThrow(
      OfAgeError,
    );
  });

  it('refuses the value of a variable that is not set', () => {
    const unset = undefined as unknown as string;
    expect(() => createTestOfAge(unset)).toThrow('must be an absolute URL, got "undefined"');
  });

  it.each([
    'https://api.ofage.example/api/v1',
    'https://proxy.example/ofage/api/v1',
    'http://localhost:4010/api/v1/',
    'http://[::1]:4010/api/v1',
  ])('accepts %s, as createClient() does', (apiBase) => {
    expect(() => createTestOfAge(apiBase)).not.toThrow();
    expect(() => createClient({ secretKey: 'sk_1', baseUrl: apiBase })).not.toThrow();
  });

  it('throws errors that isOfAgeError() of the production SDK recognises', () => {
    const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
    const make = () => new OfAge({ apiKey: '', returnUrl: 'http://localhost/' });
    expect(make).toThrow(expect.toSatisfy(isOfAgeError));
  });
});
