import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDocs, servePage } from '../../../mock-server/hosts/node-pages.ts';
import { parsePolicy } from '../../support/content-policy.ts';

const FRAME = { links: [], font: null };
const SCRIPT = 'export {};\n'.repeat(500);

let folder: string;
let root: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-pages-'));
  root = join(folder, 'pages');
  mkdirSync(join(root, 'verify'), { recursive: true });
  mkdirSync(join(root, 'assets'));
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(root, 'labs/coop'), { recursive: true });
  writeFileSync(join(root, 'labs/index.html'), '<title>labs</title>');
  writeFileSync(join(root, 'labs/coop/index.html'), '<title>coop</title>');
  mkdirSync(join(folder, 'pages-secret'));
  writeFileSync(join(root, 'index.html'), '<title>shop</title>');
  writeFileSync(join(root, 'verify/index.html'), '<title>verify</title>');
  writeFileSync(join(root, 'guide.html'), '<html lang="en"></html>');
  writeFileSync(join(root, 'assets/app-1.js'), 'export {};');
  writeFileSync(join(root, 'assets/app.css'), 'a {}');
  writeFileSync(join(root, 'assets/data.bin'), 'x');
  writeFileSync(join(root, 'assets/shop-BwtIkAZ6.js'), SCRIPT);
  writeFileSync(join(root, 'labs/large.css'), SCRIPT);
  writeFileSync(join(root, '.env'), 'SECRET=1');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'pages-secret/secret.txt'), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true }));

const DOCS = 'http://localhost:4010/docs/';

const get = (path: string, init?: RequestInit) =>
  servePage(root, new Request(`http://localhost:4010${path}`, init));

