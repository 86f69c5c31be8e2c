import { OfAgeError } from './errors.ts';
import { kindOf } from './json-object.ts';
import type { Bytes } from './signature.ts';

/**
 * The body of a request exactly as received, as bytes, as text, or as an unread stream of bytes (the `body`
 * of a Fetch `Request`, or the request itself in Node).
 */
export type RawBody = Uint8Array | ArrayBuffer | string | AsyncIterable<Uint8Array> | ByteStream;

/** The part of a `ReadableStream` that is used. Not every version of @types/node declares that class. */
export interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };
}

/** Copies a body that is in memory. */
export function toBytes(rawBody: unknown): Bytes {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // Checks the brand instead of using instanceof, so that buffers of another realm (test runners, vm) are
  // accepted.
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).slice();
  }
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') {
    return new Uint8Array(rawBody as ArrayBuffer).slice();
  }
  const why =
    rawBody === undefined || rawBody === null
      ? 'this server has not read the body, or has read it before'
      : 'a parsed body cannot be checked, because serialising it again produces different bytes than the signed ones';
  throw new OfAgeError(
    'body_not_raw',
    `Cannot verify the webhook: rawBody must be the raw bytes of the request body, or its exact text, got ${kindOf(rawBody)}; ${why}`,
  );
}

/**
 * Time limit for a body. It is below the 15 seconds after which the service gives up, so that a slow body gets
 * a response.
 */
const BODY_TIMEOUT_MS = 10_000;

/** Reads a body. Throws as soon as it is longer than `maxBytes`, and after ten seconds. */
export async function readRawBody(body: unknown, maxBytes: number): Promise<Bytes> {
  const next = toReader(body);
  if (!next) {
    const bytes = toBytes(body);
    return bytes.length > maxBytes ? refuseLength(maxBytes) : bytes;
  }
  const { timedOut, stop } = startTimer();
  try {
    const bytes = await readChunks(() => Promise.race([next(), timedOut]), maxBytes);
    return bytes ?? refuseLength(maxBytes);
  } finally {
    stop();
  }
}

type ReadChunk = () => Promise<IteratorResult<unknown, unknown>>;

/** Reads chunks to their end. Returns undefined as soon as they are longer than `maxBytes`. */
export async function readChunks(next: ReadChunk, maxBytes: number): Promise<Bytes | undefined> {
  const chunks: Bytes[] = [];
  let length = 0;
  for (;;) {
    const chunk = await next();
    if (chunk.done === true) return concatenate(chunks, length);
    const bytes = toBytes(chunk.value);
    length += bytes.length;
    if (length > maxBytes) return undefined;
    chunks.push(bytes);
  }
}

function startTimer(): { timedOut: Promise<never>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    const error = new OfAgeError(
      'body_timeout',
      `Cannot receive the webhook: the body did not arrive within ${BODY_TIMEOUT_MS / 1000} seconds`,
    );
    timer = setTimeout(() => reject(error), BODY_TIMEOUT_MS);
  });
  return { timedOut, stop: () => clearTimeout(timer) };
}

/**
 * Returns a function that reads the next chunk of a `ByteStream` or an `AsyncIterable`, or undefined if the
 * body is neither. `for await` would destroy a stream that is too long, and in Node that closes the socket
 * before the response is written.
 */
function toReader(body: unknown): ReadChunk | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { getReader, [Symbol.asyncIterator]: iterate } = body as {
    getReader?: unknown;
    [Symbol.asyncIterator]?: unknown;
  };
  if (typeof getReader === 'function') {
    const reader = (body as ByteStream).getReader();
    return () => reader.read() as Promise<IteratorResult<unknown, unknown>>;
  }
  if (typeof iterate !== 'function') return undefined;
  const iterator = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return () => iterator.next();
}

function refuseLength(maxBytes: number): never {
  throw new OfAgeError(
    'body_too_large',
    `Cannot receive the webhook: the body is larger than maxBodyBytes (${maxBytes})`,
  );
}

function concatenate(chunks: readonly Bytes[], length: number): Bytes {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
