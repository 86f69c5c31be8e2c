import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBuilt, ROOT } from './built.ts';

// A script of the project, without types.
const { LIMITS } = (await import(join(ROOT, 'scripts/facts.mjs'))) as {
  LIMITS: { minified: number; brotli: number };
};

const sdk = (): string => readBuilt('sdk.min.js');
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('dist/sdk.min.js', () => {
  it('is byte for byte dist/ofage.min.js, its older name', () => {
    expect(sdk()).toBe(readBuilt('ofage.min.js'));
  });

  it('is no larger than promised', () => {
    const bytes = Buffer.from(sdk());
    expect(bytes.length).toBeLessThanOrEqual(LIMITS.minified);
    expect(brotliCompressSync(bytes).length).toBeLessThanOrEqual(LIMITS.brotli);
  });

  it('is ES2015, so that the oldest browsers we name can read it', () => {
    const files = ['sdk.min.js', 'ofage.min.js'].map((name) => join(ROOT, 'dist', name));
    execFileSync(join(ROOT, 'node_modules/.bin/es-check'), ['es2015', ...files], { stdio: 'pipe' });
  });

  it('names the address of the API once, where the mock puts its own', () => {
    expect(count(sdk(), 'https://api.ofage.example/api/v1')).toBe(1);
  });

  it('needs nothing that a strict content security policy forbids', () => {
    expect(sdk()).not.toMatch(/\beval\b|\bnew Function\b|\.innerHTML\b|document\.write\b/);
  });

  it('brings no code but our own', () => {
    for (const name of ['index.js', 'index.cjs', 'sdk.min.js']) {
      expect(readBuilt(name)).not.toMatch(/^\s*import\b(?!\.)|\brequire\(|__awaiter|tslib/m);
    }
  });
});
