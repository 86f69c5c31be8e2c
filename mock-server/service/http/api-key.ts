/** Returns the request's key from a Bearer token or from `x-api-key`, or null if it has none. */
export function readApiKey(headers: Headers): string | null {
  return readBearer(headers) ?? (headers.get('x-api-key')?.trim() || null);
}

/** Returns the token of an `Authorization: Bearer` header, or null if there is none. */
export function readBearer(headers: Headers): string | null {
  // The scheme's name is case-insensitive: RFC 9110, 11.1.
  return /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
