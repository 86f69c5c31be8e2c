/// <reference types="vite/client" />
/** Whether this build brings its own service (MSW) instead of a server. */
export const IS_STATIC = import.meta.env.MODE === 'static';

/** Where the playground begins. Each page says in `data-root` how far up that is, so that any sub-path works. */
export const SITE_ROOT = new URL(
  document.documentElement.dataset['root'] ?? './',
  document.baseURI,
);

/** The address that the production SDK calls; the static playground answers for it. */
export const STATIC_API_ORIGIN = 'https://api.ofage.example';

/** Resolves an address below the playground's root, for example `siteUrl('return/')`. */
export const siteUrl = (path: string): string => new URL(path, SITE_ROOT).href;
