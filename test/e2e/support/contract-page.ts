/** Builds the page that contains the service and serves it on this machine. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { msw } from 'msw/vite';
import { build } from 'vite';

const path = (fromHere: string): string => fileURLToPath(new URL(fromHere, import.meta.url));

export async function buildContractPage(): Promise<{ url: string; close(): Promise<void> }> {
  // Each worker of the runner builds into a separate folder, because they build concurrently.
  const outDir = path(`../../../reports/contract-page-${process.env.TEST_PARALLEL_INDEX ?? 0}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    root: path('../contract-page'),
    base: './',
    publicDir: false,
    resolve: { alias: { 'ofage-mock': path('../../../mock-server/index.ts') } },
    plugins: [msw({ mode: 'worker-only' })],
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 2_000 },
  });
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname;
    readFile(join(outDir, name === '/' ? 'index.html' : name)).then(
      (bytes) => {
        const isScript = extname(name) === '.js';
        response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
        response.end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
