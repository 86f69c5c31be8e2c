import { tryTo } from './try-to.ts';

/**
 * Returns true in a page that has fetch and the features that the specification lists, and false on a
 * server or in a worker.
 */
export function isSupported(): boolean {
  return !!tryTo(() => document && (fetch as unknown) && URLSearchParams && crypto);
}
