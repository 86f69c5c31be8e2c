import type { Attempt } from './attempt.ts';
import { fail, type OfAgeErrorCode, type OfAgeErrorDetails } from './errors.ts';
import type { OfAgeOptions } from './options.ts';
import { isSessionId } from './outcome.ts';
import { tryTo } from './try-to.ts';
import { parseUrl } from './urls.ts';

const TIMEOUT_MS = 15_000;

/** What the SDK needs of a created session. The token stays inside verifyUrl, unread. */
export interface Session {
  sessionId: string;
  verifyUrl: string;
  /** Of verifyUrl: who may send messages. */
  origin: string;
}

/** A JSON object whose fields nobody has looked at yet. */
type Body = Record<string, unknown>;

/**
 * Creates a session: one POST to one constant address, so that a browser's preflight cache holds.
 * Never retried, since the service has no key by which it could recognise a repetition.
 */
export const createSession = (
  attempt: Attempt,
  apiBase: string,
  { apiKey, returnUrl, cancelUrl }: OfAgeOptions,
  externalUserId: string | undefined,
): Promise<Session> => {
  const aborter = tryTo(() => new AbortController());
  attempt._defer(() => aborter && aborter.abort());
  attempt._expect(TIMEOUT_MS, 'request_timeout');
  return fetch(apiBase + '/sessions/create', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ returnUrl, cancelUrl, externalUserId }),
    credentials: 'omit', // the socket warmed up with crossorigin=anonymous is the one that is used
    redirect: 'error',
    referrerPolicy: 'strict-origin', // whatever the page's own is, its path and query stay here
    signal: aborter && aborter.signal,
  } as RequestInit).then((response) =>
    response
      .json()
      .catch(() => 0) // a proxy's HTML, or half an answer
      .then((answer: unknown) => toSession(response, Object(answer) as Body)),
  );
};

const CODES: Record<number, OfAgeErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'rate_limited',
  503: 'service_unavailable',
};

const toSession = (
  { ok, status, headers }: Response,
  { sessionId, verifyUrl, billingBlock, message, code }: Body,
): Session => {
  if (!ok) {
    const messages = ([] as string[]).concat((message as string | string[]) || []);
    const text = messages.join('; ');
    const seconds = headers.get('X-RateLimit-Retry-After') || headers.get('Retry-After');
    fail(
      /return url domain/i.test(text)
        ? 'return_url_not_allowed'
        : CODES[status] || (status < 500 ? 'invalid_request' : 'server_error'),
      text,
      {
        status,
        details: { messages, source: 'server', code: code as string | undefined },
        retryAfterMs: (seconds as never) * 1000 || undefined,
      },
    );
  }
  if (!isSessionId(sessionId)) fail('invalid_response');
  if (billingBlock) {
    const details = billingBlock as OfAgeErrorDetails; // shown to people, and not acted upon
    fail('billing_blocked', details.message, { sessionId, details });
  }
  const url = String(verifyUrl);
  const { origin } = tryTo(() => parseUrl(url, 'invalid_response')) || fail('invalid_response');
  return { sessionId, verifyUrl: url, origin };
};