describe('servePage()', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', '<title>shop</title>'],
    ['/index.html', 'text/html; charset=utf-8', '<title>shop</title>'],
    ['/verify/?sessionId=1', 'text/html; charset=utf-8', '<title>verify</title>'],
    ['/assets/app-1.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['/assets/app.css', 'text/css; charset=utf-8', 'a {}'],
    ['/assets/data.bin', 'application/octet-stream', 'x'],
    ['/assets/app%2D1.js', 'text/javascript; charset=utf-8', 'export {};'],
  ])('serves %s as %s', async (path, type, body) => {
    const response = await get(path);
    expect(response?.headers.get('content-type')).toBe(type);
    expect(response?.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response?.text()).toBe(body);
  });

  it.each([
    ['/../secret.txt', 'a parent folder'],
    ['/%2e%2e/secret.txt', 'an encoded parent folder'],
    ['/assets/..%2f..%2fsecret.txt', 'encoded slashes'],
    ['/..%5csecret.txt', 'an encoded backslash'],
    ['/%252e%252e/secret.txt', 'a doubly encoded parent folder'],
    ['/../pages-secret/secret.txt', 'a sibling folder with the same prefix'],
    ['/.env', 'a hidden file'],
    ['/assets/%00app.css', 'a null byte'],
    ['/%ff', 'not UTF-8'],
    ['/empty/', 'a folder without index.html'],
    ['/assets/app.css/', 'a file with a trailing slash'],
    ['/nothing', 'a file that does not exist'],
  ])('returns null for %s: %s', async (path) => {
    expect(await get(path)).toBeNull();
  });

  it('redirects a folder without a trailing slash, and keeps the query', async () => {
    const response = await get('/verify?sessionId=1');
    expect(response?.status).toBe(308);
    expect(response?.headers.get('location')).toBe('/verify/?sessionId=1');
  });

  it('never redirects to a different host', async () => {
    const response = await get('//verify');
    expect(response?.headers.get('location') ?? '/').toMatch(/^\/(?!\/)/);
  });

  it('sends Cross-Origin-Opener-Policy for one labs page only', async () => {
    const policy = async (path: string): Promise<string | null | undefined> =>
      (await get(path))?.headers.get('cross-origin-opener-policy');
    expect(await policy('/labs/coop/?next=x')).toBe('same-origin');
    for (const path of [
      '/',
      '/labs/',
      '/verify/',
      '/verify/?next=/labs/coop/',
      '/labs/coop/../../verify/',
      '/labs/coop/%2e%2e/%2e%2e/verify/',
      '/labs/coop/..%2f..%2fverify/',
    ]) {
      expect(await policy(path), path).toBeNull();
    }
  });

  it('sends the hosted page with a Content-Security-Policy and no Cross-Origin-Opener-Policy, and assets without a Content-Security-Policy', async () => {
    const { headers } = (await get('/verify/'))!;
    expect(headers.get('cross-origin-opener-policy')).toBeNull();
    expect(headers.get('content-security-policy')).toContain("object-src 'none'");
    expect((await get('/assets/app.css'))!.headers.get('content-security-policy')).toBeNull();
  });

  it('sends a policy that loads scripts from the mock only, and sends forms only there', async () => {
    for (const path of ['/', '/verify/', '/labs/', '/labs/coop/']) {
      const policy = parsePolicy((await get(path))!);
      expect(policy, path).toMatchObject({
        'script-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'self'"],
        'base-uri': ["'none'"],
      });
    }
  });

  it('sends the documentation with the same policy, besides its inline scripts', async () => {
    const site = parsePolicy((await serveDocs(root, new Request(DOCS), { hasDemo: true }, FRAME))!);
    expect(site).toMatchObject({ 'form-action': ["'self'"], 'frame-ancestors': ["'self'"] });
    // A second directive of the same name would be ignored.
    expect(site['script-src']).toEqual(expect.arrayContaining(["'self'", "'unsafe-inline'"]));
    expect(site['script-src']?.join()).not.toContain('http');
    const link = parsePolicy(
      (await serveDocs(join(folder, 'not-built'), new Request(DOCS), { hasDemo: true }, FRAME))!,
    );
    expect(link).toMatchObject({ 'default-src': ["'none'"], 'form-action': ["'none'"] });
  });

  it('marks the documentation of a mock without the demo, whose bar has no links to it', async () => {
    const read = async (hasDemo: boolean): Promise<string> =>
      (await serveDocs(root, new Request(`${DOCS}guide.html`), { hasDemo }, FRAME))!.text();
    expect(await read(false)).toContain('<html data-mock="no-demo" ');
    expect(await read(true)).not.toContain('data-mock');
  });

  it('returns 304 for a matching ETag, no body for HEAD, and null for POST', async () => {
    const etag = (await get('/'))!.headers.get('etag')!;
    expect((await get('/', { headers: { 'if-none-match': etag } }))!.status).toBe(304);
    const head = await get('/', { method: 'HEAD' });
    expect([head!.status, await head!.text()]).toEqual([200, '']);
    expect(await get('/', { method: 'POST' })).toBeNull();
  });

  it('compresses a file for a browser that accepts it', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const answer = (await get('/labs/large.css', { headers }))!;
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe(SCRIPT);
    const etag = answer.headers.get('etag')!;
    const again = await get('/labs/large.css', { headers: { ...headers, 'if-none-match': etag } });
    expect(again!.status).toBe(304);
  });

  it.each([
    ['/assets/shop-BwtIkAZ6.js', 'public, max-age=31536000, immutable', 'its name has a hash'],
    ['/assets/app-1.js', 'no-cache', 'its name has no hash'],
    ['/labs/large.css', 'no-cache', 'it is not an asset'],
    ['/', 'no-cache', 'a page names the current assets'],
  ])('sends %s with the Cache-Control "%s": %s', async (path, expected) => {
    const answer = await get(path);
    expect(answer!.headers.get('cache-control')).toBe(expected);
  });

  it('returns null if the pages were not built', async () => {
    const missing = join(folder, 'not-built');
    expect(await servePage(missing, new Request('http://localhost/'))).toBeNull();
  });
});
