import { type CallLimits, withDeadline } from './deadline.ts';
import { OfAgeError, reasonFor } from './errors.ts';
import { type FetchLike, type FetchResponse, platformFetch } from './fetch-like.ts';
import { type JsonObject, ShapeError, parseJsonObject } from './json-object.ts';
import type { Operation } from './operations.ts';
import { parseRefusal, toRefusalError } from './refusal.ts';
import type { Secret } from './secret.ts';

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
  const { response, bodyText } = await withDeadline(limits, action, (signal) =>
    send(connection, operation, JSON.stringify(body), signal),
  );
  if (response.status < 200 || response.status > 299) {
    throw toRefusalError(operation, parseRefusal(response, bodyText), redact);
  }
  try {
    return parse(parseJsonObject(bodyText));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const { status } = response;
    const reason = `${reasonFor('invalid_response')}: ${redact(error.message)}`;
    throw new OfAgeError('invalid_response', `${action}: ${reason}`, { status });
  }
}

async function send(
  connection: Connection,
  { path, action }: Operation,
  body: string,
  signal: AbortSignal,
): Promise<{ response: FetchResponse; bodyText: string }> {
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
    });
    return { response, bodyText: await response.text() };
  } catch (error) {
    throw new OfAgeError('network_error', `${action}: ${reasonFor('network_error')}`, {
      cause: secretKey.redactCause(error),
    });
  }
}
