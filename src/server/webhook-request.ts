import { WEBHOOK_SIGNATURE_HEADER } from './brand.ts';
import { OfAgeError, isOfAgeError } from './errors.ts';
import type { JsonObject } from './json-object.ts';
import { type RawBody, readRawBody } from './raw-body.ts';
import type { ResolvedWebhookHandlerOptions } from './webhook-handler-options.ts';
import { openSigned } from './webhooks.ts';

/** A request of any server framework. An Express request with a raw body fits. */
export interface WebhookRequest {
  readonly method: string | undefined;
  /** `Headers`, or a plain object. Header names may be in any case. */
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body. A stream is read here, up to `maxBodyBytes`. */
  readonly body: RawBody | null | undefined;
}

/** Reads a request and checks its signature. The contents of the result are not checked yet. */
export async function readWebhookRequest(
  { secret, maxBodyBytes }: ResolvedWebhookHandlerOptions,
  { method, headers, body }: WebhookRequest,
): Promise<JsonObject> {
  if (method?.toUpperCase() !== 'POST') {
    throw new OfAgeError(
      'method_not_allowed',
      `Cannot receive the webhook: the method must be POST, got ${method || 'none'}`,
    );
  }
  const signature = readHeader(headers, WEBHOOK_SIGNATURE_HEADER);
  // A body parser leaves the body undefined if the request has none. If the signature is missing too, the
  // body therefore counts as empty and not as parsed by this server.
  const isEmpty = signature === undefined && (body === null || body === undefined);
  const bytes = isEmpty ? new Uint8Array() : await readRawBody(body, maxBodyBytes);
  const secrets = typeof secret === 'function' ? await secret() : secret;
  try {
    return await openSigned(bytes, signature, secrets);
  } catch (error) {
    if (!isOfAgeError(error) || error.code !== 'signature_mismatch') throw error;
    throw toChangedBody(readHeader(headers, 'content-length'), bytes.length) ?? error;
  }
}

/**
 * Detects a body that the merchant's own server changed: its length differs from the sender's
 * `content-length`.
 */
function toChangedBody(announced: string | undefined, length: number): OfAgeError | undefined {
  if (announced === undefined || !/^\d+$/.test(announced) || Number(announced) === length) return;
  return new OfAgeError(
    'body_not_raw',
    `Cannot verify the webhook: the sender announced ${announced} bytes, but ${length} were received; this server has read the body before, or parsed and serialised it again`,
  );
}

function readHeader(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  // Repeated headers are joined, as in `Headers`. The result is then not a valid signature.
  return entry?.[1]?.toString();
}
