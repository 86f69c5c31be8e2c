import type { OfAgeOptions } from 'ofage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OfAgeGlobal } from '../../../playground/shared/sdk.ts';
import { readTrace } from '../../../playground/shared/trace.ts';
import { aStorage } from './a-storage.ts';

const SESSION = '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90';
const verified = { status: 'verified', sessionId: SESSION, timestamp: 1 } as const;

/**
 * Creates a page with a fake SDK whose verify() resolves with `end()` after an "accepted" message, and runs
 * the tracing script in it.
 */
async function aPage(end: (options: OfAgeOptions) => unknown) {
  class Sdk {
    static readonly VERSION = '3.5.6';
    static readonly handleReturn = () => verified;
    readonly options: OfAgeOptions;
    constructor(options: OfAgeOptions) {
      if (options.apiKey.startsWith('sk_')) {
        throw Object.assign(new Error('Secret key in browser'), { code: 'secret_key_blocked' });
      }
      this.options = options;
    }
    verify() {
      return new Promise((resolve) => {
        window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          if (data === 'accepted') resolve(end(this.options));
        });
      });
    }
    destroy() {}
  }
  aStorage();
  const target = Object.assign(new EventTarget(), {
    OfAge: Sdk as unknown as OfAgeGlobal,
    fetch: async (_url: string, _init?: RequestInit): Promise<Response> =>
      Response.json({ access: false, problem: { code: 'wrong_customer' } }),
  });
  vi.stubGlobal('window', target);
  const documentElement = { dataset: { page: 'Shop' } };
  vi.stubGlobal('document', Object.assign(new EventTarget(), { documentElement }));
  vi.stubGlobal('location', { href: 'http://localhost/' });
  vi.resetModules();
  await import('../../../playground/shared/trace-sdk.ts');
  return {
    target,
    OfAge: target.OfAge,
    post(data: unknown, origin = 'http://127.0.0.1') {
      target.dispatchEvent(Object.assign(new Event('message'), { data, origin }));
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const titles = (): string[] => readTrace().map(({ kind, title }) => `${kind}: ${title}`);
const options = { apiKey: 'pk_0123456789abcdef', returnUrl: 'http://localhost/return' };

describe('the trace of the shop for the timeline', () => {
  it('passes on the return value of a callback, and undefined for a missing one', async () => {
    const returned: unknown[] = [];
    const { OfAge, post } = await aPage(({ onCancel }) => {
      returned.push(onCancel?.());
      return { status: 'cancelled', reason: 'user' };
    });
    void new OfAge({ ...options, mode: 'new-tab', onCancel: () => false }).verify();
    void new OfAge({ ...options, mode: 'new-tab' }).verify();
    post('accepted');
    await vi.runAllTimersAsync();
    expect(returned).toEqual([false, undefined]);
    expect(titles()).toContain('callback: onCancel returned false, so the page stays');
  });

  it('contains no key, and the constructor still throws its errors', async () => {
    const { OfAge } = await aPage(() => null);
    expect(() => new OfAge({ ...options, apiKey: 'sk_0123456789abcdef' })).toThrow(
      'Secret key in browser',
    );
    void new OfAge(options);
    expect(titles()).toEqual(['sdk: new OfAge() threw: secret_key_blocked', 'sdk: new OfAge()']);
    expect(JSON.stringify(readTrace())).not.toContain('456789');
  });

  it("contains the decision of the shop's server, whose response the page still reads", async () => {
    const { target } = await aPage(() => null);
    const body = JSON.stringify({ sessionId: SESSION });
    const answer = await target.fetch('http://localhost/shop/verification', { body });
    expect(await answer.json()).toMatchObject({ access: false });
    expect(readTrace()).toMatchObject([
      { kind: 'server', title: "Shop's server: no access, wrong_customer", sessionId: SESSION },
    ]);
  });
});
