import { toHelpUrl } from './help.ts';

/**
 * The codes of all errors of the kit. The list is closed, so you can switch on it.
 *
 * - Thrown by `createClient`: `secret_key_required`, `secret_key_invalid`, `publishable_key_refused`,
 *   `base_url_invalid`, `invalid_option`. If `secretKey` is a function, a call rejects with the first three
 *   instead.
 * - A call rejects before anything is sent: `invalid_option`, `invalid_input`, `session_id_invalid`,
 *   `unsupported_environment`.
 * - The response has a status other than 2xx: `invalid_request`, `return_url_not_allowed`,
 *   `merchant_mismatch`, `session_expired`, `session_already_used`, `session_not_found`, `wrong_tenant`,
 *   `unauthorized`, `forbidden`, `rate_limited`, `launch_configuration_unavailable`, `server_error`,
 *   `unexpected_status`.
 * - The store of `validateOnce` failed: `result_store_failed`.
 * - No usable response: `network_error`, `request_timeout`, `aborted`, `invalid_response`.
 * - Rejected by `verifyWebhook`: `unsupported_environment`, `webhook_secret_required`, `body_not_raw`,
 *   `signature_missing`, `signature_malformed`, `signature_mismatch`, `payload_invalid`, `event_unknown`.
 * - Thrown by `createWebhookHandler`: `webhook_secret_required`, `invalid_option`.
 *   `createMemoryWebhookStore` throws the latter too.
 * - Reported by a webhook handler: the codes of `verifyWebhook`, `request_unsupported`, `method_not_allowed`,
 *   `body_too_large`, `body_timeout`, `event_in_progress`.
 */
export type OfAgeErrorCode =
  | 'secret_key_required'
  | 'secret_key_invalid'
  | 'publishable_key_refused'
  | 'base_url_invalid'
  | 'invalid_option'
  | 'unsupported_environment'
  | 'invalid_input'
  | 'session_id_invalid'
  | 'invalid_request'
  | 'return_url_not_allowed'
  | 'merchant_mismatch'
  | 'session_expired'
  | 'session_already_used'
  | 'session_not_found'
  | 'wrong_tenant'
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'launch_configuration_unavailable'
  | 'server_error'
  | 'unexpected_status'
  | 'network_error'
  | 'request_timeout'
  | 'aborted'
  | 'invalid_response'
  | 'result_store_failed'
  | 'webhook_secret_required'
  | 'body_not_raw'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'payload_invalid'
  | 'event_unknown'
  | 'request_unsupported'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'body_timeout'
  | 'event_in_progress';

/** Fields of an {@link OfAgeError} besides its code and its message. */
export interface OfAgeErrorContext {
  /** The HTTP status of the service's response, if there was one. */
  status?: number | undefined;
  /** The time to wait before a retry, as the service asked, in milliseconds, an integer from 0. */
  retryAfterMs?: number | undefined;
  /** The id of the session that was created although the response is invalid. */
  sessionId?: string | undefined;
  /** The service's own messages, one per problem. A secret key in them is redacted. */
  details?: readonly string[] | undefined;
  /**
   * A copy of the error that `fetch` threw, the error of the `secretKey` function or of the `resultStore`, or
   * the reason of an abort.
   */
  cause?: unknown;
}

/**
 * The only error class of the kit: everything it throws or rejects with is an `OfAgeError`, except an error
 * of `fetch` with a `digest`, by which Next.js learns that a page cannot be prerendered.
 *
 * No property contains a secret key or a webhook secret, and neither does the output of `toString`,
 * `JSON.stringify` or `util.inspect`.
 *
 * @example
 * ```ts
 * import { createClient, isOfAgeError } from 'ofage/server';
 *
 * const client = createClient({ secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '' });
 *
 * export async function startSession(): Promise<string | undefined> {
 *   try {
 *     const session = await client.createSession({ returnUrl: 'https://shop.example/return' });
 *     return session.verifyUrl;
 *   } catch (error) {
 *     if (isOfAgeError(error) && error.retryable) return undefined; // ask the shopper to try again
 *     throw error;
 *   }
 * }
 * ```
 */
export class OfAgeError extends Error {
  /** Always `OfAgeError`, also in a minified build. */
  override readonly name = 'OfAgeError';
  /** The reason for the error. Switch on it, and not on the message, which may change. */
  readonly code: OfAgeErrorCode;
  /** The HTTP status of the service's response, or `undefined` if there was none. */
  readonly status: number | undefined;
  /**
   * True if the same call may succeed later without a change on your side. The kit never retries. See
   * `createSession` and `validateSession` for the effect of a second call.
   */
  readonly retryable: boolean;
  /**
   * The time to wait before a retry, as the service asked, in milliseconds; `undefined` if it gave none.
   */
  readonly retryAfterMs: number | undefined;
  /**
   * The id of the session that `createSession` created, if the code is `invalid_response` and the id could
   * be read. The session exists, but the rest of the response cannot be used. Otherwise `undefined`.
   */
  readonly sessionId: string | undefined;
  /** The service's own messages, in which a secret key is redacted; empty if there were none. */
  readonly details: readonly string[];

