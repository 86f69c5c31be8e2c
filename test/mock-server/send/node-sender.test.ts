import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Resolve } from '../../../mock-server/send/destination.ts';
import {
  createNodeResolve,
  createNodeSender,
  type Dial,
  type NodeSenderOptions,
} from '../../../mock-server/send/node-sender.ts';
import type { WebhookRequest } from '../../../mock-server/send/sender.ts';
import { listen } from '../../support/listen.ts';
import { createTestTls, hasOpenssl, type TestTls } from '../../support/tls.ts';

const toRequest = (url: string, timeoutMs = 5_000): WebhookRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'x-ofage-signature': 'sha256=00' },
  body: new TextEncoder().encode('{"name":"café", "age": 25.0}'),
  timeoutMs,
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

/**
 * Creates a dialler that connects to this machine, but reports the requested address as the remote one. The
 * address `refuse` fails.
 */
function dialLoopback(port: number, seen: string[] = []): Dial {
  return (address) =>
    new Promise((resolve, reject) => {
      seen.push(address);
      if (address === 'refuse') return reject(new Error('ECONNREFUSED'));
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve({ socket, address });
      });
    });
}

describe('createNodeSender() over http on loopback', () => {
  const sender = createNodeSender({ allowLoopback: true });

  it('posts the bytes, and adds no headers except host, content-length and connection', async () => {
    let seen: unknown;
    const port = await listen(
      createHttp(async (request, response) => {
        const { method, url, headers } = request;
        seen = { method, url, headers, body: await readBody(request) };
        response.writeHead(503, { 'retry-after': '120' }).end('later');
      }),
    );
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/hook?a=1#b`));
    expect(result).toEqual({
      kind: 'response',
      status: 503,
      retryAfter: '120',
      address: '127.0.0.1',
      hops: 0,
    });
    expect(seen).toEqual({
      method: 'POST',
      url: '/hook?a=1',
      headers: {
        'content-type': 'application/json',
        'x-ofage-signature': 'sha256=00',
        host: `127.0.0.1:${port}`,
        'content-length': '29',
        connection: 'close',
      },
      body: '{"name":"café", "age": 25.0}',
    });
  });

  it('tries both addresses of localhost', async () => {
    // This simulates a receiver on ::1: the connection to 127.0.0.1 fails, and the next address is tried.
    const port = await listen(createHttp((_request, response) => response.writeHead(204).end()));
    const flipped = createNodeSender({
      allowLoopback: true,
      dial: (address, onPort, signal) =>
        dialLoopback(onPort)(address === '127.0.0.1' ? 'refuse' : address, onPort, signal),
    });
    expect(await flipped.send(toRequest(`http://localhost:${port}/`))).toMatchObject({
      status: 204,
      address: '::1',
    });
    expect(await sender.send(toRequest(`http://localhost:${port}/`))).toMatchObject({
      status: 204,
      address: '127.0.0.1',
    });
  });

  describe('closes the connection', () => {
    // Stops the sender's timer, so that each test shows which limit ends the response.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    /** Starts a receiver that sends a piece of body every millisecond. `watch` tells how that ends. */
    async function listenEndlessly(piece: string) {
      let pieces = 0;
      let end = (_how: string): void => {};
      const port = await listen(
        createHttp((_request, response) => {
          response.writeHead(200);
          const timer = setInterval(() => {
            response.write(piece);
            pieces -= 1;
            if (pieces === 0) end('the sender still reads');
          }, 1);
          response.on('close', () => {
            clearInterval(timer);
            end('the sender has closed');
          });
        }),
      );
      return {
        request: toRequest(`http://127.0.0.1:${port}/`),
        watch: () =>
          new Promise<string>((resolve) => {
            pieces = 200;
            end = resolve;
          }),
      };
    }

    it('after a few kilobytes of an endless body', async () => {
      const { request, watch } = await listenEndlessly('x'.repeat(4096));
      const ended = watch();
      expect(await sender.send(request)).toMatchObject({ kind: 'response', status: 200 });
      expect(await ended).toBe('the sender has closed');
    });

    it.each([
      [999, 'the sender still reads'],
      [1_000, 'the sender has closed'],
    ])('one second after the head of a slow body: after %i ms, %s', async (ms, how) => {
      const { request, watch } = await listenEndlessly('.');
      await sender.send(request);
      vi.advanceTimersByTime(ms);
      expect(await watch()).toBe(how);
    });
  });

  it('closes the connection during endless interim responses', async () => {
    let answers = 0;
    const port = await listen(
      createTcp((socket) => {
        const flood = (): void => {
          while (!socket.destroyed && answers < 1_000_000) {
            answers += 100;
            if (!socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))) return;
          }
        };
        socket.on('drain', flood).once('data', flood);
      }),
    );
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`));
    expect(result).toEqual({ kind: 'failure', error: 'reset', address: '127.0.0.1', hops: 0 });
    expect(answers).toBeLessThan(1_000_000);
  });

  it('accepts a few interim responses before the final one', async () => {
    const port = await listen(
      createTcp((socket) =>
        socket.once('data', () => {
          socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(8));
          socket.end('HTTP/1.1 204 No Content\r\n\r\n');
        }),
      ),
    );
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'response', status: 204 });
  });

  it.each([
    ['nothing', () => {}],
    [
      'an incomplete response head',
      (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nx: '),
    ],
    [
      'only interim responses',
      (socket: Socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)),
    ],
  ])('times out if the receiver sends %s', async (_title, answer) => {
    const port = await listen(createTcp((socket) => socket.once('data', () => answer(socket))));
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`, 100));
    expect(result).toEqual({ kind: 'failure', error: 'timeout', address: '127.0.0.1', hops: 0 });
  });

  it.each([
    ['closes before it responds', (socket: Socket) => void socket.end()],
    ['resets the connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['does not speak HTTP', (socket: Socket) => void socket.end('220 smtp.example ESMTP\r\n')],
    [
      'sends a response head that is too long',
      (socket: Socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`),
    ],
    [
      'switches protocols',
      (socket: Socket) =>
        void socket.write('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('fails with reset if the receiver %s', async (_title, answer) => {
    const port = await listen(createTcp((socket) => socket.once('data', () => answer(socket))));
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`));
    expect(result).toEqual({ kind: 'failure', error: 'reset', address: '127.0.0.1', hops: 0 });
  });

  it('fails with connect if no server listens', async () => {
    const server = createTcp();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'failure', error: 'connect' });
  });

  it('opens no connection if loopback is not allowed', async () => {
    let connections = 0;
    const port = await listen(createTcp(() => (connections += 1)));
    const strict = createNodeSender();
    for (const url of [`https://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
      const result = await strict.send(toRequest(url));
      expect(result).toMatchObject({ kind: 'refused', error: 'destination_not_public' });
    }
    const plain = await strict.send(toRequest(`http://127.0.0.1:${port}/`));
    expect(plain).toMatchObject({ kind: 'refused', error: 'not_https' });
    expect(connections).toBe(0);
  });

  it('uses no proxy', async () => {
    let proxied = 0;
    const proxy = await listen(createTcp(() => (proxied += 1)));
    const port = await listen(createHttp((_request, response) => response.writeHead(204).end()));
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy}`;
    process.env['http_proxy'] = `http://127.0.0.1:${proxy}`;
    try {
      const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`));
      expect(result).toMatchObject({ status: 204 });
      expect(proxied).toBe(0);
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });
});

const PUBLIC = '93.184.216.34';
const OTHER = '1.1.1.1';

describe.skipIf(!hasOpenssl())('createNodeSender() over TLS', () => {
  let tls: TestTls;
  beforeAll(() => {
    tls = createTestTls(['hooks.example.com', 'other.example.com', PUBLIC]);
  });

  /** Creates a receiver with a certificate, and a sender that connects only to it. */
  async function createWorld(listener: RequestListener, options: NodeSenderOptions = {}) {
    const port = await listen(createHttps({ cert: tls.cert, key: tls.key }, listener));
    const dialled: string[] = [];
    const resolve: Resolve = async (host) => [host.startsWith('hooks') ? PUBLIC : OTHER];
    const dial = dialLoopback(port, dialled);
    return { sender: createNodeSender({ resolve, dial, ca: tls.ca, ...options }), dialled };
  }

  it('sends the name in SNI and Host, and dials the vetted address', async () => {
    let seen: unknown;
    const { sender, dialled } = await createWorld((request, response) => {
      const { servername } = request.socket as TLSSocket;
      seen = { host: request.headers.host, servername };
      response.writeHead(200).end('ok');
    });
    const result = await sender.send(toRequest('https://hooks.example.com:8443/x'));
    expect(result).toMatchObject({ kind: 'response', status: 200, address: PUBLIC });
    expect(seen).toEqual({ host: 'hooks.example.com:8443', servername: 'hooks.example.com' });
    expect(dialled).toEqual([PUBLIC]);
  });

  it('sends no IP address in SNI, but checks it against the certificate', async () => {
    let servername: unknown = 'unset';
    const { sender } = await createWorld((request, response) => {
      servername = (request.socket as TLSSocket).servername;
      response.writeHead(204).end();
    });
    expect(await sender.send(toRequest(`https://${PUBLIC}/`))).toMatchObject({ status: 204 });
    expect(servername).toBe(false);
    expect(await sender.send(toRequest(`https://${OTHER}/`))).toMatchObject({ error: 'tls' });
  });

  it.each([
    ['a certificate for a different name', 'https://wrong.example.com/', {}],
    ['an untrusted authority', 'https://hooks.example.com/', { ca: '' }],
  ])('rejects %s, even if the environment disables the check', async (_title, url, options) => {
    let requests = 0;
    const { sender } = await createWorld(() => (requests += 1), options);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await sender.send(toRequest(url))).toMatchObject({ kind: 'failure', error: 'tls' });
      expect(requests).toBe(0);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('fails with tls if the receiver does not support TLS or breaks the handshake', async () => {
    for (const answer of [
      (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      (socket: Socket) => socket.destroy(),
    ]) {
      const port = await listen(createTcp((socket) => socket.once('data', () => answer(socket))));
      const sender = createNodeSender({ resolve: async () => [PUBLIC], dial: dialLoopback(port) });
      const result = await sender.send(toRequest('https://hooks.example.com/'));
      expect(result).toMatchObject({ kind: 'failure', error: 'tls', address: PUBLIC });
    }
  });

  it('times out during an endless handshake, and closes the socket', async () => {
    const receiver = createTcp((socket) => socket.resume());
    const port = await listen(receiver);
    const closed = new Promise((resolve) =>
      receiver.once('connection', (socket) => socket.once('close', resolve)),
    );
    const sender = createNodeSender({ resolve: async () => [PUBLIC], dial: dialLoopback(port) });
    const result = await sender.send(toRequest('https://hooks.example.com/', 100));
    expect(result).toMatchObject({ kind: 'failure', error: 'timeout' });
    await closed;
  });

  it('writes no byte to a socket whose remote address differs from the dialled one', async () => {
    let bytes = 0;
    const receiver = createTcp((socket) => socket.on('data', ({ length }) => (bytes += length)));
    const closed = new Promise((resolve) =>
      receiver.once('connection', (socket) => socket.once('close', resolve)),
    );
    const port = await listen(receiver);
    const lying: Dial = async (_address, _port, signal) => ({
      socket: (await dialLoopback(port)('', port, signal)).socket,
      address: '127.0.0.1',
    });
    const sender = createNodeSender({ resolve: async () => [PUBLIC], dial: lying });
    const result = await sender.send(toRequest('https://hooks.example.com/'));
    expect(result).toMatchObject({ kind: 'refused', error: 'destination_not_public' });
    await closed;
    expect(bytes).toBe(0);
  });

  it('reports connect, not destination_not_public, when the connection is reset while it opens', async () => {
    const port = await listen(createTcp());
    // A socket that was reset has no remote address any more.
    const broken: Dial = async (_address, _port, signal) => ({
      socket: (await dialLoopback(port)('', port, signal)).socket,
      address: undefined,
    });
    const sender = createNodeSender({ resolve: async () => [PUBLIC], dial: broken });
    const result = await sender.send(toRequest('https://hooks.example.com/'));
    expect(result).toEqual({ kind: 'failure', error: 'connect', address: PUBLIC, hops: 0 });
  });

  it('uses TLS for a loopback receiver if loopback is allowed', async () => {
    const own = createTestTls(['localhost']);
    const port = await listen(
      createHttps({ cert: own.cert, key: own.key }, (_request, response) => {
        response.writeHead(204).end();
      }),
    );
    const sender = createNodeSender({ allowLoopback: true, ca: own.ca });
    const result = await sender.send(toRequest(`https://localhost:${port}/`));
    expect(result).toMatchObject({ status: 204, address: '127.0.0.1' });
  });
});

describe('createNodeResolve()', () => {
  it('returns no addresses if no DNS server can be reached', async () => {
    // The DNS server is a closed port on this machine, so no query leaves it.
    const resolve = createNodeResolve(['127.0.0.1:9']);
    expect(await resolve('hooks.example.com')).toEqual([]);
  });

  it('stops its queries when the attempt is aborted', async () => {
    const { createSocket } = await import('node:dgram');
    const silent = createSocket('udp4');
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const attempt = new AbortController();
    let queries = 0;
    const isAskedAgain = new Promise<string>((done) => {
      silent.on('message', () => {
        attempt.abort();
        queries += 1;
        // There is one query for each address family. More of them mean that the resolver retries.
        if (queries > 2) done('asked again');
      });
    });
    const resolve = createNodeResolve([`127.0.0.1:${silent.address().port}`]);
    const stopped = resolve('hooks.example.com', attempt.signal);
    expect(await Promise.race([stopped, isAskedAgain])).toEqual([]);
  });
});
