import { API_BASE } from './brand.ts';
import { type CallLimits, withDeadline } from './deadline.ts';
import { OfAgeError, reasonFor } from './errors.ts';
import { type FetchLike, type FetchResponse, platformFetch } from './fetch-like.ts';
import { type JsonObject, ShapeError, parseJsonObject, readField } from './json-object.ts';
import type { Operation } from './operations.ts';
import { parseRefusal, toRefusalError } from './refusal.ts';
import { readChunks } from './raw-body.ts';
import type { Secret } from './secret.ts';
import { isSessionId } from './session.ts';

/** The key, the address and the `fetch` that all calls of one client use. */
export interface Connection {
  readonly secretKey: Secret;
  readonly baseUrl: string;
  readonly fetch: FetchLike | undefined;
}

/** Posts a body and parses the response with `parse`. Every failure is an OfAgeError. */
export async function post<T>(
  connection: Connection,
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
  limits: CallLimits,
  parse: (answer: JsonObject) => T,
): Promise<T> {
  const { action } = operation;
  const redact = (text: string): string => connection.secretKey.redact(text);
  const address = toAddress(connection);
  const { response, bodyText } = await withDeadline(limits, { action, address }, (signal) =>
    send(connection, operation, JSON.stringify(body), signal),
  );
  if (response.status < 200 || response.status > 299) {
    throw toRefusalError(
      operation,
      parseRefusal(connection.baseUrl, response, bodyText ?? ''),
      redact,
    );
  }
  let answer: JsonObject = {};
  try {
    if (bodyText === undefined) {
      throw new ShapeError(`the body is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    answer = parseJsonObject(bodyText);
    return parse(answer);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const { status } = response;
    const reason = `${reasonFor('invalid_response')}: ${redact(error.message)}`;
    const sessionId = operation.name === 'create' ? findSessionId(answer) : undefined;
    throw new OfAgeError('invalid_response', `${action}: ${reason}`, { status, sessionId });
  }
}

/** Returns the session's id if it has the right form, although another field may be invalid. */
function findSessionId(answer: JsonObject): string | undefined {
  const sessionId = readField(answer, 'sessionId');
  return isSessionId(sessionId) ? sessionId : undefined;
}

async function send(
  connection: Connection,
  { path, action }: Operation,
  body: string,
  signal: AbortSignal,
): Promise<{ response: FetchResponse; bodyText: string | undefined }> {
  const { baseUrl, secretKey } = connection;
  const fetch = connection.fetch ?? platformFetch(action);
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${secretKey.reveal()}`,
        'content-type': 'application/json',
      },
      body,
      // The API never redirects, and following a redirect would turn the POST into a GET or send the body
      // to another address. The value is not 'error', because Cloudflare Workers supports only 'follow' and
      // 'manual'.
      redirect: 'manual',
      signal,
      // Next.js 13 and 14 cache every fetch of a Server Component, also a POST. `cache: 'no-store'` would be the
      // standard option, but Cloudflare Workers throw on it if their compatibility date is before 2024-11-11.
      next: { revalidate: 0 },
    });
    return { response, bodyText: await readText(response) };
  } catch (error) {
    if (isPrerenderStop(error)) throw error;
    const reason = `${reasonFor('network_error')} at ${toAddress(connection)}`;
    const cause = secretKey.redactCause(error);
    throw new OfAgeError('network_error', `${action}: ${reason}`, { cause });
  }
}

/** The largest response that is read, without compression. Those of the API have a few thousand bytes. */
const MAX_ANSWER_BYTES = 1_000_000;

/** Reads the body. Returns undefined if it is too large, for example because a proxy sends another file. */
async function readText(response: FetchResponse): Promise<string | undefined> {
  const stream = response.body as Partial<ReadableStream<Uint8Array>> | null | undefined;
  if (typeof stream?.getReader !== 'function') {
    const text = await response.text();
    return text.length > MAX_ANSWER_BYTES ? undefined : text;
  }
  const reader = stream.getReader();
  const bytes = await readChunks(() => reader.read(), MAX_ANSWER_BYTES);
  if (bytes !== undefined) return new TextDecoder().decode(bytes);
  // Ends the request. The response is refused even if this fails.
  void reader.cancel().catch(() => {});
  return undefined;
}

/**
 * Tells whether Next.js stopped the request because it prerenders a page, which must not happen with a page
 * that makes requests. The error has to arrive in Next.js, which then renders the page at each visit.
 */
function isPrerenderStop(error: unknown): boolean {
  return typeof (Object(error) as { digest?: unknown }).digest === 'string';
}

/** Returns the address for a message, with what to check: a missing variable, or a mock that is not running. */
function toAddress({ baseUrl, secretKey }: Connection): string {
  if (baseUrl === API_BASE)
    return `${baseUrl}; for the mock, set OFAGE_API_BASE and pass it as baseUrl`;
  const isLoopback = baseUrl.startsWith('http:'); // see resolveBaseUrl
  return secretKey.redact(baseUrl) + (isLoopback ? '; is the mock running there?' : '');
}
