import { tryTo } from './try-to.ts';

/**
 * Returns true in a page that has fetch, URLSearchParams and crypto, and false on a server or in a worker.
 */
export function isSupported(): boolean {
  return !!tryTo(() => document && (fetch as unknown) && URLSearchParams && crypto);
}