  /**
   * @param code - one of {@link OfAgeErrorCode}
   * @param sentence - the message, without a full stop; a link to the code's documentation is appended
   * @param context - the optional fields
   */
  constructor(code: OfAgeErrorCode, sentence: string, context: OfAgeErrorContext = {}) {
    const message = `${sentence}${sentence.endsWith('?') ? '' : '.'} See ${toHelpUrl(code)}`;
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.code = code;
    this.status = context.status;
    this.retryable = RETRYABLE.has(code);
    this.retryAfterMs = context.retryAfterMs;
    this.sessionId = context.sessionId;
    this.details = Object.freeze([...(context.details ?? [])]);
  }

  /** Returns the fields worth logging: everything except the stack and the cause. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, status, retryable, retryAfterMs, sessionId, details } = this;
    return { name, code, message, status, retryable, retryAfterMs, sessionId, details };
  }
}

/**
 * Tells whether a caught value is an {@link OfAgeError} of this kit. Compares the name and the code, so
 * that it also recognises an error of a second copy of the package, for which `instanceof` is false.
 *
 * @param value - the caught value
 * @example
 * ```ts
 * import { isOfAgeError } from 'ofage/server';
 *
 * export const statusFor = (error: unknown): number =>
 *   isOfAgeError(error) && error.code === 'session_not_found' ? 404 : 500;
 * ```
 */
export function isOfAgeError(value: unknown): value is OfAgeError {
  if (typeof value !== 'object' || value === null) return false;
  const { name, code } = value as { name?: unknown; code?: unknown };
  return name === 'OfAgeError' && typeof code === 'string' && Object.hasOwn(REASONS, code);
}

/** Returns the reason in a few words, for the message of an error. */
export function reasonFor(code: OfAgeErrorCode): string {
  return REASONS[code];
}

const RETRYABLE: ReadonlySet<OfAgeErrorCode> = new Set<OfAgeErrorCode>([
  'rate_limited',
  'launch_configuration_unavailable',
  'server_error',
  'network_error',
  'request_timeout',
  'invalid_response',
  'result_store_failed',
  'body_timeout',
  'event_in_progress',
]);

const REASONS: Readonly<Record<OfAgeErrorCode, string>> = {
  secret_key_required: 'secretKey is required',
  secret_key_invalid: 'secretKey is not a secret key',
  publishable_key_refused: 'secretKey is a publishable key',
  base_url_invalid: 'baseUrl is not the address of the API',
  invalid_option: 'an option is not valid',
  unsupported_environment: 'this runtime lacks fetch or Web Crypto',
  invalid_input: 'a field of the input is not valid',
  session_id_invalid: 'sessionId is not the identifier of a session',
  invalid_request: 'the service found the request invalid',
  return_url_not_allowed: 'the domain of returnUrl is not among the allowed domains of the account',
  merchant_mismatch: 'merchantId is not the account of the secret key',
  session_expired: 'the session has expired',
  session_already_used: 'the session was validated before',
  session_not_found: 'the session does not exist',
  wrong_tenant: 'the session belongs to another account',
  unauthorized: 'the service does not accept the key',
  forbidden: 'the key lacks the permission',
  rate_limited: 'the rate limit of the account was exceeded',
  launch_configuration_unavailable:
    'the session cannot be launched; check that the secret key has an active paired publishable key',
  server_error: 'the service failed',
  unexpected_status: 'the response did not come from the API; check baseUrl',
  network_error: 'the service could not be reached',
  request_timeout: 'the service did not respond in time',
  aborted: 'the call was aborted',
  invalid_response: 'the service sent an invalid response',
  result_store_failed: 'resultStore threw an error',
  webhook_secret_required: 'the webhook secret is empty',
  body_not_raw: 'the body is not raw',
  signature_missing: 'the signature header is missing',
  signature_malformed: 'the signature header is malformed',
  signature_mismatch: 'the signature does not match',
  payload_invalid: 'the payload is not an event',
  event_unknown: 'the kind of the event is unknown',
  request_unsupported: 'the handler was not called with a request',
  method_not_allowed: 'the request is not a POST',
  body_too_large: 'the body is larger than maxBodyBytes',
  body_timeout: 'the body did not arrive in time',
  event_in_progress: 'another copy of the event is being handled',
};

/** All codes, for the test that compares them with the table in the documentation. */
export const OFAGE_ERROR_CODES = Object.keys(REASONS) as readonly OfAgeErrorCode[];
