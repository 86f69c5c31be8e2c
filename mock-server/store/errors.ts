/** The codes of a {@link ServiceError}. service/http/respond.ts maps each code to a status. */
export type ServiceErrorCode =
  | 'invalid_body'
  | 'merchant_mismatch'
  | 'return_url_not_allowed'
  | 'session_used'
  | 'session_expired'
  | 'api_key_required'
  | 'api_key_invalid'
  | 'secret_key_required'
  | 'token_invalid'
  | 'forbidden'
  | 'wrong_tenant'
  | 'session_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'conflict'
  | 'rate_limited'
  | 'launch_configuration_unavailable'
  // Injected faults.
  | 'server_fault'
  | 'unavailable'
  | 'malformed'
  // The environment of the service has no Web Crypto.
  | 'web_crypto_missing'
  // Refused by a server before the request reaches the service.
  | 'unreadable_request'
  | 'request_timeout'
  | 'headers_too_large';

/** A refusal that is visible to a caller of the HTTP API. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** The problems of an invalid input, one sentence each, if the error lists them. */
  readonly details: readonly string[] | undefined;

  constructor(code: ServiceErrorCode, message: string, details?: readonly string[]) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }
}

/**
 * The error of a clock move that is not possible. It is a `RangeError`, which callers in the same process
 * expect for an argument out of range. Its class distinguishes it from the `RangeError` of a bug.
 */
export class ClockError extends RangeError {
  readonly code = 'clock_out_of_range';
}

export type Refusal = ServiceError | ClockError;

/**
 * Tells whether the error is an expected refusal, whose message is for the caller. Any other error is
 * unexpected, such as a bug or a failed write.
 */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof ServiceError || error instanceof ClockError;
}

/** Returns the message of a thrown value, which may be anything. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
