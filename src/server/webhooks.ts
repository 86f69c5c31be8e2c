import { WEBHOOK_SIGNATURE_HEADER } from './brand.ts';
import { OfAgeError, type OfAgeErrorCode } from './errors.ts';
import { type JsonObject, ShapeError, kindOf, parseJsonObject } from './json-object.ts';
import { toBytes } from './raw-body.ts';
import { type Bytes, isSignedWith, parseSignature } from './signature.ts';
import { UnknownKindError, type WebhookEvent, parseWebhookEvent } from './webhook-events.ts';

/**
 * Verifies that a webhook comes from the service, and parses it. Act only on the event that the promise
 * resolves to. In every other case the promise rejects.
 *
 * Pass the body exactly as received, because the signature covers these bytes. In Express it comes from
 * `express.raw({ type: 'application/json' })`, in Fetch-style frameworks from
 * `await request.arrayBuffer()`. A body that was parsed and serialised again has different bytes.
 *
 * The signature contains no time, and an event may be delivered again days later, so a copy of an earlier
 * request is valid too. Act once per `eventId`, or once per session if there is no `eventId`.
 *
 * @param rawBody - the bytes of the body, or its exact text (encoded as UTF-8 for the comparison)
 * @param signatureHeader - the header `x-ofage-signature`: `sha256=` and 64 lowercase hex digits
 * @param secret - the endpoint's signing secret; an array during a rotation, when any of its secrets is
 *   accepted
 * @returns the event, discriminated by `event`; unknown fields are left out
 * @throws {@link OfAgeError} for a mistake on your side: `webhook_secret_required`, `body_not_raw`,
 *   `unsupported_environment`; for an invalid request: `signature_missing`, `signature_malformed`,
 *   `signature_mismatch` (respond with 401); for a signed request that cannot be read: `payload_invalid`,
 *   `event_unknown` (respond with 2xx to the latter, otherwise the service keeps retrying)
 * @example
 * ```ts
 * import { WEBHOOK_SIGNATURE_HEADER, isOfAgeError, verifyWebhook } from 'ofage/server';
 *
 * export async function receive(request: Request): Promise<Response> {
 *   try {
 *     const event = await verifyWebhook(
 *       await request.arrayBuffer(),
 *       request.headers.get(WEBHOOK_SIGNATURE_HEADER),
 *       process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
 *     );
 *     console.log(event.event, event.data.sessionId);
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     const code = isOfAgeError(error) ? error.code : '';
 *     if (code === 'event_unknown') return new Response(null, { status: 204 });
 *     return new Response(null, { status: code.startsWith('signature_') ? 401 : 500 });
 *   }
 * }
 * ```
 * @see https://developer.mozilla.org/en-US/docs/Web/API/SubtleCrypto/verify
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  signatureHeader: string | null | undefined,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  return toEvent(await openSigned(rawBody, signatureHeader, secret));
}

/** Verifies the signature and parses the JSON. {@link toEvent} checks the contents. */
export async function openSigned(
  rawBody: Uint8Array | ArrayBuffer | string,
  signatureHeader: string | null | undefined,
  secret: string | readonly string[],
): Promise<JsonObject> {
  // Copies the body before the first await, so that the verified bytes are parsed below even if the caller
  // reuses the buffer.
  const bytes = toBytes(rawBody);
  const keys = toKeys(secret);
  const digest = toDigest(signatureHeader);
  assertWebCrypto();
  const matches = await Promise.all(keys.map((key) => isSignedWith(key, digest, bytes)));
  if (!matches.includes(true)) {
    refuse(
      'signature_mismatch',
      'the signature does not match the body; check that the secret belongs to this endpoint and that the body has exactly the received bytes',
    );
  }
  return readSigned(() => parseJsonObject(decode(bytes)));
}

/** Checks the contents of a signed body. Throws `payload_invalid` or `event_unknown`. */
export function toEvent(body: JsonObject): WebhookEvent {
  return readSigned(() => parseWebhookEvent(body));
}

function toKeys(secret: unknown): Bytes[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const texts = secrets.filter((text) => typeof text === 'string' && text !== '');
  if (texts.length === 0 || texts.length < secrets.length) {
    refuse(
      'webhook_secret_required',
      `secret must be a non-empty string, or an array of them, got ${kindOf(secret)}; is the environment variable set?`,
    );
  }
  return texts.map((text) => new TextEncoder().encode(String(text)));
}

/** Parses the signature header. Throws `signature_missing` or `signature_malformed`. */
export function toDigest(header: unknown): Bytes {
  if (header === undefined || header === null || header === '') {
    refuse(
      'signature_missing',
      `the request has no ${WEBHOOK_SIGNATURE_HEADER} header; the service signs only for endpoints that have a secret`,
    );
  }
  const digest = typeof header === 'string' ? parseSignature(header) : undefined;
  return (
    digest ??
    refuse(
      'signature_malformed',
      `the ${WEBHOOK_SIGNATURE_HEADER} header must be "sha256=" and 64 lowercase hexadecimal digits`,
    )
  );
}

function assertWebCrypto(): void {
  if (typeof globalThis.crypto?.subtle?.verify !== 'function') {
    refuse('unsupported_environment', 'this runtime has no Web Crypto (crypto.subtle)');
  }
}

function readSigned<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const code = error instanceof UnknownKindError ? 'event_unknown' : 'payload_invalid';
    return refuse(code, `the signature is valid, but ${error.message}`);
  }
}

function decode(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ShapeError('the body is not UTF-8');
  }
}

function refuse(code: OfAgeErrorCode, reason: string): never {
  throw new OfAgeError(code, `Cannot verify the webhook: ${reason}`);
}
