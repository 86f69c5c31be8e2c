import { toHex } from '../store/random.ts';
import { webCrypto } from '../store/web-crypto.ts';
import { signBody } from './signature.ts';

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
