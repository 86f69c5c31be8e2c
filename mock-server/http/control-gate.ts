import type { ControlGate } from './control.ts';

/**
 * Lets in requests that were made to this computer by a program on it. A page elsewhere has another Origin;
 * one that made its name resolve to this computer has another Host.
 */
export function createControlGate(apiOrigin: string): ControlGate {
  const { host: apiHost } = new URL(apiOrigin);
  const isOurs = (url: URL): boolean => isLoopback(url.hostname) || url.host === apiHost;
  return (request) => {
    const host = request.headers.get('host');
    const origin = request.headers.get('origin');
    // A picture, script or link on a page elsewhere comes without Origin, but a browser says where from.
    const isForeign = origin === null && request.headers.get('sec-fetch-site') === 'cross-site';
    return (
      !isForeign &&
      isOurs(new URL(request.url)) &&
      (host === null || isAnd(`http://${host}`, isOurs)) &&
      (origin === null || isAnd(origin, isOurs))
    );
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

function isAnd(text: string, holds: (url: URL) => boolean): boolean {
  return URL.canParse(text) && holds(new URL(text));
}
