import { OfAgeError, type OfAgeErrorCode, reasonFor } from './errors.ts';
import type { FetchResponse } from './fetch-like.ts';
import type { Operation } from './operations.ts';

/** An error response of the service, as far as it could be parsed. */
export interface Refusal {
  /** The address that was called. */
  readonly baseUrl: string;
  readonly status: number;
  readonly messages: readonly string[];
  /**
   * The `code`, `error` and `message` fields of the body. All are read, because the specification does not
   * say which of them contains the code.
   */
  readonly marks: readonly string[];
  readonly retryAfterMs: number | undefined;
}

/** Parses a response that is not 2xx. Never throws, because the response may come from a proxy. */
export function parseRefusal(baseUrl: string, response: FetchResponse, bodyText: string): Refusal {
  const { message, code, error } = toRecord(bodyText);
  return {
    baseUrl,
    status: response.status,
    messages: (Array.isArray(message) ? message : [message]).filter(isText),
    marks: [code, error, message].filter(isText),
    retryAfterMs: parseRetryAfterMs(response),
  };
}

export function toRefusalError(
  operation: Operation,
  refusal: Refusal,
  redact: (text: string) => string,
): OfAgeError {
  const { baseUrl, status, retryAfterMs } = refusal;
  const code = toCode(operation, refusal);
  const details = refusal.messages.map((text) => redact(text));
  const quoted = details.length === 0 ? '' : `: ${shorten(details.join('; '))}`;
  return new OfAgeError(
    code,
    `${operation.action}: ${reasonFor(code)} (${redact(baseUrl)} responded with ${status}${quoted})`,
    { status, details, retryAfterMs },
  );
}

/**
 * Returns the error code of a response. Several refusals differ only in their message, so the message is
 * compared. An unknown message gets the general code of its status.
 */
function toCode(operation: Operation, refusal: Refusal): OfAgeErrorCode {
  const { status, messages, marks } = refusal;
  const says = (text: string): boolean =>
    messages.some((message) => message.trim().toLowerCase() === text);

  if (status === 400) {
    if (operation.name === 'validate' && says('session has expired')) return 'session_expired';
    if (operation.name === 'validate' && says('session has already been used')) {
      return 'session_already_used';
    }
    if (says('return url domain not allowed')) return 'return_url_not_allowed';
    // The specification does not fix the message for a foreign merchantId, so this matches its likely words.
    // Messages about types ("must be") and unknown fields ("should not") do not match.
    const isMismatch = (text: string): boolean =>
      /merchant ?id/i.test(text) && /match|differ|belong/i.test(text);
    return messages.some(isMismatch) ? 'merchant_mismatch' : 'invalid_request';
  }
  // The service always says why it refuses a key. A firewall sends a page instead.
  if ((status === 401 || status === 403) && messages.length === 0) return 'unexpected_status';
  if (status === 401) return 'unauthorized';
  if (status === 403) {
    return says('session does not belong to this tenant') ? 'wrong_tenant' : 'forbidden';
  }
  if (status === 404 && operation.name === 'validate' && says('session not found')) {
    return 'session_not_found'; // any other 404 means that the path does not exist
  }
  // Node's fetch rejects for this status of a proxy, and those of Bun and Deno return it.
  if (status === 407) return 'network_error';
  if (status === 429) return 'rate_limited';
  if (status === 503 && marks.includes('SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE')) {
    return 'launch_configuration_unavailable';
  }
  return status >= 500 ? 'server_error' : 'unexpected_status';
}

/** Prefers the service's own header. Retry-After is the header that a proxy in front of it would send. */
function parseRetryAfterMs({ headers }: FetchResponse): number | undefined {
  return (
    parseWaitMs(headers.get('x-ratelimit-retry-after')) ?? parseWaitMs(headers.get('retry-after'))
  );
}

/**
 * Parses whole seconds, at most nine digits so that the milliseconds stay in a sensible range, or an HTTP
 * date.
 */
function parseWaitMs(header: string | null): number | undefined {
  const text = header ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const untilMs = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - Date.now());
}

function toRecord(bodyText: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bodyText);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
