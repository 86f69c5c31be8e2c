import { ServiceError } from '../core/errors.ts';

export const MAX_BODY_BYTES = 65_536;

/** A body as it came. */
export interface ReadBody {
  /** Null when there was too much of it, or it broke off. */
  readonly text: string | null;
  /** As JSON. Why it is none is thrown here, where its turn comes among the checks. */
  json(): unknown;
}

/** Reads at most so many bytes. An empty body is an empty object: what it lacks is said field by field. */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<ReadBody> {
  // A client that goes away in the middle is no fault of ours.
  const text = await readText(request, maxBytes).catch(() => undefined);
  const json = (): unknown => {
    if (text === undefined) throw new ServiceError('invalid_body', 'Request body broke off');
    if (text === null) {
      throw new ServiceError(
        'body_too_large',
        `Request body must not be larger than ${maxBytes} bytes`,
      );
    }
    if (text === '') return {};
    if (!isJson(request.headers.get('content-type'))) {
      throw new ServiceError('unsupported_media_type', 'Content-Type must be application/json');
    }
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new ServiceError('invalid_body', 'Request body must be valid JSON');
    }
  };
  return { text: text ?? null, json };
}

/** The text, or null when there is too much of it. */
async function readText(request: Request, maxBytes: number): Promise<string | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return '';
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > maxBytes) return null;
  // A server holds a sender to the length that was declared, so nothing more can come. Firefox, which
  // has no streams in requests (`body` is undefined, not null), can only be asked for all of it.
  if (declared !== null || request.body === undefined) {
    const text = await request.text();
    return text.length > maxBytes ? null : text;
  }
  return await readStream(request.body, maxBytes);
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | null> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function isJson(contentType: string | null): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType ?? '');
}
