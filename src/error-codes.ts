/** Every code that an {@link OfAgeError} can have. `docs/errors.md` has the cause of each and the fix. */
export type OfAgeErrorCode =
  | 'api_key_required'
  | 'api_key_invalid'
  | 'secret_key_blocked'
  | 'return_url_required'
  | 'return_url_invalid'
  | 'cancel_url_invalid'
  | 'https_required'
  | 'url_scheme_blocked'
  | 'invalid_option'
  | 'unsupported_environment'
  | 'verification_in_progress'
  | 'superseded'
  | 'rate_limited'
  | 'popup_blocked'
  | 'network_error'
  | 'request_timeout'
  | 'invalid_request'
  | 'return_url_not_allowed'
  | 'unauthorized'
  | 'forbidden'
  | 'service_unavailable'
  | 'server_error'
  | 'invalid_response'
  | 'billing_blocked'
  | 'navigation_failed'
  | 'session_expired'
  | 'internal_error';

/** Default messages, for errors that are created without a message. */
export const SENTENCES: Partial<Record<OfAgeErrorCode, string>> = {
  superseded: 'Replaced by a later verify(): use its result',
  network_error: 'Request failed: check the network, content blockers and connect-src',
  request_timeout: 'No answer from the service within 15 seconds',
  invalid_response: 'Invalid response: a proxy or captive portal may have sent it',
  navigation_failed: 'The hosted page did not open: slow, stopped or blocked',
  session_expired: 'No result in ten minutes. Does your return page call handleReturn()?',
  internal_error: 'Unexpected error in verify(): see error.cause',
};

/** Codes after which the same call may succeed later without a change to the page. */
export const RETRYABLE: readonly OfAgeErrorCode[] = [
  'verification_in_progress',
  'rate_limited',
  'popup_blocked',
  'network_error',
  'request_timeout',
  'service_unavailable',
  'server_error',
  'invalid_response',
  'navigation_failed',
  'session_expired',
];
