import { ServiceError } from './errors.ts';

/** A source of randomness, provided by the host, so that a seed can make a run repeatable. */
export interface Random {
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

/** The number of bytes fetched at once, because a call into the platform costs more than the bytes. */
const POOL_BYTES = 4096;

let pool = new Uint8Array(0);

export const systemRandom: Random = {
  bytes(length) {
    if (length > POOL_BYTES) return crypto.getRandomValues(new Uint8Array(length));
    if (pool.length < length) pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    const bytes = pool.slice(0, length);
    // Removes the returned bytes from the pool, so that they are never returned again.
    pool = pool.subarray(length);
    return bytes;
  },
};

/**
 * Creates repeatable randomness for tests and demos. Never use it for a real key.
 * @param seed An unsigned 32-bit integer.
 */
export function createSeededRandom(seed: number): Random {
  // mulberry32: one addition and two mixes per 32 bits. That is enough where security does not matter.
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return { bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff) };
}

/**
 * Draws values until one is free. A service that is started again with its seed draws the values of the
 * earlier start again.
 */
export function drawFree(draw: () => string, isTaken: (value: string) => boolean): string {
  for (;;) {
    const value = draw();
    if (!isTaken(value)) return value;
  }
}

/** Returns a version 4 UUID. */
export function toUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = toHex(bytes);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** Returns a token such as `pk_8f3a…`: the prefix and 24 random bytes in hex. */
export function toToken(prefix: string, random: Random): string {
  return prefix + toHex(random.bytes(24));
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte] ?? '';
  return hex;
}

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
