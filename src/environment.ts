import { tryTo } from './try-to.ts';

/** A page, not a server or a worker, with what the specification lists, and fetch. */
export function isSupported(): boolean {
  return !!tryTo(() => document && (fetch as unknown) && URLSearchParams && crypto);
}
