import { NAMESPACE } from './brand.ts';
import { fail } from './errors.ts';
import { tryTo } from './try-to.ts';

const ATTEMPTS = 5;
const WINDOW_MS = 60_000;

/**
 * The client's own limit: five attempts in a sliding minute per user. Kept in localStorage because
 * redirect mode reloads the page and because tabs share the user. Throws when it is reached.
 *
 * @returns counts one attempt; to be called at the moment its request is sent
 */
export const checkRateLimit = (user: string): (() => void) => {
  // Short and one-way, so that storage shows neither the key nor the user's identifier.
  let hash = 0;
  for (const letter of user) hash = (hash * 33 + letter.charCodeAt(0)) % 1e9;
  const key = NAMESPACE + hash;
  const nowMs = Date.now();
  // Whatever else is stored there is no number of the last minute. Nor is an entry from the future:
  // the clock was set back, and it would lock the user out.
  const text = tryTo(() => localStorage[key] as string) + ',' + memory[key];
  const spent = (text.split(',') as unknown[] as number[]) // compared as numbers
    .filter((atMs) => atMs > nowMs - WINDOW_MS && atMs <= nowMs);
  const blocker = spent[spent.length - ATTEMPTS];
  if (blocker) {
    fail('rate_limited', '', {
      retryAfterMs: blocker - nowMs + WINDOW_MS,
      details: { source: 'client' },
    });
  }
  return () => {
    memory[key] = tryTo(() => (localStorage[key] = spent.concat(nowMs).join()))
      ? ''
      : memory[key] + ',' + nowMs;
  };
};

/** What localStorage did not take, because it is full or denied. */
const memory: Record<string, string> = {};
