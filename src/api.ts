import type { Attempt } from './attempt.ts';
import { toUrl } from './environment.ts';
import type { OfAgeErrorCode } from './error-codes.ts';
import { fail, isOfAgeError, type OfAgeErrorDetails } from './errors.ts';
import type { OfAgeOptions } from './options.ts';
import { isSessionId } from './outcome.ts';
import { quote } from './quote.ts';
import { countAttempt } from './rate-limit.ts';
import { TIMEOUT_MS } from './timeout.ts';
import { tryTo } from './try-to.ts';
import { isLocalHost, parseUrl } from './urls.ts';

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
 * Counts the attempt of the user, and gives it back if the request got no response.
 *
 * @returns a promise that rejects only with an OfAgeError
 */
export const createSession = (
  attempt: Attempt,
  apiBase: string,
  options: OfAgeOptions,
  user: string,
): Promise<Session> => {
  const { apiKey, returnUrl, cancelUrl } = options;
  const { externalUserId } = attempt._result;
  const aborter = tryTo(() => new AbortController());
  let giveBack: () => void;
  attempt._defer(() => aborter && aborter.abort());
  attempt._expect(TIMEOUT_MS, 'request_timeout');
  return new Promise<Response>((resolve) => {
    giveBack = countAttempt(user);
    const response = fetch(apiBase + '/sessions/create', {
      method: 'POST',
      headers: { Authorization: 'Bearer ' + apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ returnUrl, cancelUrl, externalUserId }),
      credentials: 'omit', // the key is all that the API needs, so no cookie is sent or stored
      redirect: 'error',
      referrerPolicy: 'strict-origin', // overrides the page's referrer policy, so that the page's path and query are not sent
      signal: aborter && aborter.signal,
    } as RequestInit);
    resolve(response);
  })
    .then((response) =>
      response
        .json()
        .then(undefined, () => undefined) // the body is not JSON, for example HTML from a proxy or a truncated response
        .then((answer: unknown) => {
          const body = Object(answer) as Body;
          return response.ok ? toSession(body) : refuse(response, body, options);
        }),
    )
    .then(undefined, (cause) => {
      if (isOfAgeError(cause)) throw cause;
      // Any other error comes from fetch, or from what a script of the page put in its place. After the end of
      // the attempt, fetch was aborted and the request may have arrived.
      if (!attempt._settled) giveBack();
      // A developer's page that calls the production service is most likely meant for the mock.
      const isForMock = isLocalHost(location.hostname) && apiBase.startsWith('https');
      const cure = isForMock
        ? 'for the mock, use its script or createTestOfAge()'
        : 'check network, blockers and connect-src';
      return fail('network_error', `No response from ${apiBase}: ${cure}`, { cause });
    });
};

/** Checks the body of a 2xx response. Throws `invalid_response` or `billing_blocked`. */
const toSession = ({ sessionId, verifyUrl, billingBlock }: Body): Session => {
  if (!isSessionId(sessionId)) fail('invalid_response');
  if (billingBlock) {
    const details = toBillingDetails(Object(billingBlock));
    const text = details.message || details.code;
    fail('billing_blocked', `Billing block${text ? `: "${text}"` : ''}`, { sessionId, details });
  }
  const { origin } =
    toSafeUrl(verifyUrl) || fail('invalid_response', 'Invalid response: unsafe verifyUrl');
  return { sessionId, verifyUrl: String(verifyUrl), origin };
};

const toBillingDetails = ({ code, message, portalUrl }: Body): OfAgeErrorDetails => ({
  code: toText(code),
  message: toText(message),
  // The page may show it as a link, so a script must not pass.
  portalUrl: toSafeUrl(portalUrl) && String(portalUrl),
});

/**
 * Returns undefined if the URL is not safe. The error of parseUrl is dropped, because it quotes the URL. The
 * quote leaves out the query, but the session token may also be in the path.
 */
const toSafeUrl = (url: unknown): URL | undefined =>
  tryTo(() => parseUrl('', String(url), 'invalid_response'));

/** Long texts of the service are shortened, because messages may end up in a log. */
const MAX_TEXT = 300;

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;

const CODES: Record<number, OfAgeErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/** Throws the OfAgeError for an error response. */
function refuse({ status, headers }: Response, body: Body, options: OfAgeOptions): never {
  const messages = ([] as string[]).concat((body.message as string | string[]) || []);
  const text = messages.join('; ').slice(0, MAX_TEXT);
  const isKeyRefused = status === 401 || status === 403;
  const isReturnUrl = /return url domain/i.test(text);
  const url = isReturnUrl
    ? options.returnUrl
    : /cancel url domain/i.test(text) && options.cancelUrl;
  let code = CODES[status] || (status < 500 ? 'invalid_request' : 'server_error');
  let advice = '';
  if (isReturnUrl) code = 'return_url_not_allowed';
  // The service always says why it refuses a key. A firewall sends a page instead.
  else if (isKeyRefused && !text) code = 'invalid_response';
  if (!text) advice = ': a proxy may have answered';
  else if (url) advice = `: allow ${quote(toUrl(url).hostname)} in the dashboard`;
  else if (isKeyRefused) advice = ': check apiKey';
  fail(code, `Cannot create a session (HTTP ${status}${text && `: "${text}"`})${advice}`, {
    status,
    details: { messages, source: 'server', code: toText(body.code) },
    retryAfterMs:
      parseWait(headers.get('X-RateLimit-Retry-After')) || parseWait(headers.get('Retry-After')),
  });
}

/** The longest waiting time that is reported. A longer one is rather a mistake, such as milliseconds. */
const MAX_WAIT_MS = 86_400_000;

/** Parses a waiting time in seconds or an HTTP date. Returns milliseconds, or undefined. */
const parseWait = (header: string | null): number | undefined => {
  const text = String(header);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return waitMs > 0 && waitMs <= MAX_WAIT_MS ? waitMs : undefined;
};
