import { NAMESPACE } from './brand.ts';
import { fail } from './errors.ts';
import { tryTo } from './try-to.ts';

const ATTEMPTS = 5;
const WINDOW_MS = 60_000;

/** The attempt that the limit allows. */
interface Allowance {
  /** Counts the attempt. Call it at the moment the request is sent. */
  _spend(): void;
  /** Stops counting the attempt. Call it if the request did not reach the service. */
  _giveBack(): void;
}

/**
 * Checks the client's own limit: five attempts per user in a sliding minute. They are stored in
 * localStorage because redirect mode unloads the page and because the tabs of one user share the limit.
 *
 * @throws an OfAgeError `rate_limited`
 */
export const checkRateLimit = (user: string): Allowance => {
  const key = NAMESPACE + hash(user);
  const nowMs = Date.now();
  // An attempt in the future means that the clock was set back. It is dropped, because it would lock the
  // user out.
  const spent = readTimes(key).filter((atMs) => atMs > nowMs - WINDOW_MS && atMs <= nowMs);
  const oldest = spent[spent.length - ATTEMPTS];
  if (oldest) {
    fail('rate_limited', 'Only five attempts a minute per externalUserId', {
      retryAfterMs: oldest + WINDOW_MS - nowMs,
      details: { source: 'client' },
    });
  }
  return {
    _spend: () => writeTimes(key, spent.concat(nowMs)),
    _giveBack: () => {
      const times = readTimes(key); // another tab may have added attempts
      times.splice(times.lastIndexOf(nowMs), 1);
      writeTimes(key, times);
    },
  };
};

/** Times that could not be stored because localStorage is full or denied. They replace the stored ones. */
const unstored: Record<string, number[]> = {};

/**
 * Reads the times of the attempts. Another script may have written to the key: text that is not a number
 * becomes NaN, which no comparison accepts.
 */
const readTimes = (key: string): number[] =>
  unstored[key] ||
  String(tryTo(() => localStorage[key]))
    .split(',')
    .map(Number);

const writeTimes = (key: string, times: number[]): void => {
  unstored[key] = times;
  tryTo(() => {
    localStorage[key] = times.join();
    delete unstored[key];
  });
};

/** Returns a short one-way hash, so that storage shows neither the key nor the user's identifier. */
const hash = (text: string): number => {
  let sum = 0;
  for (const letter of text) sum = (sum * 33 + letter.charCodeAt(0)) % 1e9;
  return sum;
};
