import { NAMESPACE } from './brand.ts';
import { fail } from './errors.ts';
import { tryTo } from './try-to.ts';

/** Numbers the attempts that one user may make in WINDOW_MS. */
const ATTEMPTS = [1, 2, 3, 4, 5];
const WINDOW_MS = 60_000;

/**
 * Checks the client's own limit of attempts per user in a sliding window. Their times are stored in
 * localStorage, because redirect mode unloads the page and because the tabs of one user share the limit. Each
 * attempt has a key of its own, so that tabs do not overwrite each other's attempts, unless two choose a key
 * at the same moment: localStorage has no lock.
 *
 * @returns the key for the next attempt
 * @throws an OfAgeError `rate_limited`
 */
export const checkRateLimit = (user: string): string => {
  const keys = ATTEMPTS.map((number) => NAMESPACE + hash(user) + '.' + number);
  const freeKey = keys.find((key) => !isRecent(readTime(key)));
  if (freeKey) return freeKey;
  return fail('rate_limited', 'Only five attempts a minute per externalUserId', {
    retryAfterMs: Math.min(...keys.map(readTime)) + WINDOW_MS - Date.now(),
    details: { source: 'client' },
  });
};

/**
 * Counts an attempt. Call it at the moment the request is sent.
 *
 * @returns a function that stops counting this attempt, for a request that did not reach the service
 * @throws an OfAgeError `rate_limited`
 */
export const countAttempt = (user: string): (() => void) => {
  const key = checkRateLimit(user);
  const nowMs = Date.now();
  writeTime(key, nowMs);
  return () => {
    // Another attempt may have the key after a minute, or after the page has cleared its storage.
    if (readTime(key) === nowMs) writeTime(key, 0);
  };
};

/**
 * An attempt in the future means that the clock was set back. It is not counted, because it would lock the
 * user out. Neither is text that another script wrote, which is NaN.
 */
const isRecent = (atMs: number): boolean => {
  const ageMs = Date.now() - atMs;
  return ageMs >= 0 && ageMs < WINDOW_MS;
};

/** Times that could not be stored because localStorage is full or denied. They replace the stored ones. */
const unstored: Record<string, number> = {};

const readTime = (key: string): number =>
  Number(key in unstored ? unstored[key] : tryTo(() => localStorage[key]));

const writeTime = (key: string, atMs: number): void => {
  unstored[key] = atMs;
  tryTo(() => {
    localStorage[key] = atMs;
    delete unstored[key];
  });
};

/**
 * Returns a short hash, so that the key and the user's identifier are not in the storage as they are. A script
 * can find an identifier by trying many, and users with the same hash share one limit.
 */
const hash = (text: string): number => {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 33 + text.charCodeAt(at)) % 1e9;
  return sum;
};
