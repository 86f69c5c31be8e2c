import { CHANGE_MS, inTime } from '../../shared/in-time.ts';

/** An HTTP request and its response. */
export interface Exchange {
  /** The purpose, for example `Mallory opens the address`. */
  readonly title: string;
  readonly method: string;
  readonly url: string;
  /** The headers that the attack sent. Bearer tokens are shortened. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly answer: unknown;
}

export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: object | string;
}

export type SendRequest = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | null;
    signal: AbortSignal;
  },
) => Promise<Pick<Response, 'status' | 'text'>>;

/** A server that the attacks call. */
export interface Server {
  /** The subject of an error message about the server, for example `The service`. */
  readonly name: string;
  readonly send: SendRequest;
}

/**
 * Sends a request and returns it together with its response.
 * @throws NoAnswerError if there is no response in time
 * @throws Error if the server cannot be reached
 */
export async function exchange(
  server: Server,
  title: string,
  url: string,
  { method = 'POST', headers = {}, body }: Ask,
): Promise<Exchange> {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const sent = {
    ...(text === null ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  const [status, answer] = await inTime(server.name, CHANGE_MS, async (signal) => {
    const request = { method, headers: sent, body: text, signal };
    const response = await server.send(url, request).catch((cause: unknown) => {
      throw new Error(`${server.name} cannot be reached`, { cause });
    });
    return [response.status, await response.text()] as const;
  });
  return {
    title,
    method,
    url,
    headers: Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, toShown(name, value)]),
    ),
    body: text,
    status,
    answer: parse(answer),
  };
}

/** Shortens a bearer token, which is long and should not be readable on a shared screen. */
function toShown(name: string, value: string): string {
  return name === 'authorization' ? value.replace(/^(Bearer .{12}).*$/, '$1…') : value;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
