import { shorten } from './matchers.ts';

/** A request to the implementation. */
export interface Call {
  readonly method: string;
  /** A path below the API's base address, such as `/sessions/create`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** True if the path is below the origin instead of the API's base address. */
  readonly isFromOrigin?: boolean;
}

/** A response of the implementation. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or undefined if it is not JSON. */
  readonly json: unknown;
}

export const CREATE = '/sessions/create';
export const VALIDATE = '/sessions/validate';

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns a POST request with a JSON body and, if `key` is given, with a Bearer key. */
export function post(path: string, body: unknown, key?: string): Call {
  return postText(path, JSON.stringify(body), { ...JSON_TYPE, ...bearer(key) });
}

export function postText(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Call {
  return { method: 'POST', path, headers, body };
}

export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes a request without its secrets. */
export function describeCall({ method, path, headers, body }: Call): string {
  const credentials = Object.entries(headers)
    .filter(([name]) => /^(authorization|x-api-key)$/i.test(name))
    .map(([name, value]) => `${name}: ${hideCredentials(value)}`);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const unusual =
    type !== undefined && type !== 'application/json' ? [`content-type: ${type}`] : [];
  const parts = [
    `${method} ${hideSecrets(path)}`,
    ...describeBody(body),
    ...credentials,
    ...unusual,
  ];
  return parts.join(', ');
}

function describeBody(body: Call['body']): string[] {
  if (body === undefined) return [];
  if (typeof body === 'string') return [shorten(hideSecrets(body))];
  return [`${body.length} bytes`];
}

export function describeAnswer({ status, text }: Answer): string {
  return text === '' ? `${status} without a body` : `${status} ${shorten(hideSecrets(text))}`;
}

/** Describes a response without values that change from run to run, so that two runs can be compared. */
export function summarizeAnswer({ status, json }: Answer): string {
  const { message } = (json ?? {}) as { message?: unknown };
  return message === undefined ? `${status}` : `${status} ${JSON.stringify(message)}`;
}

/**
 * Returns the reason for a wrong status if other checks can fail for it too. A request that should have been
 * refused and was accepted is a mistake of its own.
 */
export function toStatusCause(answer: Answer, expected: number): string | null {
  const { status } = answer;
  const isAccepted = status < 300;
  if (isAccepted !== expected < 300) return isAccepted ? null : summarizeAnswer(answer);
  return `${status} instead of ${expected}`;
}

/** Replaces the secrets of a text. A configured key may have more characters than a generated one. */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(/("?(?:sessionToken|handoffToken)"?\s*[:=]\s*"?)[^"&]{8,}/g, '$1…')
    .replaceAll(/\b(pk_|sk_|whsec_|st1_|ht1_)[\w.+/=:@-]{6,}/gi, '$1…');
}

/** Replaces every long value of a header with credentials, because a token may have any form. */
function hideCredentials(value: string): string {
  return hideSecrets(value).replaceAll(/[^\s,]{24,}/g, '…');
}
