import { parseIpv4, parseIpv6 } from './address.ts';

/**
 * Tells whether an address belongs to the public Internet. IPv4 uses a deny list, because nearly all of it
 * is allocated. IPv6 uses an allow list, so that mapped, compatible, NAT64, 6to4, Teredo, unique local,
 * link local and future blocks need no rule. Text that is not a plain address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const v4 = parseIpv4(address);
  if (v4 !== null) return !IPV4_DENIED.some((block) => block.contains(v4));
  const v6 = parseIpv6(address);
  if (v6 === null) return false;
  return (
    IPV6_ALLOWED.some((block) => block.contains(v6)) &&
    !IPV6_HOLES.some((block) => block.contains(v6))
  );
}

/**
 * The blocks of the IANA IPv4 special-purpose registry (2025-10-09), multicast, and Azure's metadata host,
 * which looks public and is in no registry.
 */
export const IPV4_DENY_LIST = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
] as const;

/**
 * The blocks of the regional registries, from the IANA IPv6 global unicast assignments (2025-10-09).
 * Compare them with IANA at each release. A missing block is refused, which is visible and harmless.
 */
export const IPV6_ALLOW_LIST = [
  '2001:200::/23',
  '2001:400::/23',
  '2001:600::/23',
  '2001:800::/22',
  '2001:c00::/23',
  '2001:e00::/23',
  '2001:1200::/23',
  '2001:1400::/22',
  '2001:1800::/23',
  '2001:1a00::/23',
  '2001:1c00::/22',
  '2001:2000::/19',
  '2001:4000::/23',
  '2001:4200::/23',
  '2001:4400::/23',
  '2001:4600::/23',
  '2001:4800::/23',
  '2001:4a00::/23',
  '2001:4c00::/23',
  '2001:5000::/20',
  '2001:8000::/19',
  '2001:a000::/20',
  '2001:b000::/20',
  '2003::/18',
  '2400::/12',
  '2410::/12',
  '2600::/12',
  '2610::/23',
  '2620::/23',
  '2630::/12',
  '2800::/12',
  '2a00::/12',
  '2a10::/12',
  '2c00::/12',
] as const;

/** Special-purpose blocks inside the allowed ones: documentation, and the AS112 delegation. */
export const IPV6_HOLE_LIST = ['2001:db8::/32', '2620:4f:8000::/48'] as const;

interface Block {
  contains(value: bigint): boolean;
}

const IPV4_DENIED = IPV4_DENY_LIST.map((cidr) => toBlock(cidr, parseIpv4, 32));
const IPV6_ALLOWED = IPV6_ALLOW_LIST.map((cidr) => toBlock(cidr, parseIpv6, 128));
const IPV6_HOLES = IPV6_HOLE_LIST.map((cidr) => toBlock(cidr, parseIpv6, 128));

function toBlock(cidr: string, parse: (text: string) => bigint | null, width: number): Block {
  const [base = '', prefix = ''] = cidr.split('/');
  const value = parse(base);
  if (value === null) throw new RangeError(`Not an address block: "${cidr}"`);
  const shift = BigInt(width - Number(prefix));
  const network = value >> shift;
  return { contains: (candidate) => candidate >> shift === network };
}
