import { toHex } from '../core/random.ts';
import { signBody } from './signature.ts';

/** What is said about a body: its signature, unless it goes out unsigned, and its fingerprint for the record. */
export type Seal = (
  body: Uint8Array<ArrayBuffer>,
  secret: string | null,
) => Promise<{ signature: string | null; sha256: string }>;

/** Seals with Web Crypto, which every host has. */
export const sealBody: Seal = async (body, secret) => {
  const [signature, digest] = await Promise.all([
    secret === null ? null : signBody(body, secret),
    crypto.subtle.digest('SHA-256', body),
  ]);
  return { signature, sha256: toHex(new Uint8Array(digest)) };
};
