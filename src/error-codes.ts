import { TIMEOUT_MS } from './timeout.ts';

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
  superseded: 'Replaced by a later verify()',
  request_timeout: `No response within ${TIMEOUT_MS / 1_000} seconds`,
  invalid_response: 'Invalid response: a proxy may have answered',
  navigation_failed: 'Cannot open the hosted page',
  session_expired: 'No result in 10 minutes: call handleReturn() at returnUrl',
  internal_error: 'Unexpected error: see error.cause',
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
