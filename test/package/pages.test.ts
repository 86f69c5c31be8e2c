import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBuilt } from './built.ts';

/** Bytes, compressed: what a slow phone has to load before the shopper can begin. */
const FIRST_LOAD_LIMIT = 60_000;

/** The scripts that the page names, which are all that it loads before it does something. */
function firstScripts(page: string): string[] {
  const tags =
    readBuilt(`pages/${page}`).match(/<(?:script|link rel="modulepreload")[^>]*>/g) ?? [];
  return tags.flatMap((tag) => {
    const address = /(?:src|href)="\.\.\/([^"]+)"/.exec(tag)?.[1];
    return address === undefined ? [] : [`pages/${address}`];
  });
}

describe('dist/pages/verify/', () => {
  const scripts = firstScripts('verify/index.html');

  it('loads no more JavaScript at first than promised', () => {
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.map((script) => gzipSync(readBuilt(script)).length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT);
  });

  it('names every script that those import, so that none is missed here', () => {
    const names = scripts.map((script) => script.split('/').at(-1));
    for (const script of scripts) {
      const imported = readBuilt(script).matchAll(/\bfrom\s*["'`]\.\/([^"'`]+)["'`]/g);
      for (const [, name] of imported) expect(names).toContain(name);
    }
  });

  it('leaves the code for a second device until it is wanted', () => {
    const first = scripts.map((script) => readBuilt(script)).join('\n');
    expect(first).toMatch(/import\(["'`]\.\/qr-/);
  });
});
