import { WEBHOOK_SIGNATURE_HEADER } from './brand.ts';
import { OfAgeError, isOfAgeError } from './errors.ts';
import { type JsonObject, isPromise, kindOf } from './json-object.ts';
import { type RawBody, readRawBody } from './raw-body.ts';
import type { ResolvedWebhookHandlerOptions } from './webhook-handler-options.ts';
import { openSigned, toDigest } from './webhooks.ts';

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
  request: WebhookRequest,
): Promise<JsonObject> {
  assertRequest(request);
  const { method, headers, body } = request;
  if (method?.toUpperCase() !== 'POST') {
    throw new OfAgeError(
      'method_not_allowed',
      `Cannot receive the webhook: the method must be POST, got ${method || 'none'}`,
    );
  }
  const signature = readHeader(headers, WEBHOOK_SIGNATURE_HEADER);
  // Checks the form first, so that a sender without a signature cannot make this server wait for a body.
  toDigest(signature);
  const bytes = await readRawBody(body, maxBodyBytes);
  const secrets = typeof secret === 'function' ? await secret() : secret;
  try {
    return await openSigned(bytes, signature, secrets);
  } catch (error) {
    if (!isOfAgeError(error) || error.code !== 'signature_mismatch') throw error;
    throw toChangedBody(readHeader(headers, 'content-length'), bytes.length) ?? error;
  }
}

/** Checks what the caller passes, which JavaScript does not check. */
function assertRequest(request: unknown): void {
  if (typeof request !== 'object' || request === null || isPromise(request)) {
    refuse(`handle() expects an object with method, headers and body, got ${kindOf(request)}`);
  }
  const { method, headers } = request as Partial<Record<keyof WebhookRequest, unknown>>;
  if (method !== undefined && typeof method !== 'string') {
    refuse(`method must be a string, got ${kindOf(method)}`);
  }
  if (typeof headers !== 'object' || headers === null) {
    refuse(`headers must be an object, got ${kindOf(headers)}`);
  }
}

/** Tells whether a value is a `Request`, also one of another realm or of a polyfill. */
export function isFetchRequest(value: unknown): value is Request {
  const { arrayBuffer, headers } = Object(value) as { arrayBuffer?: unknown; headers?: unknown };
  return (
    typeof arrayBuffer === 'function' && typeof (headers as Headers | undefined)?.get === 'function'
  );
}

/** Returns the error of a caller that passes the handler itself to a framework without Fetch requests. */
export function toUnsupported(value: unknown): OfAgeError {
  const reason = `the handler itself takes only a Request of the Fetch standard, got ${kindOf(value)}; in Express, Koa, Fastify, node:http and AWS Lambda, call webhooks.handle({ method, headers, body })`;
  return new OfAgeError('request_unsupported', `Cannot receive the webhook: ${reason}`);
}

function refuse(reason: string): never {
  throw new OfAgeError('request_unsupported', `Cannot receive the webhook: ${reason}`);
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
