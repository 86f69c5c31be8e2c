/** Maximum size of a request's body, unless an operation needs a larger one. */
export const MAX_BODY_BYTES = 65_536;

/** What has arrived of a body. It is `incomplete` if the sender has disconnected. */
export type Received =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too large' }
  | { readonly kind: 'incomplete' };

/**
 * Reads the bytes of a body. Stops as soon as there are more than `maxBytes`.
 * @throws {Error} if other code has read the body
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Received> {
  if (request.bodyUsed)
    throw new Error('Cannot read the request: its body has already been read by other code');
  if (request.method === 'GET' || request.method === 'HEAD') return complete(new Uint8Array());
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > maxBytes) return { kind: 'too large' };
  try {
    // A server enforces the declared length, so the body cannot be longer. In Firefox, requests have no
    // streams (`body` is undefined, not null), so only the whole body can be read.
    if (declared !== null || request.body === undefined) {
      const bytes = new Uint8Array(await request.arrayBuffer());
      return bytes.byteLength > maxBytes ? { kind: 'too large' } : complete(bytes);
    }
    return await readStream(request.body, maxBytes);
  } catch {
    return { kind: 'incomplete' };
  }
}

function complete(bytes: Uint8Array<ArrayBuffer>): Received {
  return { kind: 'complete', bytes };
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  maxBytes: number,
): Promise<Received> {
  if (!body) return complete(new Uint8Array());
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return complete(join(chunks, length));
    length += value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => {});
      return { kind: 'too large' };
    }
    chunks.push(value);
  }
}

function join(chunks: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
