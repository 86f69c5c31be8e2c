import { readFileSync } from 'node:fs';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, expect, it } from 'vitest';

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
    expect(html).not.toMatch(/<script/i);
  },
);

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
