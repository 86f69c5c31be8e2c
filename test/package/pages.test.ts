import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { builtSize, readBuilt } from './built.ts';

const readPage = (path: string): string => readBuilt('ofage-mock', path);

/** Limits of the bytes that a slow phone loads before the shopper can start. Scripts are compressed. */
const LIMITS = { scripts: 60_000, fonts: 40_000 };

/** Returns the scripts in the HTML of the page, which are all scripts that it loads at first. */
function firstScripts(page: string): string[] {
  const tags = readPage(`pages/${page}`).match(/<(?:script|link rel="modulepreload")[^>]*>/g) ?? [];
  return tags.flatMap((tag) => {
    const address = /(?:src|href)="\.\.\/([^"]+)"/.exec(tag)?.[1];
    return address === undefined ? [] : [`pages/${address}`];
  });
}

const stylesheets = (page: string): string[] =>
  [
    ...readPage(`pages/${page}`).matchAll(/<link rel="stylesheet"[^>]*href="\.{1,2}\/([^"]+)"/g),
  ].map(([, address]) => `pages/${address}`);

describe('mock-server/dist/pages/', () => {
  it.each(['', 'return/', 'console/', 'labs/', 'verify/'])(
    '%sindex.html loads the base styles first, so that its own styles override them',
    (folder) => {
      const [first = ''] = stylesheets(`${folder}index.html`);
      expect(readPage(first)).toContain('.button--primary');
    },
  );
});

describe('mock-server/dist/pages/verify/', () => {
  const scripts = firstScripts('verify/index.html');

  it('initially loads no more JavaScript than the limit', () => {
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.map((script) => gzipSync(readPage(script)).length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(LIMITS.scripts);
  });

  it('keeps its fonts within the limit, and shows text before they have loaded', () => {
    const faces = stylesheets('verify/index.html').flatMap(
      (path) => readPage(path).match(/@font-face\s*\{[^}]*\}/g) ?? [],
    );
    const loaded = faces.filter((face) => /\.woff2/.test(face));
    expect(loaded.length).toBeGreaterThan(0);
    for (const face of loaded) expect(face).toMatch(/font-display:\s*swap/);
    const names = loaded.map((face) => /[\w-]+\.woff2/.exec(face)?.[0]);
    const bytes = names.map((name) => builtSize('ofage-mock', `pages/assets/${name}`));
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(LIMITS.fonts);
  });

  it('preloads every script that its initial scripts import', () => {
    const names = scripts.map((script) => script.split('/').at(-1));
    for (const script of scripts) {
      const imported = readPage(script).matchAll(/\bfrom\s*["'`]\.\/([^"'`]+)["'`]/g);
      for (const [, name] of imported) expect(names).toContain(name);
    }
  });

  it('loads the QR code for the second device lazily', () => {
    const first = scripts.map((script) => readPage(script)).join('\n');
    expect(first).toMatch(/import\(["'`]\.\/qr-/);
  });
});
