import type { RequestResource } from '../api/requests.ts';

/** A parsed request to the API: its caller, its target and its response. */
export interface Call {
  readonly id: string;
  readonly at: string;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** Null if the path or method does not exist in the API. */
  readonly operation: 'create' | 'validate' | null;
  readonly key: 'secret' | 'publishable' | 'other' | null;
  /** The first characters of the key. */
  readonly credential: string | null;
  readonly isBrowser: boolean;
  readonly origin: string | null;
  readonly tenantId: string | null;
  /** The session in the response or, if the call was refused, in the request. */
  readonly sessionId: string | null;
  readonly status: number;
  /** The messages of the refusal. */
  readonly messages: readonly string[];
  /** The request's body; empty if it cannot be parsed. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

/**
 * Parses the requests to the API, oldest first. Leaves out requests to the hosted page's API, which the
 * service's own page sends, and requests with an injected fault.
 */
export function toCalls(requests: readonly RequestResource[]): Call[] {
  return (
    requests
      .filter(({ path, fault }) => fault === null && path.startsWith('/api/'))
      .map(toCall)
      // Sorted by time, because servers that share the state write their requests separately and with a
      // delay.
      .sort((a, b) => a.atMs - b.atMs || Number(a.id) - Number(b.id))
  );
}

/** Returns the name of the call's operation, or its method and path if it has none. */
export function toWhat({ operation, method, path }: Call): string {
  return operation ?? `${method} ${path}`;
}

/** Tells whether a call to validate contains a session token, with the session's id or in its place. */
export function hasSessionToken({ operation, body, messages }: Call): boolean {
  return (
    operation === 'validate' &&
    (messages.includes('property sessionToken should not exist') ||
      /^(st1|ht1)_/.test(String(body['sessionId'])))
  );
}

function toCall(request: RequestResource): Call {
  const { id, at, method, path, operation, credential, isBrowser, origin, tenantId, status } =
    request;
  const body = parseRecord(request.requestBody);
  const answer = parseRecord(request.responseBody);
  return {
    id: String(id),
    at,
    atMs: Date.parse(at),
    method,
    path,
    operation: operation === 'hosted' ? null : operation,
    key: credential === null ? null : toKeyKind(credential),
    credential,
    isBrowser,
    origin,
    tenantId,
    sessionId: request.sessionId ?? toText(body['sessionId']),
    status,
    messages:
      status < 400 ? [] : [answer['message']].flat().filter((text) => typeof text === 'string'),
    body,
    answer,
  };
}

function toKeyKind(credential: string): 'secret' | 'publishable' | 'other' {
  if (credential.startsWith('sk_')) return 'secret';
  return credential.startsWith('pk_') ? 'publishable' : 'other';
}

/** Parses a JSON object. Returns an empty one if the text is truncated or not an object. */
function parseRecord(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
