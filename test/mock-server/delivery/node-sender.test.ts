import { createServer as createHttp } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTcp } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNodeSender } from '../../../mock-server/send/node-sender.ts';
import { dialLoopback, listen, readBody, toRequest } from './a-receiver.ts';

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

  it('opens a new connection for every request', async () => {
    const connections = new Set<unknown>();
    const port = await listen(
      createHttp((request, response) => {
        connections.add(request.socket);
        response.writeHead(204).end();
      }),
    );
    for (let n = 0; n < 3; n += 1) await sender.send(toRequest(`http://127.0.0.1:${port}/`));
    expect(connections.size).toBe(3);
  });

  it('treats a 2xx with an endless body as a success', async () => {
    const port = await listen(
      createHttp((_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'.repeat(4096)), 5);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const result = await sender.send(toRequest(`http://127.0.0.1:${port}/`, 500));
    expect(result).toMatchObject({ kind: 'response', status: 200 });
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
      await sender.send(request);
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
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = `http://127.0.0.1:${proxy}`;
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
