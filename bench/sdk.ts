/** Measures size, parse time and click-to-navigation of the SDK, compared with a minimal handwritten page. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import { rollup } from 'rollup';
import { startProvider } from '../test/e2e/support/provider.ts';
import { median, printTable } from './statistics.ts';

const ROUNDS = 30;
const EVALUATIONS = 40;
/** Evaluations per reading, because the page's clock has a resolution of only 0.1 ms. */
const TOGETHER = 25;

/** Verification SDKs on npm with pinned versions, which only this benchmark installs. */
const PEERS = ['@veriff/incontext-sdk@2.5.0', '@sumsub/websdk@2.9.0', 'persona@5.9.0'];

const dist = (file: string): string =>
  readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8');

/** Returns the minimal code of a page: one request, one navigation, no checks. */
const bare = (apiBase: string, apiKey: string): string => `
window.verify = async (returnUrl) => {
  const response = await fetch(${JSON.stringify(apiBase)} + '/sessions/create', {
    method: 'POST',
    headers: { authorization: 'Bearer ${apiKey}', 'content-type': 'application/json' },
    body: JSON.stringify({ returnUrl }),
  });
  location.assign((await response.json()).verifyUrl);
};`;

export async function run(): Promise<void> {
  const sdk = dist('sdk.min.js');
  const peers = await bundlePeers();
  printTable('Size in bytes', [
    ['', 'minified', 'brotli', 'brotli ratio'],
    ...[['ofage sdk.min.js', sdk] as const, ...peers].map(([name, code]) => [
      name,
      String(Buffer.byteLength(code)),
      String(brotli(code)),
      (brotli(code) / brotli(sdk)).toFixed(2),
    ]),
  ]);

  const provider = await startProvider(['--no-demo']);
  const bound = sdk.replace('https://api.ofage.example/api/v1', provider.apiBase);
  // The mock serves the SDK with the reporter behind it.
  const reporting = await (await fetch(new URL('/sdk.min.js', provider.apiBase))).text();
  const byHand = bare(provider.apiBase, provider.publishableKey);
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (pathname === '/sdk' || pathname === '/reports') {
      return response.end(
        page(
          pathname === '/sdk' ? bound : reporting,
          `window.verify = (returnUrl) => new OfAge({ apiKey: '${provider.publishableKey}', returnUrl }).verify();`,
        ),
      );
    }
    if (pathname === '/bare') return response.end(page(byHand, ''));
    return response.end('<!doctype html><title>Empty</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await provider.client.updateTenant(provider.tenantId, {
    rateLimits: { create: 1e6, validate: 1e6 },
  });

  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  });
  try {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.route('**/verify/**', (route) => {
      arrivals.push(performance.timeOrigin + performance.now());
      return route.fulfill({ contentType: 'text/html', body: '<title>Arrived</title>' });
    });

    await tab.goto(`${origin}/empty`);
    const sources = [['bare page', byHand] as const, ['ofage sdk.min.js', sdk] as const, ...peers];
    const times = await evaluate(
      tab,
      sources.map(([, code]) => code),
    );
    const base = times[0] ?? Number.NaN;
    printTable(`Parse and evaluate, median of ${EVALUATIONS} in Chromium`, [
      ['', 'ms', 'relative to the bare page'],
      ...sources.map(([name], index) => [
        name,
        (times[index] ?? Number.NaN).toFixed(3),
        ((times[index] ?? Number.NaN) / base).toFixed(2),
      ]),
    ]);

    const clicks = { bare: [] as number[], sdk: [] as number[], reports: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      // The pages alternate, so that a slow moment of the machine affects both.
      for (const kind of ['bare', 'sdk', 'reports'] as const) {
        await tab.goto(`${origin}/${kind}`);
        await tab.evaluate(() => localStorage.clear());
        arrivals.length = 0;
        const clickedAt = await tab.evaluate(
          () =>
            new Promise<number>((resolve) => {
              const button = document.querySelector('button') as HTMLButtonElement;
              button.addEventListener('click', () => {
                resolve(performance.timeOrigin + performance.now());
                (window as never as { verify(url: string): void }).verify(
                  `${location.origin}/return`,
                );
              });
              button.click();
            }),
        );
        await tab.waitForURL('**/verify/**');
        clicks[kind].push((arrivals[0] ?? Number.NaN) - clickedAt);
      }
    }
    const relativeTo = (kind: keyof typeof clicks, base: keyof typeof clicks): string =>
      (median(clicks[kind]) / median(clicks[base])).toFixed(2);
    const row = (name: string, kind: keyof typeof clicks): string[] => [
      name,
      median(clicks[kind]).toFixed(1),
      relativeTo(kind, 'bare'),
      relativeTo(kind, 'sdk'),
    ];
    printTable(`Click to navigation, median of ${ROUNDS} in Chromium`, [
      ['', 'ms', 'relative to the bare page', 'relative to ofage'],
      row('bare page', 'bare'),
      row('ofage', 'sdk'),
      row('ofage that reports', 'reports'),
    ]);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await provider.stop();
  }
}

const page = (code: string, more: string): string =>
  `<!doctype html><title>Bench</title><button>Verify</button><script>${code}</script><script>${more}</script>`;

function brotli(code: string): number {
  return brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

/** Returns the median milliseconds to parse and run each source. A changing comment bypasses the compile cache. */
function evaluate(tab: Page, sources: readonly string[]): Promise<number[]> {
  return tab.evaluate(
    ([codes, rounds, together]) => {
      const times: number[][] = codes.map(() => []);
      for (let round = 0; round < rounds; round += 1) {
        codes.forEach((code, index) => {
          const fresh = Array.from({ length: together }, (_, n) => `${code}\n//${round}-${n}`);
          const start = performance.now();
          // oxlint-disable-next-line no-eval -- evaluating is what is measured
          for (const source of fresh) globalThis.eval(source);
          times[index]?.push((performance.now() - start) / together);
        });
      }
      return times.map((list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN);
    },
    [sources, EVALUATIONS, TOGETHER] as const,
  );
}

/** Bundles the module entry of each peer with the minifier of this project. */
async function bundlePeers(): Promise<[name: string, code: string][]> {
  const folder = mkdtempSync(join(tmpdir(), 'ofage-bench-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...PEERS],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const bundles: [string, string][] = [];
    for (const peer of PEERS) {
      const name = peer.replace(/@[^@]+$/, '');
      const entry = join(folder, `${name.replaceAll(/\W/g, '-')}.js`);
      // Keeps all exports, because a page may use any of them.
      writeFileSync(entry, `import * as peer from '${name}'; globalThis.peer = peer;`);
      const bundle = await rollup({
        input: entry,
        onwarn: () => {},
        plugins: [nodeResolve({ browser: true }), commonjs(), terser()],
      });
      const { output } = await bundle.generate({ format: 'iife', inlineDynamicImports: true });
      bundles.push([peer, output[0].code]);
    }
    return bundles;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
