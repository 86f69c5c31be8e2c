/** What a rule refuses, by code. One error handler in http/ turns it into a response. */
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
  // What was asked for as a fault.
  | 'server_fault'
  | 'unavailable'
  | 'malformed'
  // What a server refuses before the service is asked.
  | 'unreadable_request'
  | 'request_timeout'
  | 'headers_too_large';

/** A refusal that a caller of the HTTP API sees. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** Several sentences when several things were wrong. */
  readonly details: readonly string[] | undefined;

  constructor(code: ServiceErrorCode, message: string, details?: readonly string[]) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }
}

/**
 * The clock was asked to go where it cannot. A `RangeError`, as callers in process expect of an argument out
 * of range, and with a code, so that it is told from a bug of ours.
 */
export class ClockError extends RangeError {
  readonly code = 'clock_out_of_range';
}

export type Refusal = ServiceError | ClockError;

/** Whether an error is for the caller. Any other is a fault of ours. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof ServiceError || error instanceof ClockError;
}
