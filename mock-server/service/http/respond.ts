import type { Context } from 'hono';
import { type Quota, untouchedQuota, WINDOW_MS } from '../../rules/keys.ts';
import { ServiceError } from '../../store/errors.ts';
import { type Envelope, toEnvelope } from './envelope.ts';

export type ResponseHeaders = Record<string, string>;

export function respond(
  c: Context,
  status: number,
  body: object | null,
  headers: ResponseHeaders = {},
): Response {
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
  nowMs: number,
  headers: ResponseHeaders = {},
): Response {
  const { status, body } = toRefusal(error, c.req.path, nowMs);
  return respond(c, status, body, headers);
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
  return respond(c, 204, null, {
    ...apiHeaders(c.req.path),
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers':
      c.req.header('access-control-request-headers') ?? 'authorization, content-type, x-api-key',
    // The maximum that Chromium accepts.
    'Access-Control-Max-Age': '7200',
  });
}
