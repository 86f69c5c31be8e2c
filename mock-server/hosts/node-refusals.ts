import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError, type ServiceErrorCode } from '../store/errors.ts';
import {
  apiHeaders,
  corsHeaders,
  jsonHeaders,
  toRefusal,
  toResponse,
  type ResponseHeaders,
} from '../service/http/respond.ts';

interface EarlyRefusal {
  readonly status: number;
  readonly body: { readonly error: string };
  readonly headers: ResponseHeaders;
}

/** Refuses a request with the service's error envelope before it reaches the service. */
export function refuseEarly(error: ServiceError, path: string, origin?: string | null): Response {
  const { status, body, headers } = toEarlyRefusal(error, path);
  return toResponse(status, body, { ...corsHeaders(origin ?? undefined), ...headers });
}

/** Answers a request that has no URL because its `Host` is missing or invalid. */
export function refuseUnreadable(): Response {
  const response = refuseEarly(new ServiceError('unreadable_request', SENTENCES.other), '');
  response.headers.set('connection', 'close');
  return response;
}

/** Answers a request that Node's parser rejects or that timed out, then closes the connection. */
export function answerClientError(error: ClientError, socket: Socket): void {
  const isUnanswerable =
    error.code === 'ECONNRESET' || !socket.writable || hasStartedResponse(socket);
  if (isUnanswerable) {
    socket.destroy(error);
    return;
  }
  const [code, sentence] = REFUSALS[error.code ?? ''] ?? ['unreadable_request', SENTENCES.other];
  const refusal = toEarlyRefusal(new ServiceError(code, sentence), pathIn(error.rawPacket));
  socket.end(toBytes(refusal), () => socket.destroy());
}

/** The error of a request that Node's parser rejects or that timed out. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that the parser was reading. */
  readonly rawPacket?: Uint8Array;
}

const SENTENCES = { other: 'The request is not valid HTTP' };

const REFUSALS: Readonly<Record<string, readonly [code: ServiceErrorCode, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'body_too_large',
    'The chunk extensions of the request are too large',
  ],
};

/** Uses real time, because the service and its clock may not be available yet. */
function toEarlyRefusal(error: ServiceError, path: string): EarlyRefusal {
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
