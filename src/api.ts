import type { Attempt } from './attempt.ts';
import { toUrl } from './environment.ts';
import type { OfAgeErrorCode } from './error-codes.ts';
import { fail, type OfAgeErrorDetails } from './errors.ts';
import type { OfAgeOptions } from './options.ts';
import { isSessionId } from './outcome.ts';
import { quote } from './quote.ts';
import { tryTo } from './try-to.ts';
import { parseUrl } from './urls.ts';

const TIMEOUT_MS = 15_000;

/** The part of a created session that the SDK uses. The SDK never reads the token inside verifyUrl. */
export interface Session {
  sessionId: string;
  verifyUrl: string;
  /** The origin of verifyUrl. Messages of the hosted page are accepted only from this origin. */
  origin: string;
}

/** A parsed JSON object whose fields are not checked yet. */
type Body = Record<string, unknown>;

/**
 * Creates a session with one POST to a constant address, so that the browser's preflight cache applies.
 * Never retries, because the API has no idempotency key by which it could recognise a repeated request.
 */
export const createSession = (
  attempt: Attempt,
  apiBase: string,
  options: OfAgeOptions,
  externalUserId: string | undefined,
): Promise<Session> => {
  const { apiKey, returnUrl, cancelUrl } = options;
  const aborter = tryTo(() => new AbortController());
  attempt._defer(() => aborter && aborter.abort());
  attempt._expect(TIMEOUT_MS, 'request_timeout');
  return fetch(apiBase + '/sessions/create', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ returnUrl, cancelUrl, externalUserId }),
    credentials: 'omit', // otherwise the browser would not reuse the socket preconnected with crossorigin=anonymous
    redirect: 'error',
    referrerPolicy: 'strict-origin', // overrides the page's referrer policy, so that the page's path and query are not sent
    signal: aborter && aborter.signal,
  } as RequestInit).then((response) =>
    response
      .json()
      .then(undefined, () => undefined) // the body is not JSON, for example HTML from a proxy or a truncated response
      .then((answer: unknown) => {
        const body = Object(answer) as Body;
        return response.ok ? toSession(body) : refuse(response, body, options);
      }),
  );
};

/** Checks the body of a 2xx response. Throws `invalid_response` or `billing_blocked`. */
const toSession = ({ sessionId, verifyUrl, billingBlock }: Body): Session => {
  if (!isSessionId(sessionId)) return fail('invalid_response');
  if (billingBlock) {
    const details = billingBlock as OfAgeErrorDetails; // only for display; the SDK does not check its fields
    const sentence = `The account has a billing block: "${details.message || details.code}"`;
    fail('billing_blocked', sentence, { sessionId, details });
  }
  const url = String(verifyUrl);
  // The error of parseUrl is replaced, because it quotes the URL. The quote leaves out the query, but the
  // session token may also be in the path.
  const parsed = tryTo(() => parseUrl('verifyUrl', url, 'invalid_response'));
  return parsed
    ? { sessionId, verifyUrl: url, origin: parsed.origin }
    : fail('invalid_response', 'Invalid response: verifyUrl is missing or not safe');
};

const CODES: Record<number, OfAgeErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/** Returns the advice for the merchant. `refusedUrl` is the URL whose domain is not allowed. */
const adviceOn = (status: number, text: string, refusedUrl: string | undefined): string => {
  if (refusedUrl) return `: allow ${quote(toUrl(refusedUrl).hostname)} in the dashboard`;
  if (status === 401 || status === 403) return ': check apiKey';
  return text ? '' : ': a proxy may have answered';
};

/** Throws the OfAgeError for an error response. */
const refuse = (
  { status, headers }: Response,
  { message, code }: Body,
  options: OfAgeOptions,
): never => {
  const messages = ([] as string[]).concat((message as string | string[]) || []);
  const text = messages.join('; ');
  const isReturnUrl = /return url domain/i.test(text);
  const isCancelUrl = /cancel url domain/i.test(text);
  const url = isReturnUrl ? options.returnUrl : isCancelUrl ? options.cancelUrl : undefined;
  // A date instead of seconds becomes NaN, and a missing header becomes 0. Neither sets retryAfterMs.
  const seconds = Number(headers.get('X-RateLimit-Retry-After') || headers.get('Retry-After'));
  return fail(
    isReturnUrl
      ? 'return_url_not_allowed'
      : CODES[status] || (status < 500 ? 'invalid_request' : 'server_error'),
    `Cannot create a session (HTTP ${status}${text && `: "${text}"`})${adviceOn(status, text, url)}`,
    {
      status,
      details: { messages, source: 'server', code: code as string | undefined },
      retryAfterMs: seconds * 1000 || undefined,
    },
  );
};
