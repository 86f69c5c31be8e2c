import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Networks that are not on the public Internet (the special-purpose registries of IANA). */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublic = new BlockList();
for (const [net, bits] of NOT_PUBLIC_4) notPublic.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of NOT_PUBLIC_6) notPublic.addSubnet(net, bits, 'ipv6');
/** The global unicast addresses. All other IPv6 addresses are not public either. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

export class BadDestination extends Error {}

/**
 * Checks an address of a webhook and returns the IP address to connect to.
 * @param allowLoopback Also allows http://127.0.0.1, for receivers on this computer.
 * @throws {BadDestination} if the URL is not HTTPS or one of its addresses is not public
 */
export async function resolveDestination(url: URL, allowLoopback: boolean): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (allowLoopback && url.protocol === 'http:' && host === '127.0.0.1') return host;
  if (url.protocol !== 'https:') throw new BadDestination('The webhook URL must use HTTPS');
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  const [first] = found;
  if (!first) throw new Error(`${host} has no address`);
  if (!found.every(({ address }) => isPublic(address)))
    throw new BadDestination(`${host} is not on the public Internet`);
  return first.address;
}

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}
