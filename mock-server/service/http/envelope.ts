import { isRefusal, ServiceError, type Refusal } from '../../store/errors.ts';

const STATUS: Readonly<Record<Refusal['code'], number>> = {
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
  server_fault: 500,
  unavailable: 503,
  malformed: 500,
  web_crypto_missing: 500,
  unreadable_request: 400,
  request_timeout: 408,
  headers_too_large: 431,
};

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** The body of every error response. */
export interface Envelope {
  readonly statusCode: number;
  /** An array of sentences if fields of the body are invalid. */
  readonly message: string | readonly string[];
  readonly timestamp: string;
  readonly path: string;
  readonly error: string;
  /** An additional field of the only refusal for which the specification defines a code. */
  readonly code?: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE';
}

/**
 * Converts an error to the error envelope. An error that is not a refusal is an internal error, so its
 * message is hidden.
 */
export function toEnvelope(error: unknown, path: string, nowMs: number): Envelope {
  const refusal = isRefusal(error) ? error : null;
  const statusCode = refusal ? STATUS[refusal.code] : 500;
  const details = refusal instanceof ServiceError ? refusal.details : undefined;
  return {
    statusCode,
    message: refusal ? (details ?? refusal.message) : 'Internal server error',
    timestamp: new Date(nowMs).toISOString(),
    path,
    error: STATUS_TEXT[statusCode] ?? 'Error',
    ...(refusal?.code === 'launch_configuration_unavailable' && {
      code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' as const,
    }),
  };
}
