import type { ControlGate } from './control.ts';

/**
 * Creates the guard of the control API, which allows only requests to this computer from a program on it. A
 * page of another site has a different Origin. A page that uses DNS rebinding has a different Host.
 */
export function createControlGate(apiOrigin: string): ControlGate {
  const { host: apiHost } = new URL(apiOrigin);
  const isOurs = (url: URL): boolean => isLoopback(url.hostname) || url.host === apiHost;
  return (request) => {
    const host = request.headers.get('host');
    const origin = request.headers.get('origin');
    // An image, script or link on a page of another site is requested without Origin, but browsers send
    // Sec-Fetch-Site.
    const isForeign = origin === null && request.headers.get('sec-fetch-site') === 'cross-site';
    return (
      !isForeign &&
      isOurs(new URL(request.url)) &&
      (host === null || isUrlThat(`http://${host}`, isOurs)) &&
      (origin === null || isUrlThat(origin, isOurs))
    );
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

function isUrlThat(text: string, holds: (url: URL) => boolean): boolean {
  return URL.canParse(text) && holds(new URL(text));
}
