/** The codes of refusals, and the HTTP status of each. */
export const STATUS_OF = {
  invalid_body: 400,
  merchant_mismatch: 400,
  return_url_not_allowed: 400,
  session_used: 400,
  session_expired: 400,
  clock_out_of_range: 400,
  api_key_required: 401,
  api_key_invalid: 401,
  secret_key_required: 401,
  token_invalid: 401,
  forbidden: 403,
  wrong_tenant: 403,
  session_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  launch_configuration_unavailable: 503,
  // Injected faults.
  server_fault: 500,
  unavailable: 503,
  malformed: 500,
  // The environment of the service has no Web Crypto.
  web_crypto_missing: 500,
  // Refused by a server before the request reaches the service.
  unreadable_request: 400,
  request_timeout: 408,
  headers_too_large: 431,
} as const;

export type ServiceErrorCode = Exclude<keyof typeof STATUS_OF, 'clock_out_of_range'>;

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
