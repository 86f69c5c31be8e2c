/** A response with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or undefined if it is not JSON. It is `any`, because the tests check its fields. */
  readonly body: any;
}

/** A return URL that every account allows. */
export const RETURN_URL = 'http://localhost/';

/** Returns the headers of a request with a JSON body, and with a secret key, publishable key or token. */
export const jsonHeaders = (key?: string): Record<string, string> => ({
  'content-type': 'application/json',
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
});

/** Posts JSON with a key. */
export async function postJson(url: string, key: string, body: object): Promise<Answer> {
  return toAnswer(
    await fetch(url, { method: 'POST', headers: jsonHeaders(key), body: JSON.stringify(body) }),
  );
}

/** Creates a session on a server, with its secret key. */
export function createSession(
  { apiBase, secretKey }: { apiBase: string; secretKey: string },
  body: object = {},
): Promise<Answer> {
  return postJson(`${apiBase}/sessions/create`, secretKey, { returnUrl: RETURN_URL, ...body });
}

export async function toAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
