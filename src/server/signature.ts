/** Bytes backed by an `ArrayBuffer` that is not shared, as the types of Web Crypto require. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Reads the digest out of a signature header: exactly `sha256=` and 64 lowercase hexadecimal digits,
 * nothing before, between or after. `undefined` for anything else.
 */
export function parseSignature(header: string): Bytes | undefined {
  const digits = /^sha256=([0-9a-f]{64})$/.exec(header)?.[1];
  if (digits === undefined) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

/**
 * Tells whether a digest is the HMAC-SHA-256 of the bytes under the key. The comparison is Web
 * Crypto's own: it happens outside JavaScript and takes the same time wherever the digests differ.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2104
 */
export async function isSignedWith(key: Bytes, digest: Bytes, bytes: Bytes): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const cryptoKey = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', cryptoKey, digest, bytes);
}
