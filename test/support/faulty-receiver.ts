import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestTls } from './tls.ts';

export type ReceiverFault =
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'slow'; delayMs: number; status?: number }
  /** Accepts the request and never responds. */
  | { kind: 'hang' }
  /** Resets the connection, before or after handling the request. */
  | { kind: 'reset'; isHandled: boolean }
  /** Responds with 200 and a body that never ends. */
  | { kind: 'endless' }
  /** Passes each event to the application twice, like a load balancer that retries. */
  | { kind: 'duplicate' }
  /** Responds immediately and passes events to the application in pairs, the later one first. */
  | { kind: 'reorder' };

export interface ReceivedEvent {
  readonly atMs: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A receiver on real sockets that misbehaves on demand. */
export interface FaultyReceiver {
  readonly port: number;
  /** Every complete request, regardless of the response. */
  readonly requests: readonly ReceivedEvent[];
  /** The events that the application received, in order. */
  readonly handled: readonly ReceivedEvent[];
  /** Number of bytes received over all sockets, including handshakes. */
  readonly bytes: number;
  /**
   * Sets the faults of the next requests. The last one repeats. If there are no arguments, requests
   * succeed.
   */
  behave(...faults: ReceiverFault[]): void;
  waitFor(requests: number): Promise<void>;
  close(): Promise<void>;
}

export interface FaultyReceiverOptions {
  /** Certificates for TLS. If omitted, the receiver uses plain HTTP. */
  tls?: TestTls;
  /** Handles the events, as the application would. */
  onEvent?: (event: ReceivedEvent) => Promise<unknown> | unknown;
}

export async function startFaultyReceiver(
  options: FaultyReceiverOptions = {},
): Promise<FaultyReceiver> {
  const { tls, onEvent = () => {} } = options;
  const requests: ReceivedEvent[] = [];
  const handled: ReceivedEvent[] = [];
  const held: ReceivedEvent[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let faults: ReceiverFault[] = [];
  let bytes = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const event = await toEvent(request);
    requests.push(event);
    waiting.splice(0).forEach((wake) => wake());
    const fault = (faults.length > 1 ? faults.shift() : faults[0]) ?? WELL;
    await meet(fault, event, response);
  };

  async function hand(event: ReceivedEvent): Promise<void> {
    handled.push(event);
    await onEvent(event);
  }

  async function meet(
    fault: ReceiverFault,
    event: ReceivedEvent,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault.kind) {
      case 'status':
        if (fault.status < 300) await hand(event);
        return void response.writeHead(fault.status, fault.headers).end();
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, fault.delayMs).unref());
        await hand(event);
        return void response.writeHead(fault.status ?? 204).end();
      case 'hang':
        return;
      case 'reset':
        if (fault.isHandled) await hand(event);
        return void response.socket?.resetAndDestroy();
      case 'endless': {
        await hand(event);
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'.repeat(4096)), 5);
        return void response.on('close', () => clearInterval(timer));
      }
      case 'duplicate':
        await Promise.all([hand(event), hand(event)]);
        return void response.writeHead(204).end();
      case 'reorder': {
        held.push(event);
        response.writeHead(204).end();
        if (held.length === 2) for (const late of held.splice(0).toReversed()) await hand(late);
      }
    }
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response).catch(() => response.destroy());
  const server = tls
    ? createHttps({ cert: tls.cert, key: tls.key }, listener)
    : createHttp(listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      bytes += socket.bytesRead;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    handled,
    get bytes() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesRead, bytes);
    },
    behave(...next) {
      faults = next;
    },
    async waitFor(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const WELL: ReceiverFault = { kind: 'status', status: 204 };

async function toEvent(request: IncomingMessage): Promise<ReceivedEvent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    atMs: Date.now(),
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(chunks),
  };
}
