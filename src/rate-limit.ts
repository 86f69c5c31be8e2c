import { NAMESPACE } from './brand.ts';
import { fail } from './errors.ts';
import { tryTo } from './try-to.ts';

const ATTEMPTS = 5;
const WINDOW_MS = 60_000;

/**
 * Checks the client's own limit: five attempts per user in a sliding minute. They are stored in
 * localStorage because redirect mode unloads the page and because the tabs of one user share the limit.
 *
 * @returns a function that counts one attempt; call it at the moment the request is sent
 * @throws an OfAgeError `rate_limited`
 */
export const checkRateLimit = (user: string): (() => void) => {
  const key = NAMESPACE + hash(user);
  const nowMs = Date.now();
  const spent = readStored(key)
    .concat(unstored[key] || [])
    // An attempt in the future means that the clock was set back. It is dropped, because it would lock the
    // user out.
    .filter((atMs) => atMs > nowMs - WINDOW_MS && atMs <= nowMs);
  const oldest = spent[spent.length - ATTEMPTS];
  if (oldest !== undefined) {
    fail('rate_limited', 'The SDK allows five verifications a minute per externalUserId', {
      retryAfterMs: oldest + WINDOW_MS - nowMs,
      details: { source: 'client' },
    });
  }
  return () => {
    const isStored = tryTo(() => (localStorage[key] = spent.concat(nowMs).join()));
    unstored[key] = isStored ? [] : (unstored[key] || []).concat(nowMs);
  };
};

/** Attempts that could not be stored because localStorage is full or denied. */
const unstored: Record<string, number[]> = {};

/**
 * Reads the stored attempts. Another script may have written to the key: text that is not a number becomes
 * NaN, which the filter drops.
 */
const readStored = (key: string): number[] =>
  String(tryTo(() => localStorage[key]))
    .split(',')
    .map(Number);

/** Returns a short one-way hash, so that storage shows neither the key nor the user's identifier. */
const hash = (text: string): number => {
  let sum = 0;
  for (const letter of text) sum = (sum * 33 + letter.charCodeAt(0)) % 1e9;
  return sum;
};
