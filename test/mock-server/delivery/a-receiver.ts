import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach } from 'vitest';
import type { Dial } from '../../../mock-server/send/node-sender.ts';
import type { WebhookRequest } from '../../../mock-server/send/sender.ts';

export const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Starts a server on 127.0.0.1 until the end of the test, and returns its port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  closers.push(() => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export const toRequest = (url: string, timeoutMs = 5_000): WebhookRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'x-ofage-signature': 'sha256=00' },
  body: new TextEncoder().encode('{"name":"café", "age": 25.0}'),
  timeoutMs,
});

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

/**
 * Creates a dialler that connects to this machine, but reports the requested address as the remote one. The
 * address `refuse` fails.
 */
export function dialLoopback(port: number, seen: string[] = []): Dial {
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
