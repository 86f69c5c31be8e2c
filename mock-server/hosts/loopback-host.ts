import { isLoopbackAddress } from '../send/public-address.ts';

/**
 * Tells whether a `Host` header names this machine: `localhost`, 127.0.0.0/8 or [::1], with any port. Any
 * other name that resolves to loopback may be a DNS rebinding attack, in which a foreign page reaches a
 * local server.
 */
export function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? '';
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}
