import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { builtPath, MANIFESTS, readBuilt, ROOT } from './built.ts';

// A project script without types.
const { LIMITS, OVER_LIMIT } = (await import(join(ROOT, 'scripts/facts.mjs'))) as {
  LIMITS: { minified: number; brotli: number };
  OVER_LIMIT: string;
};

const sdk = (): string => readBuilt('ofage', 'sdk.min.js');
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('dist/sdk.min.js', () => {
  it('equals its older name and the copies for require() byte for byte', () => {
    for (const name of ['ofage.min.js', 'sdk.min.cjs', 'ofage.min.cjs'])
      expect(readBuilt('ofage', name), name).toBe(sdk());
  });

  it('is within its size limits', () => {
    const bytes = Buffer.from(sdk());
    expect(bytes.length, OVER_LIMIT).toBeLessThanOrEqual(LIMITS.minified);
    expect(brotliCompressSync(bytes).length, OVER_LIMIT).toBeLessThanOrEqual(LIMITS.brotli);
  });

  it('is valid ES2015 for the oldest supported browsers', () => {
    const files = ['sdk.min.js', 'ofage.min.js'].map((name) => builtPath('ofage', name));
    execFileSync(join(ROOT, 'test/node_modules/.bin/es-check'), ['es2015', ...files], {
      stdio: 'pipe',
    });
  });

  it('contains the address of the API once, where the mock inserts its own', () => {
    expect(count(sdk(), 'https://api.ofage.example/api/v1')).toBe(1);
  });

  it('contains the address of the help, which the mock replaces too', () => {
    expect(sdk()).toContain('https://docs.ofage.example/errors/');
    expect(sdk()).not.toMatch(/\/help\/|explain/); // only ofage-mock/testing links to a mock
  });

  it.each([
    ['no loader', {}],
    ['variables with the names of a module loader', { module: {}, define: () => {} }],
  ])('sets one global with the complete API on a page with %s', (_, page) => {
    const window: Record<string, any> = { URL, ...page };
    const names = Object.keys(window);
    runInNewContext(sdk(), window);
    expect(Object.keys(window)).toEqual([...names, 'OfAge']);
    const { OfAge } = window;
    expect(new OfAge({ apiKey: 'pk_test_1', returnUrl: 'https://shop.example/return' })).toEqual({
      verify: expect.any(Function),
      destroy: expect.any(Function),
    });
    expect(OfAge.handleReturn('/')).toBe(null);
    expect(OfAge.selfCheck()).toEqual({ advice: 'unsupported' });
    expect(OfAge.isOfAgeError(new OfAge.OfAgeError('forbidden'))).toBe(true);
  });

  it('contains only ASCII, so that a server without a charset cannot garble it', () => {
    // oxlint-disable-next-line no-control-regex -- the pattern lists all ASCII characters
    expect(/[^\0-\x7f]/.exec(sdk())?.[0]).toBeUndefined();
  });

  it('accepts a valid returnUrl on a page whose script has a constant named URL', () => {
    const page = createContext({ URL });
    runInContext('const window = this, URL = "https://shop.example/";', page);
    runInContext(sdk(), page);
    const options = { apiKey: 'pk_test_1', returnUrl: 'https://shop.example/return' };
    expect(() => new page.OfAge(options)).not.toThrow();
    expect(page.OfAge.handleReturn('https://shop.example/?sessionId=a&status=failed')).toEqual({
      sessionId: 'a',
      status: 'failed',
    });
  });

  it('sets no global in a CommonJS module, except in a page whose bundler wraps it as one', () => {
    const page = { module: { exports: {} as { VERSION?: string } }, OfAge: undefined };
    runInNewContext(sdk(), page);
    expect(page.module.exports.VERSION).toBe(MANIFESTS.ofage.version);
    expect(page.OfAge).toBeUndefined();
    runInNewContext(sdk(), Object.assign(page, { document: {} }));
    expect(page.OfAge).toBe(page.module.exports);
  });

  it('uses no feature that a strict content security policy forbids', () => {
    expect(sdk()).not.toMatch(/\beval\b|\bnew Function\b|\.innerHTML\b|document\.write\b/);
  });
});

it('the bundles of the SDK contain no third-party code', () => {
  for (const name of ['index.js', 'index.cjs', 'sdk.min.js']) {
    expect(readBuilt('ofage', name)).not.toMatch(/^\s*import\b(?!\.)|\brequire\(|__awaiter|tslib/m);
  }
});
