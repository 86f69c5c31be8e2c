/// <reference types="vite/client" />
/** True if this build runs the service in the page (MSW) instead of on a server. */
export const IS_STATIC = import.meta.env.MODE === 'static';

/**
 * The root URL of the playground. Each page gives the relative path to it in `data-root`, so that the
 * playground works under any sub-path.
 */
export const SITE_ROOT = new URL(
  document.documentElement.dataset['root'] ?? './',
  document.baseURI,
);

/**
 * The root URL of the service, as the terminal prints it. The server adds it to its pages, which are on
 * `localhost` while the service is on another address.
 */
const SERVICE_ROOT = document.documentElement.dataset['service'] ?? SITE_ROOT;

/**
 * True if the demo shop's server runs, which the labs need too. A server without it says so in its pages.
 */
export const HAS_DEMO = document.documentElement.dataset['demo'] !== 'none';

/** The origin of the SDK's production API. The static playground handles requests to it. */
export const STATIC_API_ORIGIN = 'https://api.ofage.example';

/** Resolves a path below the playground's root, for example `siteUrl('return/')`. */
export const siteUrl = (path: string): string => new URL(path, SITE_ROOT).href;

/** Resolves a path below the service's root, for example `serviceUrl('api/v1')`. */
export const serviceUrl = (path: string): string => new URL(path, SERVICE_ROOT).href;
