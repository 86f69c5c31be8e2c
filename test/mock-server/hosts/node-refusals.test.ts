import { connect, createServer, type Socket } from 'node:net';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../mock-server/send/address.ts';
import { answerClientError } from '../../../mock-server/hosts/node-listen.ts';
import { findFreePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { waitFor } from '../../support/wait-for.ts';

const CREATE = '/api/v1/sessions/create';

/** Parses the last response in the raw text of a connection. */
function toParts(text: string): { headers: Record<string, string>; body: unknown } {
  const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = lines.map((line) => line.toLowerCase().split(': ') as [string, string]);
  return { headers: Object.fromEntries(headers), body: body && JSON.parse(body) };
}

const envelope = (statusCode: number, error: string, message: string, path: string) => ({
  statusCode,
  error,
  message,
  path,
  timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
});

const LIMIT = {
  'x-ratelimit-limit': '300',
  'x-ratelimit-window': '60',
  'x-ratelimit-remaining': '300',
  'content-type': 'application/json; charset=utf-8',
};

const NO_HTTP = 'The request is not valid HTTP';

describe('a malformed or unusual request', () => {
  let server: MockServer;
  let port = 0;
  beforeAll(async () => {
    server = await startMockServer({ port: 0 });
    port = Number(new URL(server.apiBase).port);
  });
  afterAll(() => server.close());

  it.each<[why: string, bytes: string, status: number, path: string]>([
    ['no Host header', `POST ${CREATE} HTTP/1.1\r\n\r\n`, 400, ''],
    ['an invalid Host header', `POST ${CREATE} HTTP/1.1\r\nHost: [\r\n\r\n`, 400, ''],
    [
      'a Content-Length that is not a number',
      `POST ${CREATE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n`,
      400,
      CREATE,
    ],
    [
      'two Content-Length headers',
      `POST ${CREATE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n`,
      400,
      CREATE,
    ],
    ['a different protocol', 'EHLO mail.example\r\n\r\n', 400, ''],
    [
      'headers that are too large',
      `POST ${CREATE} HTTP/1.1\r\nHost: localhost\r\nCookie: ${'z'.repeat(20_000)}\r\n\r\n`,
      431,
      CREATE,
    ],
  ])(
    'gets an error envelope and the rate limit headers if it has %s',
    async (_why, bytes, status, path) => {
      const answer = await sendRaw(port, bytes);
      expect(answer.statuses).toEqual([status]);
      expect(answer.end).toBe('closed');
      const { headers, body } = toParts(answer.text);
      expect(headers).toMatchObject({ ...LIMIT, connection: 'close' });
      expect(body).toEqual(
        status === 431
          ? envelope(
              431,
              'Request Header Fields Too Large',
              'The request headers are too large',
              path,
            )
          : envelope(400, 'Bad Request', NO_HTTP, path),
      );
    },
  );

  it('gets no response in the middle of another response, only a closed connection', async () => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.write('GET /control/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await waitFor(() => expect(text).toContain('retry: 1000'));
    socket.write('%%%%\r\n\r\n');
    await new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('reaches the service if it has an unknown Expect header', async () => {
    const answer = await sendRaw(
      port,
      `POST ${CREATE} HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.statuses).toEqual([401]);
    expect(toParts(answer.text).headers).toMatchObject(LIMIT);
  });

  it.each([CREATE, '/api/v1/sessions/validate', '/hosted/v1/session', '/control/v1/state'])(
    'gets an error envelope without CORS headers for a foreign Host at %s',
    async (path) => {
      const answer = await sendRaw(
        port,
        `POST ${path} HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.statuses).toEqual([403]);
      const { headers, body } = toParts(answer.text);
      const message = `This server only serves http://localhost:${port}`;
      expect(body).toEqual(envelope(403, 'Forbidden', message, path));
      const limit = path === CREATE ? '300' : '100';
      expect(headers['x-ratelimit-limit']).toBe(path.startsWith('/api/v1') ? limit : undefined);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});

describe('a request while the service starts', () => {
  const sockets: Socket[] = [];

  it('gets 503 in an error envelope, with the rate limit headers', async () => {
    // A database that never responds keeps the service from loading its state.
    const database = createServer((socket) => void sockets.push(socket.on('error', () => {})));
    const port = await findFreePort();
    const databasePort = await listen(database);
    const starting = startMockServer({
      port,
      data: `postgres://nobody@127.0.0.1:${databasePort}/mock`,
    });
    const failed = starting.then(
      (server) => server.close(),
      () => {},
    );
    const response = await untilListening(`http://127.0.0.1:${port}${CREATE}`);
    expect(response.status).toBe(503);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...LIMIT,
      'access-control-allow-origin': 'https://shop.example',
    });
    expect(await response.json()).toEqual(
      envelope(503, 'Service Unavailable', 'The service is starting', CREATE),
    );
    const page = await fetch(`http://127.0.0.1:${port}/verify/`);
    expect([page.status, await page.text()]).toEqual([503, 'The service is starting\n']);
    for (const socket of sockets) socket.destroy();
    database.close();
    await failed;
  });
});

describe('answerClientError()', () => {
  const answerTo = async (error: Error, before = ''): Promise<string> => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(before);
        answerClientError(error, socket);
      });
    });
    return (await sendRaw(await listen(server), 'x')).text;
  };

  it('responds with 408 to a request that took too long', async () => {
    const error = Object.assign(new Error('Slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const text = await answerTo(error);
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    const { headers, body } = toParts(text);
    expect(headers).toMatchObject(LIMIT);
    const message = 'The request did not arrive in time';
    expect(body).toEqual(envelope(408, 'Request Timeout', message, ''));
  });

  it('responds with 413 to chunks with extensions that are too large', async () => {
    const error = Object.assign(new Error('Big'), { code: 'HPE_CHUNK_EXTENSIONS_OVERFLOW' });
    expect(await answerTo(error)).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
  });

  it('sends no response to a client that has disconnected', async () => {
    expect(await answerTo(Object.assign(new Error('Gone'), { code: 'ECONNRESET' }))).toBe('');
  });
});

async function untilListening(url: string): Promise<Response> {
  for (;;) {
    const init = { method: 'POST', headers: { origin: 'https://shop.example' } };
    const response = await fetch(url, init).catch(() => null);
    if (response) return response;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('isLoopbackHost()', () => {
  it.each([
    'localhost',
    'localhost:4010',
    'LOCALHOST:4010',
    '127.0.0.1',
    '127.0.0.1:4010',
    '127.8.9.1:1',
    '[::1]',
    '[::1]:4010',
  ])('accepts %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each([
    ['', 'an empty host'],
    ['evil.example', 'a foreign name, even if it resolves to loopback'],
    ['evil.example:4010', 'a foreign name with our port'],
    ['localhost.evil.example', 'localhost as a prefix'],
    ['evil-localhost', 'localhost as a suffix'],
    ['127.0.0.1.nip.io', 'a loopback address as a prefix'],
    ['localhost@evil.example', 'userinfo'],
    ['localhost:4010:80', 'two ports'],
    ['localhost:port', 'a port that is not a number'],
    ['10.0.0.1', 'a private address is not loopback'],
    ['0.0.0.0:4010', 'the unspecified address'],
    ['2130706433', 'a form of 127.0.0.1 that browsers normalise before they send it'],
    ['[::]', 'the unspecified IPv6 address'],
    ['[::1', 'an unclosed bracket'],
    ['::1', 'an IPv6 address without brackets'],
  ])('rejects %j: %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
