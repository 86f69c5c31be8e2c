import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aFolder } from '../../support/folder.ts';
import { parsePolicy } from '../../support/content-policy.ts';

const HTML = { headers: { accept: 'text/html,application/xhtml+xml' } };

let server: MockServer;
let origin: string;
beforeAll(async () => {
  server = await startMockServer({ port: 0 });
  ({ origin } = new URL(server.apiBase));
});
afterAll(() => server.close());

it.each(['/nope', '/docsearch', '/help/nope', '/docs-nope/', '/assets/%3Cscript%3E"nope'])(
  'a browser that opens %s gets a page with title, language, heading and links',
  async (path) => {
    const response = await fetch(origin + path, HTML);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    const html = await response.text();
    expect(html).toMatch(/<html lang="en">[^]*<title>[^<]+<\/title>[^]*<h1>[^<]+<\/h1>/);
    expect(html).toContain('<a href="/console/">Console</a>');
    const [script, ...others] = findScripts(html);
    expect(others).toEqual([]);
    expect(script).toContain("localStorage.getItem('starlight-theme')");
    // Leads on, not only by the bar.
    expect(html).toMatch(/<main>[^]*<a class="next" href="[^]*<\/main>/);
  },
);

const findScripts = (html: string): string[] =>
  Array.from(html.matchAll(/<script[^>]*>([^]*?)<\/script>/gi), ([, script = '']) => script);

const readPlayground = (path: string): string =>
  readFileSync(new URL(`../../../playground/shared/${path}`, import.meta.url), 'utf8');

it('the pages follow the theme that was chosen in the playground, and run no other script', async () => {
  const response = await fetch(`${origin}/help/aborted`);
  const [script = ''] = findScripts(await response.text());
  const hash = createHash('sha256').update(script).digest('base64');
  expect(parsePolicy(response)['script-src']).toEqual([`'sha256-${hash}'`]);
  const [, key] = /KEY = '([\w-]+)'/.exec(readPlayground('theme.ts')) ?? [];
  expect(script).toContain(`localStorage.getItem('${key}')`);
  expect(readPlayground('early-theme.ts')).toContain("dataset['scheme']");
  expect(script).toContain('dataset.scheme');
});

it('a browser reads the help where the pages are, whose storage has the theme', async () => {
  const { port } = new URL(origin);
  const response = await fetch(`http://127.0.0.1:${port}/help/aborted?x`, HTML);
  expect([response.status, response.url]).toEqual([200, `http://localhost:${port}/help/aborted?x`]);
});

it('the pages have the shield and the font of the playground', async () => {
  const pagesDir = aFolder();
  mkdirSync(join(pagesDir, 'assets'));
  writeFileSync(join(pagesDir, 'assets/figtree-latin-wght-normal-D_ZTVpCC.woff2'), 'font');
  const built = await startMockServer({ port: 0, pagesDir });
  const { origin: site } = new URL(built.apiBase);
  const html = await (await fetch(`${site}/help/aborted`)).text();
  for (const [, shape] of readPlayground('ofage.svg').matchAll(/ d="([^"]+)"/g))
    expect(html).toContain(` d="${shape}"`);
  const [, font] = /url\('([^']+)'\)/.exec(html) ?? [];
  expect(await (await fetch(site + font)).text()).toBe('font');
  await built.close();
});

it('a program that reads a wrong address gets a line of text', async () => {
  const response = await fetch(`${origin}/nope`);
  expect([response.status, await response.text()]).toEqual([404, 'Not found: /nope\n']);
});

it('the pages have the colours of the playground', async () => {
  const tokens = readFileSync(
    new URL('../../../playground/shared/tokens.css', import.meta.url),
    'utf8',
  ).split('[data-theme')[0];
  const html = await (await fetch(`${origin}/help/`)).text();
  const colours = html.match(/--[\w-]+: [^;]+;/g) ?? [];
  expect(colours).not.toEqual([]);
  for (const colour of colours) expect(tokens).toContain(`  ${colour}\n`);
});
