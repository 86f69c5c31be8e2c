import type { ControlGate } from './control.ts';

/**
 * Creates the guard of the control API. It allows only requests to this computer or to the API's origin,
 * from programs and from pages that are served there. A page of another site sends a different Origin, and
 * a page that uses DNS rebinding sends a different Host.
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
