/** Bytes backed by an unshared `ArrayBuffer`, as the types of Web Crypto require. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Parses the digest in a signature header, which must be exactly `sha256=` and 64 lowercase hexadecimal
 * digits. Returns `undefined` for anything else.
 */
export function parseSignature(header: string): Bytes | undefined {
  const digits = /^sha256=([0-9a-f]{64})$/.exec(header)?.[1];
  if (digits === undefined) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

/**
 * Tells whether a digest is the HMAC-SHA-256 of the bytes under the key. Web Crypto does the comparison
 * outside JavaScript, in a time that does not depend on where the digests differ.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2104
 */
export async function isSignedWith(key: Bytes, digest: Bytes, bytes: Bytes): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const cryptoKey = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', cryptoKey, digest, bytes);
}
