import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw-socket.ts';

let folder: string;
let server: MockServer;
let port = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-methods-'));
  const write = (...names: string[]): void => {
    const path = join(folder, ...names);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'content');
  };
  write('pages', 'index.html');
  write('pages', 'console', 'index.html');
  write('pages', 'assets', 'app.js');
  write('docs', 'index.html');
  server = await startMockServer({
    port: 0,
    pagesDir: join(folder, 'pages'),
    docsDir: join(folder, 'docs'),
  });
  port = Number(new URL(server.apiBase).port);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Sends a request over a socket, because fetch() refuses some methods. */
async function ask(method: string, target: string, host = `localhost:${port}`) {
  const bytes = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const { statuses, text } = await sendRaw(port, bytes);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { statuses, head: head.toLowerCase(), body };
}

describe.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s', (method) => {
  it.each([
    '/',
    '/console/',
    '/assets/app.js',
    '/docs/',
    '/sdk.min.js',
    '/help/',
    '/help/popup_blocked',
  ])('is not allowed for %s, which can only be read', async (path) => {
    const { statuses, head, body } = await ask(method, path);
    expect([statuses, body]).toEqual([
      [405],
      `Cannot ${method} ${path}: only GET and HEAD are allowed\n`,
    ]);
    expect(head).toContain('allow: get, head');
  });

  it('does not lead from the service’s host to the shop', async () => {
    const { statuses } = await ask(method, '/console/', `127.0.0.1:${port}`);
    expect(statuses).toEqual([405]);
  });

  it.each(['/nothing', '/docs/nothing/', '/help/nothing'])(
    'finds nothing at %s, like GET',
    async (path) => {
      expect((await ask(method, path)).statuses).toEqual([404]);
      expect((await ask('GET', path)).statuses).toEqual([404]);
    },
  );
});

it('missing pages are a reason for 503, for any method', async () => {
  const empty = await startMockServer({ port: 0, pagesDir: join(folder, 'none') });
  for (const method of ['GET', 'POST']) {
    const response = await fetch(empty.console, { method });
    expect([response.status, await response.text()]).toEqual([
      503,
      'The playground was not built\n',
    ]);
  }
  await empty.close();
});

it.each(['/api/v1/sessions/create', '/hosted/v1/session', '/control/v1/clock', '/shop/config'])(
  'TRACE is not allowed for %s',
  async (path) => {
    const { statuses, body } = await ask('TRACE', path);
    expect(statuses).toEqual([405]);
    expect(JSON.parse(body)).toMatchObject({ message: `Cannot TRACE ${path}` });
  },
);

describe('CONNECT', () => {
  it.each(['shop.example:443', 'localhost:4010', '127.0.0.1:22'])(
    'to %s is refused in an error envelope, because the mock is not a proxy',
    async (target) => {
      const { statuses, head, body } = await ask('CONNECT', target, target);
      expect(statuses).toEqual([405]);
      expect(JSON.parse(body)).toEqual({
        statusCode: 405,
        error: 'Method Not Allowed',
        message: `Cannot CONNECT ${target}: this server is not a proxy`,
        path: '',
        timestamp: expect.stringMatching(/Z$/) as unknown,
      });
      expect(head).toMatch(/^allow:/m);
      expect(head).toContain('connection: close');
    },
  );

  it('leaves the server usable', async () => {
    await ask('CONNECT', 'shop.example:443', 'shop.example:443');
    expect((await ask('GET', '/console/')).statuses).toEqual([200]);
  });
});
