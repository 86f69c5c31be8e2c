import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  startMockServer,
  type MockServer,
  type MockServerOptions,
} from '../../../mock-server/hosts/node-server.ts';

export let folder: string;

export const closers: (() => Promise<unknown>)[] = [];

export async function start(options: MockServerOptions = {}): Promise<MockServer> {
  const server = await startMockServer({
    port: 0,
    pagesDir: join(folder, 'pages'),
    sdkFile: join(folder, 'sdk.min.js'),
    ...options,
  });
  closers.push(() => server.close());
  return server;
}

export const portOf = (server: MockServer) => Number(new URL(server.apiBase).port);

/** Sends a request over a socket, because fetch does not allow a custom Host header. */
export function get(server: MockServer, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: object; body: string }>(
    (resolve, reject) => {
      const request = sendRequest(
        { host: '127.0.0.1', port: portOf(server), path, headers, agent: false },
        (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, body }),
          );
        },
      );
      request.on('error', reject).end();
    },
  );
}

/** Creates a folder of pages for the tests, and closes the servers after each test. */
export function useServers(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ofage-server-'));
    mkdirSync(join(folder, 'pages/verify'), { recursive: true });
    mkdirSync(join(folder, 'docs/guides'), { recursive: true });
    writeFileSync(join(folder, 'docs/index.html'), 'docs');
    writeFileSync(join(folder, 'docs/guides/index.html'), 'guides');
    writeFileSync(join(folder, 'pages/index.html'), 'shop');
    writeFileSync(join(folder, 'pages/verify/index.html'), 'verify');
    writeFileSync(
      join(folder, 'sdk.min.js'),
      'x="https://api.ofage.example/api/v1",y="https://api.staging.ofage.example/api/v1",z="https://docs.ofage.example/errors#"',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
}
