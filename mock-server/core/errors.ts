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
  | 'malformed';

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
