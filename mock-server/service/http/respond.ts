import * as v from 'valibot';
import type { Context } from 'hono';
import { type Quota, untouchedQuota, WINDOW_MS } from '../../rules/keys.ts';
import { isRefusal, type Refusal, ServiceError } from '../../store/errors.ts';
import { instant, text } from '../schemas/values.ts';

export type ResponseHeaders = Record<string, string>;

export interface Answer {
  readonly status: number;
  readonly body: object | null;
  /** Additional headers, beside those for CORS and JSON. */
  readonly headers?: ResponseHeaders;
}

export function respond(c: Context, { status, body, headers = {} }: Answer): Response {
  return toResponse(status, body, toHeaders(c, body, headers));
}

/** Creates a response with exactly the given headers. */
export function toResponse(
  status: number,
  body: object | null,
  headers: ResponseHeaders,
): Response {
  return new Response(body && JSON.stringify(body), { status, headers });
}

/** Returns all headers of a response that {@link respond} creates. */
export function toHeaders(
  c: Context,
  body: object | null,
  headers: ResponseHeaders = {},
): ResponseHeaders {
  return { ...corsHeaders(c.req.header('origin')), ...headers, ...jsonHeaders(body) };
}

export function jsonHeaders(body: object | null): ResponseHeaders {
  if (body === null) return {};
  return {
    'content-type': 'application/json; charset=utf-8',
    // A session's result must never be served from a cache.
    'cache-control': 'no-store',
  };
}

/** Sends a refusal or an internal error in the error envelope. */
export function respondError(
  c: Context,
  error: unknown,
  { nowMs, headers = {} }: { readonly nowMs: number; readonly headers?: ResponseHeaders },
): Response {
  return respond(c, { ...toRefusal(error, c.req.path, nowMs), headers });
}

export function toRefusal(
  error: unknown,
  path: string,
  nowMs: number,
): { status: number; body: Envelope } {
  const body = toEnvelope(error, path, nowMs);
  return { status: body.statusCode, body };
}

/** Returns the rate-limit headers, which every response of the API has. */
export function quotaHeaders({ limit, remaining, retryAfterMs }: Quota): ResponseHeaders {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Window': String(WINDOW_MS / 1000),
    'X-RateLimit-Remaining': String(remaining),
    ...(retryAfterMs !== null && {
      'X-RateLimit-Retry-After': String(Math.ceil(retryAfterMs / 1000)),
    }),
  };
}

/**
 * Returns the rate-limit headers of an API response whose caller is unknown or not counted, with the limits
 * of a new account. Returns none for a path outside the API.
 */
export function apiHeaders(path: string): ResponseHeaders {
  if (!path.startsWith('/api/v1')) return {};
  return quotaHeaders(untouchedQuota(path.endsWith('/validate') ? 'validate' : 'create'));
}

export function tooManyRequests(): ServiceError {
  return new ServiceError('rate_limited', 'Too Many Requests');
}

export function methodNotAllowed(c: Context): ServiceError {
  return new ServiceError('method_not_allowed', `Cannot ${c.req.method} ${c.req.path}`);
}

export function notFound(c: Context): ServiceError {
  return new ServiceError('not_found', `Cannot ${c.req.method} ${c.req.path}`);
}

const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Window',
  'X-RateLimit-Remaining',
  'X-RateLimit-Retry-After',
].join(', ');

/**
 * Returns CORS headers that let any page call the API. That is safe because a publishable key is not a
 * secret and no cookies are involved.
 */
export function corsHeaders(origin: string | undefined): ResponseHeaders {
  if (origin === undefined) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    'Timing-Allow-Origin': origin,
    Vary: 'Origin',
  };
}

export function respondPreflight(c: Context, methods: string): Response {
  const headers = {
    ...apiHeaders(c.req.path),
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers':
      c.req.header('access-control-request-headers') ?? 'authorization, content-type, x-api-key',
    // The maximum that Chromium accepts.
    'Access-Control-Max-Age': '7200',
  };
  return respond(c, { status: 204, body: null, headers });
}

/** The body of every error response of the API, the hosted page's API and the control API. */
export const problem = v.strictObject({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  message: v.union([text, v.array(text)]),
  timestamp: instant,
  path: text,
  error: text,
  code: v.exactOptional(v.literal('SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE')),
});

/** The body of every error response. */
interface Envelope {
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
function toEnvelope(error: unknown, path: string, nowMs: number): Envelope {
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
