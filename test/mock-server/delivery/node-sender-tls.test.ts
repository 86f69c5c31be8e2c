import type { RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Socket } from 'node:net';
import { createServer as createTcp } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Resolve } from '../../../mock-server/send/destination.ts';
import type { Dial, NodeSenderOptions } from '../../../mock-server/send/node-sender.ts';
import { createNodeSender } from '../../../mock-server/send/node-sender.ts';
import { createTestTls, hasOpenssl } from '../../support/tls.ts';
import type { TestTls } from '../../support/tls.ts';
import { dialLoopback, listen, readBody, toRequest } from './a-receiver.ts';

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

  it('posts the same bytes and signature again after redirects', async () => {
    const seen: string[] = [];
    const { sender, dialled } = await createWorld(async (request, response) => {
      const { host, 'x-ofage-signature': signature } = request.headers;
      seen.push(`${request.method} ${host}${request.url} ${signature} ${await readBody(request)}`);
      if (request.url === '/1') response.writeHead(302, { location: '/2' }).end();
      else if (request.url === '/2')
        response.writeHead(307, { location: 'https://other.example.com/3' }).end();
      else response.writeHead(202).end();
    });
    const result = await sender.send(toRequest('https://hooks.example.com/1'));
    expect(result).toMatchObject({ kind: 'response', status: 202, address: OTHER, hops: 2 });
    const sent = 'sha256=00 {"name":"café", "age": 25.0}';
    expect(seen).toEqual([
      `POST hooks.example.com/1 ${sent}`,
      `POST hooks.example.com/2 ${sent}`,
      `POST other.example.com/3 ${sent}`,
    ]);
    expect(dialled).toEqual([PUBLIC, PUBLIC, OTHER]);
  });

  it('rejects a name that becomes private before a redirect, without a connection', async () => {
    const answers = [PUBLIC, '127.0.0.1'];
    const { sender, dialled } = await createWorld(
      (_request, response) => response.writeHead(307, { location: '/again' }).end(),
      { resolve: async () => [answers.shift()!] },
    );
    const result = await sender.send(toRequest('https://hooks.example.com/'));
    expect(result).toMatchObject({ kind: 'refused', error: 'destination_not_public', hops: 1 });
    expect(dialled).toEqual([PUBLIC]);
  });

  it('writes no byte to a socket whose remote address differs from the dialled one', async () => {
    let bytes = 0;
    const port = await listen(
      createTcp((socket) => socket.on('data', ({ length }) => (bytes += length))),
    );
    const lying: Dial = async (_address, _port, signal) => ({
      socket: (await dialLoopback(port)('', port, signal)).socket,
      address: '127.0.0.1',
    });
    const sender = createNodeSender({ resolve: async () => [PUBLIC], dial: lying });
    const result = await sender.send(toRequest('https://hooks.example.com/'));
    expect(result).toMatchObject({ kind: 'refused', error: 'destination_not_public' });
    await new Promise((resolve) => setTimeout(resolve, 30));
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

  it('tries the next vetted address if one is down, and dials no others', async () => {
    const dialled: string[] = [];
    const port = await listen(
      createHttps({ cert: tls.cert, key: tls.key }, (_request, response) => {
        response.writeHead(204).end();
      }),
    );
    const dial: Dial = (address, onPort, signal) => {
      dialled.push(address);
      return dialLoopback(port)(address === PUBLIC ? 'refuse' : address, onPort, signal);
    };
    const sender = createNodeSender({ resolve: async () => [PUBLIC, OTHER], dial, ca: tls.ca });
    const result = await sender.send(toRequest('https://hooks.example.com/'));
    expect(result).toMatchObject({ status: 204, address: OTHER });
    expect(dialled).toEqual([PUBLIC, OTHER]);
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
