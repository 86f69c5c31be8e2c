// @vitest-environment jsdom
import { createMockService } from 'ofage/mock';
import { isOfAgeError } from 'ofage';
import { createTestOfAge } from 'ofage/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

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
        await vi.waitFor(
          async () => expect(await service.control.sessions()).not.toEqual([]),
          10_000,
        );
        ofAge.destroy();
      }
      expect([...new Set(asked)]).toEqual(['http://127.0.0.1:4010/api/v1/sessions/create']);
      await service.close();
    },
  );

  it.each(['', '/api/v1', 'ftp://127.0.0.1/', 'javascript:alert(1)', 'https:///'])(
    'rejects "%s"',
    (apiBase) => {
      expect(() => createTestOfAge(apiBase)).toThrow(
        `apiBase must be an absolute http(s) URL, got "${apiBase}"`,
      );
    },
  );

  it('throws errors that isOfAgeError() of the production SDK recognises', () => {
    const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
    const make = () => new OfAge({ apiKey: '', returnUrl: 'http://localhost/' });
    expect(make).toThrow(expect.toSatisfy(isOfAgeError));
  });
});
