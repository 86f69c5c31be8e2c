import { toHex, webCrypto } from '../store/random.ts';

export const SIGNATURE_HEADER = 'x-ofage-signature';

/**
 * Signs the exact bytes that are sent. Returns `sha256=` and the HMAC-SHA-256 in lower-case hex.
 * @throws {RangeError} if the secret is empty, because Web Crypto's own message does not name this reason.
 */
export async function signBody(body: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  if (secret === '') throw new RangeError('Cannot sign a webhook: the secret is empty');
  const subtle = webCrypto();
  const key = await subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const digest = new Uint8Array(await subtle.sign('HMAC', key, body));
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Returns a body's signature, or null if the secret is null, and its hash, which is stored with the
 * attempt.
 */
export type BodySigner = (
  body: Uint8Array<ArrayBuffer>,
  secret: string | null,
) => Promise<{ signature: string | null; sha256: string }>;

export const signAndHash: BodySigner = async (body, secret) => {
  const [signature, digest] = await Promise.all([
    secret === null ? null : signBody(body, secret),
    webCrypto().digest('SHA-256', body),
  ]);
  return { signature, sha256: toHex(new Uint8Array(digest)) };
};
