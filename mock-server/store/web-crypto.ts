import { ServiceError } from './errors.ts';

/**
 * Returns the part of Web Crypto that signs and hashes.
 * @throws {ServiceError} if the environment has none. The error is a refusal, so that the response contains
 *   its message. It occurs in the jsdom environments of test runners, whose `crypto` has only random
 *   numbers.
 */
export function webCrypto(): typeof crypto.subtle {
  const found: Partial<typeof crypto> | undefined = globalThis.crypto;
  if (found?.subtle !== undefined) return found.subtle;
  throw new ServiceError(
    'web_crypto_missing',
    'This environment has no Web Crypto (crypto.subtle), which signs tokens and webhooks; in jsdom, set globalThis.crypto to the webcrypto of node:crypto first',
  );
}
