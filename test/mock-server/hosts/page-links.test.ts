import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-page-links-'));
  for (const name of ['pages/console', 'docs']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, 'pages/console/index.html'),
    '<!doctype html>\n<html lang="en"></html>',
  );
  writeFileSync(join(folder, 'docs/index.html'), 'The documentation');
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['docs', '/docs/'],
  ['none', undefined],
])('pages with the documentation in the folder "%s" link to %s', async (docs, link) => {
  const pagesDir = join(folder, 'pages');
  const server = await startMockServer({ port: 0, pagesDir, docsDir: join(folder, docs) });
  const html = await (await fetch(server.console)).text();
  expect(/<html [^>]*data-docs="([^"]*)"/.exec(html)?.[1]).toBe(link);
  await server.close();
});

it.each([
  { demo: 'running', shopBackend: 'http://127.0.0.1:9', has: true },
  { demo: 'absent', has: false },
])(
  'pages link to the shop and the labs: $has, with the demo $demo',
  async ({ shopBackend, has }) => {
    const pagesDir = join(folder, 'pages');
    const server = await startMockServer({
      port: 0,
      pagesDir,
      ...(shopBackend && { shopBackend }),
    });
    const html = await (await fetch(server.console)).text();
    expect(/<html [^>]*data-demo="none"/.test(html)).toBe(!has);
    // The console prints the same address as the terminal.
    expect(/<html [^>]*data-service="([^"]*)"/.exec(html)?.[1]).toBe(
      new URL('/', server.apiBase).href,
    );
    const help = await (await fetch(new URL('/help/', server.console))).text();
    const links = [...help.matchAll(/<nav.*?<\/nav>/g)].join('');
    expect([links.includes('>Shop<'), links.includes('>Labs<')]).toEqual([has, has]);
    expect(links).toContain('>Console<');
    await server.close();
  },
);
