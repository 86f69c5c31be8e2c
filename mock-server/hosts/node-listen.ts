import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import {
  apiHeaders,
  corsHeaders,
  jsonHeaders,
  type ResponseHeaders,
  toRefusal,
  toResponse,
} from '../service/http/respond.ts';
import { ServiceError, type ServiceErrorCode } from '../store/errors.ts';

export interface Listening {
  readonly port: number;
  /** Stops accepting connections. Closes each when it is idle, and all others after half a second. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** The port to listen on. 0 chooses a free one. */
  readonly port: number;
  /** True if the globals Request and Response may be replaced with cheaper ones. */
  readonly ownsProcess: boolean;
  /** Headers of every response, also of a refusal that reaches no route. @default none */
  readonly headers?: ResponseHeaders;
}

/** Time for running responses and streams to finish when the server closes. */
const GRACE_MS = 500;

/** Interval at which connections that have become idle are closed. */
const CLOSE_IDLE_MS = 20;

/**
 * Listens on an address of this machine.
 * @throws {Error} with a readable message if the port is in use or not permitted.
 */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port, ownsProcess, headers = {} }: ListenOptions,
): Promise<Listening> {
  const answer = getRequestListener(fetch, {
    // The globals are replaced only if the process belongs to this server, because the server may also run
    // inside a user's test process.
    overrideGlobalObjects: ownsProcess,
    errorHandler: refuseUnreadable,
  });
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    return answer(incoming, outgoing);
  };
  const server = createServer(
    // The listener itself refuses a request without a Host, with the service's error envelope.
    { headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false },
    listener,
  );
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket, headers));
  server.on('connect', (request, socket) => refuseTunnel(request, socket, headers));
  // A server may ignore an unknown expectation: RFC 9110, 10.1.1.
  server.on('checkExpectation', listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new Error(toSentence(cause, host, port), { cause })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const idleTimer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
        const limit = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearInterval(idleTimer);
          clearTimeout(limit);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function toSentence(cause: NodeJS.ErrnoException, host: string, port: number): string {
  return `Cannot listen on ${host}:${port}: ${explainFailure(cause)}`;
}

function explainFailure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return 'the port is in use; stop the process that uses it, or choose another port (0 chooses a free one)';
  if (code === 'EACCES') return 'this user may not use the port; choose one above 1023';
  return message;
}

/** Refuses a request with the service's error envelope before it reaches the service. */
export function refuseEarly(error: ServiceError, path: string, origin?: string | null): Response {
  const { status, body, headers } = toEarlyRefusal(error, path);
  return toResponse(status, body, { ...corsHeaders(origin ?? undefined), ...headers });
}

/** Answers a request that has no URL because its `Host` is missing or invalid. */
function refuseUnreadable(): Response {
  const response = refuseEarly(new ServiceError('unreadable_request', NOT_HTTP), '');
  response.headers.set('connection', 'close');
  return response;
}

/** Answers a request that Node's parser rejects or that timed out, then closes the connection. */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  headers: ResponseHeaders = {},
): void {
  const isUnanswerable =
    error.code === 'ECONNRESET' || !socket.writable || hasStartedResponse(socket);
  if (isUnanswerable) {
    socket.destroy(error);
    return;
  }
  const [code, sentence] = REFUSALS[error.code ?? ''] ?? ['unreadable_request', NOT_HTTP];
  const refusal = toEarlyRefusal(new ServiceError(code, sentence), pathIn(error.rawPacket));
  const answer = { ...refusal, headers: { ...refusal.headers, ...headers } };
  socket.end(toBytes(answer), () => socket.destroy());
}

/** Refuses CONNECT. Without this listener, Node would close the connection without a response. */
function refuseTunnel(
  { url = '' }: IncomingMessage,
  socket: Duplex,
  headers: ResponseHeaders,
): void {
  const sentence = `Cannot CONNECT ${url}: this server is not a proxy`;
  const refusal = toEarlyRefusal(new ServiceError('method_not_allowed', sentence), '');
  socket.on('error', () => {});
  // A 405 must have this header, which is empty if no method is allowed: RFC 9110, 10.2.1.
  socket.end(toBytes({ ...refusal, headers: { ...refusal.headers, ...headers, Allow: '' } }));
}

/** The error of a request that Node's parser rejects or that timed out. */
interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that the parser was reading. */
  readonly rawPacket?: Uint8Array;
}

const NOT_HTTP = 'The request is not valid HTTP';

const REFUSALS: Readonly<Record<string, readonly [code: ServiceErrorCode, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'body_too_large',
    'The chunk extensions of the request are too large',
  ],
};

type EarlyRefusal = ReturnType<typeof toEarlyRefusal>;

/** Uses real time, because the service and its clock may not be available yet. */
function toEarlyRefusal(error: ServiceError, path: string) {
  const { status, body } = toRefusal(error, path, Date.now());
  // An unknown path may belong to the API, so the rate-limit headers are added.
  return { status, body, headers: { ...jsonHeaders(body), ...apiHeaders(path || '/api/v1') } };
}

/**
 * Tells whether a response has already started. A second response must not follow half of another one.
 * Node's default handler makes the same check.
 */
function hasStartedResponse(socket: Socket): boolean {
  const { _httpMessage: message } = socket as { _httpMessage?: ServerResponse<IncomingMessage> };
  return message?.headersSent === true;
}

/** Returns the path of the request line, or an empty string. */
function pathIn(bytes: Uint8Array | undefined): string {
  const [, path = ''] =
    /^[A-Z]+ (\/[^\s?#]*)/.exec(Buffer.from(bytes ?? []).toString('latin1')) ?? [];
  return path;
}

function toBytes({ status, body, headers }: EarlyRefusal): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(text)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${body.error}\r\n${lines.join('')}\r\n${text}`;
}
