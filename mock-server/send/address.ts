/** Tells whether an address, in its normal notation, is in 127.0.0.0/8 or is ::1. */
export function isLoopbackAddress(address: string): boolean {
  const v4 = parseIpv4(address);
  return v4 !== null ? v4 >> 24n === 127n : parseIpv6(address) === 1n;
}

/**
 * Returns the address of a loopback host in the spelling of URLs. `localhost` is 127.0.0.1, because the name
 * may resolve only to ::1 while all printed URLs have 127.0.0.1.
 * @param host `localhost` or an address, also in brackets if it is an IPv6 address
 * @returns null for every other host
 */
export function toLoopbackAddress(host: string): string | null {
  if (host.toLowerCase() === 'localhost') return '127.0.0.1';
  if (parseIpv6(host.replace(/^\[(.*)\]$/, '$1')) === 1n) return '::1';
  return isLoopbackAddress(host) ? host : null;
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

/**
 * Tells whether a page's origin is http or https on this computer. Apps and browser extensions have other
 * schemes, and some of them have the host `localhost`.
 */
export function isLoopbackOrigin(origin: string): boolean {
  if (!/^https?:/i.test(origin) || !URL.canParse(origin)) return false;
  return isLoopbackHost(new URL(origin).host);
}

/** Tells whether a URL's host, without brackets, is an address instead of a name. */
export function isAddress(host: string): boolean {
  return parseIpv4(host) !== null || parseIpv6(host) !== null;
}

/**
 * Parses four decimal numbers without leading zeros. The URL parser has already rewritten every other
 * spelling.
 */
export function parseIpv4(text: string): bigint | null {
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
export function parseIpv6(text: string): bigint | null {
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
