import { CHANGE_MS, READ_MS, inTime } from './in-time.ts';
import { siteUrl } from './site.ts';

/** The shop's server did not do what it was asked. */
export class ShopError extends Error {
  override readonly name = 'ShopError';
  /** What the server answered; `null` when nothing came. */
  readonly answer: unknown;
  /** Its HTTP status; `null` when nothing came. */
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
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /** Of the customer who is signed in. */
  readonly token?: string | undefined;
}

/**
 * Asks the demo shop's own server.
 * @param path Below `shop/`, for example `access`.
 * @returns the JSON of the answer; null when there is none
 * @throws ShopError when the server cannot be reached or refuses
 * @throws NoAnswerError when it does not answer in time
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
    const words = message === undefined ? '' : `: ${String(message)}`;
    throw new ShopError(
      `The shop's server answered ${response.status}${words}`,
      answer,
      response.status,
    );
  });
}
