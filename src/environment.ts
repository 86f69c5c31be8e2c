import { tryTo } from './try-to.ts';

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

/**
 * Parses a URL, or throws. Reads the class from the window, because a script's `const URL = …` hides the
 * global of that name. There is no window on a server.
 */
export const toUrl = (url: string, base?: string): URL =>
  new (typeof window === 'object' ? window : { URL }).URL(url, base);

/**
 * Tells whether a URL is on another origin than this page. Returns false on a server, and for an opaque
 * origin such as that of a page from a file.
 */
export const isForeign = (url: string): boolean => {
  const origin = tryTo(() => location.origin) || 'null';
  return origin !== 'null' && origin !== toUrl(url).origin;
};

/**
 * Tells whether the browser is prerendering this page, which the shopper may never open. A page in a hidden
 * tab is not prerendered.
 */
export const isPrerendering = (): boolean =>
  !!(document as { prerendering?: boolean }).prerendering;
