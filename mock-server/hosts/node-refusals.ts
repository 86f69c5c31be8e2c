import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError, type ServiceErrorCode } from '../core/errors.ts';
import {
  apiHeaders,
  corsHeaders,
  jsonHeaders,
  toRefusal,
  toResponse,
  type ResponseHeaders,
} from '../http/respond.ts';

interface EarlyRefusal {
  readonly status: number;
  readonly body: { readonly error: string };
  readonly headers: ResponseHeaders;
}

/** Refuses a request that does not reach the service, in the service's own form. */
export function refuseEarly(error: ServiceError, path: string, origin?: string | null): Response {
  const { status, body, headers } = toEarlyRefusal(error, path);
  return toResponse(status, body, { ...corsHeaders(origin ?? undefined), ...headers });
}

/** Answers what is HTTP, but makes no URL: a strange Host, or none. */
export function refuseUnreadable(): Response {
  const response = refuseEarly(new ServiceError('unreadable_request', SENTENCES.other), '');
  response.headers.set('connection', 'close');
  return response;
}

/** Answers what Node's parser refuses, or has waited for in vain, and ends the connection. */
export function answerClientError(error: ClientError, socket: Socket): void {
  const isTorn = error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket);
  if (isTorn) {
    socket.destroy(error);
    return;
  }
  const [code, sentence] = REFUSALS[error.code ?? ''] ?? ['unreadable_request', SENTENCES.other];
  const refusal = toEarlyRefusal(new ServiceError(code, sentence), pathIn(error.rawPacket));
  socket.end(toBytes(refusal), () => socket.destroy());
}

/** What Node tells of a request that its parser refuses. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that the parser had before it. */
  readonly rawPacket?: Uint8Array;
}

const SENTENCES = { other: 'The request is not valid HTTP' };

const REFUSALS: Readonly<Record<string, readonly [code: ServiceErrorCode, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The request has too large chunk extensions'],
};

/** In real time: the service, whose clock may be another, is not asked. */
function toEarlyRefusal(error: ServiceError, path: string): EarlyRefusal {
  const { status, body } = toRefusal(error, path, Date.now());
  // Where the path is not known, it may have been one of the API.
  return { status, body, headers: { ...jsonHeaders(body), ...apiHeaders(path || '/api/v1') } };
}

/** Node does the same by itself: half an answer must not be followed by another one. */
function hasBegunAnswer(socket: Socket): boolean {
  const { _httpMessage: message } = socket as { _httpMessage?: ServerResponse<IncomingMessage> };
  return message?.headersSent === true;
}

/** The path in a request line; empty when there is none. */
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
