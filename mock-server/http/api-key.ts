/** The key that a request carries: a Bearer token, or else `x-api-key`. Null when it carries none. */
export function readApiKey(headers: Headers): string | null {
  return readBearer(headers) ?? (headers.get('x-api-key')?.trim() || null);
}

/** The token of an `Authorization: Bearer` header. */
export function readBearer(headers: Headers): string | null {
  // The scheme's name is case-insensitive: RFC 9110, 11.1.
  return /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
