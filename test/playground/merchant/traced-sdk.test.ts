import type { OfAgeOptions } from 'ofage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tracePage, tracedSdk } from '../../../playground/merchant/traced-sdk.ts';
import { readTrace } from '../../../playground/shared/trace.ts';
import { aStorage } from '../shared/a-storage.ts';

const SESSION = '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90';
const verified = { status: 'verified', sessionId: SESSION, timestamp: 1 } as const;

/** Creates a page with a fake SDK whose verify() resolves with `end()` after an "accepted" message. */
function aPage(end: (options: OfAgeOptions) => unknown) {
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
  const target = Object.assign(new EventTarget(), { OfAge: Sdk });
  vi.stubGlobal('window', target);
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('location', { href: 'http://localhost/' });
  return {
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

describe('the trace of the shop for the inspector', () => {
  it('passes on the return value of a callback, and undefined for a missing one', async () => {
    const returned: unknown[] = [];
    const page = aPage(({ onCancel }) => {
      returned.push(onCancel?.());
      return { status: 'cancelled', reason: 'user' };
    });
    tracePage('Shop');
    const OfAge = tracedSdk();
    void new OfAge({ ...options, mode: 'new-tab', onCancel: () => false }).verify();
    void new OfAge({ ...options, mode: 'new-tab' }).verify();
    page.post('accepted');
    await vi.runAllTimersAsync();
    expect(returned).toEqual([false, undefined]);
    expect(titles()).toContain('callback: onCancel returned false, so the page stays');
  });

  it('contains no key, and the constructor still throws its errors', () => {
    aPage(() => null);
    const OfAge = tracedSdk();
    expect(() => new OfAge({ ...options, apiKey: 'sk_0123456789abcdef' })).toThrow(
      'Secret key in browser',
    );
    void new OfAge(options);
    expect(titles()).toEqual(['sdk: new OfAge() threw: secret_key_blocked', 'sdk: new OfAge()']);
    expect(JSON.stringify(readTrace())).not.toContain('456789');
  });
});
