import type { RequestRow } from '../store/tables.ts';
import type { KeptRequest } from '../rules/request-log.ts';

/** A request to the API or to the hosted page's API, with its response. */
export interface RequestRecord {
  /** Time of arrival, in virtual time. */
  readonly atMs: number;
  /** Time of arrival, in real time. */
  readonly realAtMs: number;
  /** Duration in real time. */
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: RequestRow['operation'];
  /** The API key or session token exactly as sent. */
  readonly credential: string | null;
  readonly tenantId: string | null;
  readonly sessionId: string | null;
  readonly status: number;
  readonly fault: RequestRow['fault'];
  readonly requestHeaders: Headers;
  /** Null if the body was too large or incomplete. */
  readonly requestText: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly response: object | string;
}

const MAX_TEXT = 4_096;

export function surfaceOf({ path }: Pick<RequestRecord, 'path'>): RequestRow['surface'] {
  return path.startsWith('/hosted/') ? 'hosted' : 'api';
}

/** Shortens the texts of a request and hides secrets. */
export function toKeptRequest(record: RequestRecord): KeptRequest {
  const { credential, requestHeaders, requestText, responseHeaders, response, ...rest } = record;
  const origin = requestHeaders.get('origin');
  const responseText = typeof response === 'string' ? response : JSON.stringify(response);
  return {
    ...rest,
    surface: surfaceOf(record),
    path: redact(record.path),
    credential: credential && toBeginning(credential),
    origin,
    // Only browsers send `sec-fetch-site`. Node's own fetch sends `sec-fetch-mode`.
    isBrowser: origin !== null || requestHeaders.has('sec-fetch-site'),
    requestHeaders: toShownHeaders([...requestHeaders]),
    requestBody: requestText === null ? null : redact(shorten(requestText)),
    responseHeaders: toShownHeaders(Object.entries(responseHeaders)),
    responseBody: redact(shorten(responseText)),
  };
}

/** Shortens a text. Copies the result, because a slice would keep the whole text in memory. */
export function shorten(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return JSON.parse(JSON.stringify(text.slice(0, MAX_TEXT))) as string;
}

function toShownHeaders(headers: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(
    headers.map(([name, value]) => {
      const lower = name.toLowerCase();
      return [lower, toShownHeader(lower, value)];
    }),
  );
}

function toShownHeader(name: string, value: string): string {
  switch (name) {
    case 'authorization':
    case 'x-api-key': {
      const [, scheme = '', credential = ''] = /^(\S+ +)?(.*)$/.exec(shorten(value)) ?? [];
      // A value with a scheme other than Bearer is hidden completely. So is a key in `x-api-key` that
      // contains a space, because its first word looks like a scheme.
      return /^bearer $/i.test(scheme) || scheme === '' ? scheme + toBeginning(credential) : '…';
    }
    case 'cookie':
    case 'proxy-authorization':
      return '…';
    default:
      return redact(shorten(value));
  }
}

/**
 * Returns the start of a key, such as `sk_8f3a…`. That is enough to distinguish keys, but not to use one.
 */
function toBeginning(credential: string): string {
  const [, prefix = ''] = /^([a-z]{1,8}\d?_)/.exec(credential) ?? [];
  // Only the prefix of a short key is shown, because four more characters could be most of the key.
  const shown = credential.length >= prefix.length + 16 ? prefix.length + 4 : prefix.length;
  return `${credential.slice(0, shown)}…`;
}

/**
 * Hides secrets. Secret keys and tokens are found by their prefix. They are hidden up to the next space,
 * quote, `&` or backslash, because a configured key may contain any other character. In JSON, secrets are
 * also found by the name of their property.
 */
export function redact(text: string): string {
  // A shortcut, because most texts are headers without a quote or an underscore.
  const named = text.includes('"') ? text.replaceAll(NAMED_SECRETS, '$1…') : text;
  const hasPrefix = named.includes('_') || named.includes('%5');
  return hasPrefix ? named.replaceAll(PREFIXED_SECRETS, '$1_…') : named;
}

const NAMED_SECRETS = /("(?:sessionToken|handoffToken|secret|secretKey)"\s*:\s*")(?:[^"\\]|\\.)*/g;
const PREFIXED_SECRETS = /\b(sk|st1|ht1|whsec)(?:_|%5F)[^\s"&\\]+/gi;
