import { tryTo } from './try-to.ts';
import { toUrl } from './urls.ts';

/** Returns true in a page that has all that the SDK needs, and false on a server or in a worker. */
export function isSupported(): boolean {
  return !!tryTo(
    () =>
      document &&
      (fetch as unknown) &&
      URLSearchParams &&
      toUrl(location.href) && // throws if a script of the page replaced URL
      (crypto.getRandomValues as unknown),
  );
}
