import { isLoopbackAddress } from '../delivery/public-address.ts';

/**
 * Whether a `Host` header names this machine: `localhost`, 127.0.0.0/8 or [::1], with any port. Another name
 * that resolves to loopback is how a foreign page would reach a local server (DNS rebinding).
 */
export function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? '';
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}
