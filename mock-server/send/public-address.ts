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

/** Tells whether an address, in its normal notation, is in 127.0.0.0/8 or is ::1. */
export function isLoopbackAddress(address: string): boolean {
  const v4 = parseIpv4(address);
  return v4 !== null ? v4 >> 24n === 127n : parseIpv6(address) === 1n;
}

/** Tells whether a URL's host, without brackets, is an address instead of a name. */
export function isAddress(host: string): boolean {
  return parseIpv4(host) !== null || parseIpv6(host) !== null;
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

/**
 * Parses four decimal numbers without leading zeros. The URL parser has already rewritten every other
 * spelling.
 */
function parseIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

/** Parses RFC 4291 text, with at most one `::` and an optional IPv4 tail. Zones are not allowed. */
function parseIpv6(text: string): bigint | null {
  // Returns early, because most hosts are names.
  if (!text.includes(':')) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = toGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? toGroups(halves[1] ?? '', true) : [];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  // `::` stands for one group or more. If it is absent, there must be eight groups.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function toGroups(text: string, mayEndInIpv4: boolean): bigint[] | null {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(BigInt(`0x${part}`));
      continue;
    }
    const v4 = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : null;
    if (v4 === null) return null;
    groups.push(v4 >> 16n, v4 & 0xffffn);
  }
  return groups;
}

/**
 * Tells whether a `Host` header names this machine: `localhost`, 127.0.0.0/8 or [::1], with any port. Any
 * other name that resolves to loopback may be a DNS rebinding attack, in which a foreign page reaches a
 * local server.
 */
export function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? '';
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}
