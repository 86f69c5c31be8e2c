import * as v from 'valibot';
import type { Context } from 'hono';
import { type Quota, untouchedQuota, WINDOW_MS } from '../../rules/keys.ts';
import { isRefusal, ServiceError, STATUS_OF } from '../../store/errors.ts';
import { toIso } from '../../store/instant.ts';
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

/** Creates a response with exactly the given headers. A body that is a text is sent as it is. */
export function toResponse(
  status: number,
  body: object | string | null,
  headers: ResponseHeaders,
): Response {
  const text = typeof body === 'object' ? body && JSON.stringify(body) : body;
  return new Response(text, { status, headers });
}

/** Returns all headers of a response that {@link respond} creates. */
export function toHeaders(
  c: Context,
  body: object | string | null,
  headers: ResponseHeaders = {},
): ResponseHeaders {
  return { ...corsHeaders(c.req.header('origin')), ...headers, ...jsonHeaders(body) };
}

export function jsonHeaders(body: object | string | null): ResponseHeaders {
  if (body === null) return {};
  return {
    'content-type': 'application/json; charset=utf-8',
    // A session's result must never be served from a cache.
    'cache-control': 'no-store',
  };
}

/** Returns a refusal or an internal error as the error envelope. */
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

const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Window',
  'X-RateLimit-Remaining',
  'X-RateLimit-Retry-After',
].join(', ');

/**
 * Returns CORS headers that let any page call the API and read its refusals. That is safe because no cookies
 * are involved, a publishable key is not a secret, and a secret key is refused from pages of other computers.
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

/**
 * The body of every error response of the API, the hosted page's API and the control API. `message` is an
 * array of sentences if fields of the body are invalid. Only one refusal has a code in the specification.
 */
export const problem = v.strictObject({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  message: v.union([text, v.array(text)]),
  timestamp: instant,
  path: text,
  error: text,
  code: v.exactOptional(v.literal('SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE')),
});

type Envelope = v.InferOutput<typeof problem>;

function toMessage(refusal: Error): Envelope['message'] {
  const details = refusal instanceof ServiceError ? refusal.details : undefined;
  return details ? [...details] : refusal.message;
}

/**
 * Converts an error to the error envelope. An error that is not a refusal is an internal error, so its
 * message is hidden.
 */
function toEnvelope(error: unknown, path: string, nowMs: number): Envelope {
  const refusal = isRefusal(error) ? error : null;
  const statusCode = refusal ? STATUS_OF[refusal.code] : 500;
  return {
    statusCode,
    message: refusal ? toMessage(refusal) : 'Internal server error',
    timestamp: toIso(nowMs),
    path,
    error: STATUS_TEXT[statusCode] ?? 'Error',
    ...(refusal?.code === 'launch_configuration_unavailable' && {
      code: 'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE' as const,
    }),
  };
}

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
