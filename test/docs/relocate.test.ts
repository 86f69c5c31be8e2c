/** The finished site works at every address, below which its links are relative. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SITE } from '../../docs/build/paths.mjs';
import { relocate } from '../../docs/build/relocate.mjs';
import { aFolder } from '../support/folder.ts';

/** Relocates a site of these files, and returns a function that reads one. */
function relocated(files: Readonly<Record<string, string>>): (path: string) => string {
  const folder = aFolder();
  for (const [path, text] of Object.entries({ '_astro/figtree.woff2': '', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  relocate(folder);
  return (path) => readFileSync(join(folder, path), 'utf8');
}

const HOSTS = [
  'https://ofage.example/',
  'https://pages.example/of/age/',
  'http://127.0.0.1:4010/docs/',
];
/** Where each kind of file lies. */
const PAGES = ['index.html', 'errors/index.html', 'guides/deep/popup/index.html'];
const STYLES = ['style.css', '_astro/style.css'];

describe.each(HOSTS)('at %s', (host) => {
  it.each(PAGES)('the links of %s lead to the files of the site', (page) => {
    const links = [
      ['href', '/docs/guides/popup/#frames'],
      ['src', '/docs/images/a.png'],
      ['srcset', '/docs/images/b.png'],
      ['poster', '/docs/images/c.png'],
      ['data-base', '/docs/'],
    ];
    const text = links.map(([name, link]) => `<a ${name}="${link}">`).join('');
    const html = relocated({ [page]: text })(page);
    const found = [...html.matchAll(/ [\w-]+="([^"]*)"/g)].map(
      ([, link = '']) => new URL(link, `${host}${page}?q=1`).href,
    );
    expect(found).toEqual(links.map(([, link = '']) => host + link.slice('/docs/'.length)));
  });

  it.each(PAGES)('%s loads its font early', (page) => {
    const html = relocated({ [page]: '<head><title>A</title></head>' })(page);
    const [, link = ''] = /^<head><link rel="preload" href="([^"]*)" as="font" /.exec(html) ?? [];
    expect(new URL(link, host + page).href).toBe(`${host}_astro/figtree.woff2`);
  });

  it.each(STYLES)('%s loads its pictures and fonts', (style) => {
    const urls = ['/docs/a.png', '"/docs/fonts/b.woff2"', "'/docs/c.svg'"];
    const css = relocated({ [style]: urls.map((url) => `url(${url})`).join() })(style);
    const found = [...css.matchAll(/url\(["']?([^)"']*)/g)].map(
      ([, url = '']) => new URL(url, host + style).href,
    );
    expect(found).toEqual(['a.png', 'fonts/b.woff2', 'c.svg'].map((path) => host + path));
  });

  it('a module finds the base from its own address', () => {
    const js = relocated({ '_astro/page.js': 'a("/docs/");b(`/docs/`)' })('_astro/page.js');
    const [code = ''] = /new URL\(.*?\)/.exec(js) ?? [];
    expect(code).not.toBe('');
    expect(js).not.toContain('/docs/');
    const [, relative = ''] = /"([^"]*)"/.exec(code) ?? [];
    expect(new URL(relative, `${host}_astro/page.js`).href).toBe(host);
  });
});

it.each(['index.html', 'a/style.css', '_astro/a.js', 'llms.txt', 'sitemap-0.xml'])(
  '%s names the published site without the base',
  (path) => {
    const text = `${SITE}/docs/guides/popup/ ${SITE}/docs/errors/`;
    expect(relocated({ [path]: text })(path)).toBe(`${SITE}/guides/popup/ ${SITE}/errors/`);
  },
);

it.each(['playground/shop.html', 'playground/a/b.css', 'pagefind/pagefind.js', 'images/a.svg'])(
  '%s stays as it is, because it knows its base or has none',
  (path) => {
    const text = `<a href="/docs/">${SITE}/docs/</a>`;
    expect(relocated({ [path]: text })(path)).toBe(text);
  },
);

it('text that only looks like a link of the site stays', () => {
  const text = '<p>href=/docs/</p><a href="/document/"><a href="https://x.example/docs/">';
  expect(relocated({ 'index.html': text })('index.html')).toBe(text);
});

it('headings of examples, which would skip levels, become paragraphs, and others stay', () => {
  const example = '<h5 class="sl-openapi-examples-heading b">Example</h5>';
  const html = relocated({ 'index.html': `${example}<h5>A</h5>${example}` })('index.html');
  const paragraph = '<p class="sl-openapi-examples-heading b">Example</p>';
  expect(html).toBe(`${paragraph}<h5>A</h5>${paragraph}`);
});
