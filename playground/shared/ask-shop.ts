import { CHANGE_MS, READ_MS, inTime } from './in-time.ts';
import { siteUrl } from './site.ts';

/** Thrown when the shop's server cannot be reached or returns an error. */
export class ShopError extends Error {
  override readonly name = 'ShopError';
  /** The body of the response. Null if the request failed or the body is not JSON. */
  readonly answer: unknown;
  /** The HTTP status of the response. Null if the request failed. */
  readonly status: number | null;

  constructor(
    message: string,
    answer: unknown = null,
    status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.answer = answer;
    this.status = status;
  }
}

export interface ShopRequest {
  /** The request body, sent as JSON. */
  readonly body?: object | undefined;
  /** The token of the signed-in customer. */
  readonly token?: string | undefined;
}

/**
 * Sends a request to the demo shop's own server.
 * @param path The path below `shop/`, for example `access`.
 * @returns the JSON of the response, or null if it has no JSON
 * @throws ShopError if the server cannot be reached or returns an error status
 * @throws NoAnswerError if the server does not respond in time
 */
export function askShop(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, token }: ShopRequest = {},
): Promise<unknown> {
  const timeoutMs = method === 'GET' ? READ_MS : CHANGE_MS;
  return inTime("The shop's server", timeoutMs, async (signal) => {
    const response = await fetch(siteUrl(`shop/${path}`), {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: 'no-store',
      signal,
    }).catch((cause: unknown) => {
      throw new ShopError("The shop's server cannot be reached", null, null, { cause });
    });
    if (response.status === 204) return null;
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    const { message }: { message?: unknown } = Object(answer);
    const detail = message === undefined ? '' : `: ${String(message)}`;
    throw new ShopError(
      `The shop's server answered ${response.status}${detail}`,
      answer,
      response.status,
    );
  });
}
