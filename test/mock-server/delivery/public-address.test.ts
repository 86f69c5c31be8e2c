import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  IPV4_DENY_LIST,
  IPV6_ALLOW_LIST,
  IPV6_HOLE_LIST,
  isAddress,
  isLoopbackAddress,
  isPublicAddress,
} from '../../../mock-server/send/public-address.ts';
import { readCases } from '../../support/case-files.ts';

/** An address at the edge of a block of the IPv6 lists. */
interface AddressCase {
  address: string;
  expect: 'allow' | 'reject';
  why: string;
}

/** Creates an independent oracle from Node's BlockList, which shares no code with ours. */
function toBlockList(cidrs: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network, prefix] = cidr.split('/');
    list.addSubnet(network!, Number(prefix), family);
  }
  return list;
}
const denied = toBlockList(IPV4_DENY_LIST, 'ipv4');
const allowed = toBlockList(IPV6_ALLOW_LIST, 'ipv6');
const holes = toBlockList(IPV6_HOLE_LIST, 'ipv6');

const v4 = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => parts.join('.'));
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const toV6 = (values: readonly number[]) => values.map((value) => value.toString(16)).join(':');
/** Random addresses rarely fall into a block, so half of these begin inside or just outside one. */
const v6 = fc.oneof(
  groups.map(toV6),
  fc
    .tuple(
      fc.constantFrom(0x2001, 0x2003, 0x2400, 0x2600, 0x2610, 0x2620, 0x2a00, 0x2c0f, 0xfd00),
      groups,
    )
    .map(([first, rest]) => toV6([first, ...rest.slice(1)])),
);

describe('isPublicAddress()', () => {
  it('agrees with BlockList of Node for IPv4 (property)', () => {
    fc.assert(
      fc.property(v4, (address) => {
        expect(isPublicAddress(address)).toBe(!denied.check(address, 'ipv4'));
      }),
      { numRuns: 20_000 },
    );
  });

  it('agrees with BlockList of Node for IPv6 (property)', () => {
    fc.assert(
      fc.property(v6, (address) => {
        const expected = allowed.check(address, 'ipv6') && !holes.check(address, 'ipv6');
        expect(isPublicAddress(address)).toBe(expected);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each<[string, [number, number], string]>([
    ['::/8', [0x0000, 0x00ff], 'unspecified, loopback, mapped, compatible, NAT64'],
    ['2002::/16', [0x2002, 0x2002], '6to4'],
    ['3000::/4', [0x3000, 0x3fff], 'global unicast space without a registry'],
    ['4000::/2', [0x4000, 0x7fff], 'outside 2000::/3'],
    ['fc00::/7', [0xfc00, 0xfdff], 'unique local'],
    ['fe80::/10', [0xfe80, 0xfebf], 'link local'],
    ['fec0::/10', [0xfec0, 0xfeff], 'site local'],
    ['ff00::/8', [0xff00, 0xffff], 'multicast'],
  ])('rejects all of %s: $2', (_block, [min, max]) => {
    fc.assert(
      fc.property(fc.integer({ min, max }), groups, (first, rest) => {
        expect(isPublicAddress(toV6([first, ...rest.slice(1)]))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('rejects all of 2001::/23: Teredo, ORCHID, benchmarking', () => {
    fc.assert(
      fc.property(fc.nat(0x1ff), groups, (second, rest) => {
        expect(isPublicAddress(toV6([0x2001, second, ...rest.slice(2)]))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['11.0.0.0', '9.255.255.255', 'one step outside 10.0.0.0/8'],
    ['100.63.255.255', '100.128.0.0', 'one step outside 100.64.0.0/10'],
    ['172.15.255.255', '172.32.0.0', 'one step outside 172.16.0.0/12'],
    ['168.63.129.15', '168.63.129.17', 'one step outside 168.63.129.16/32'],
    ['223.255.255.255', '1.0.0.0', 'one step outside 224.0.0.0/4 and 0.0.0.0/8'],
    ['2606:4700:4700::1111', '2a00::', 'allocated IPv6'],
  ])('accepts %s and %s: %s', (one, other) => {
    expect([isPublicAddress(one), isPublicAddress(other)]).toEqual([true, true]);
  });

  it.each([
    ['', 'an empty string'],
    ['8.8.8', 'three parts'],
    ['8.8.8.8.8', 'five parts'],
    ['08.8.8.8', 'a leading zero, which some parsers read as octal'],
    ['8.8.8.256', 'a part above 255'],
    ['8.8.8.8 ', 'a space'],
    ['2606:4700:4700::1111%eth0', 'a zone id'],
    ['2606::4700::1111', 'two double colons'],
    ['2606:4700:4700:0:0:0:0:0:1111', 'nine groups'],
    ['2606:4700:4700:1:2:3:4::5', 'a double colon that replaces no group'],
    ['2606:4700:4700:1:2:3:1111', 'seven groups'],
    ['[2606:4700:4700::1111]', 'brackets, which are allowed only in a URL'],
    ['8.8.8.8::', 'IPv4 before a double colon'],
    ['example.com', 'a host name'],
  ])('rejects %j: %s', (text) => {
    expect(isPublicAddress(text)).toBe(false);
    expect(isAddress(text)).toBe(false);
  });

  it.each(readCases<AddressCase>('ipv6-global-unicast'))(
    'would $expect $address ($why)',
    ({ address, expect: wanted }) => {
      expect(isPublicAddress(address)).toBe(wanted === 'allow');
    },
  );
});

describe('isLoopbackAddress()', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])('accepts %s', (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  });
  it.each([
    ['126.255.255.255', 'one below the range'],
    ['128.0.0.0', 'one above the range'],
    ['0.0.0.0', 'the unspecified address'],
    ['::', 'the unspecified IPv6 address'],
    ['::2', 'one above ::1'],
    ['::ffff:127.0.0.1', 'a mapped IPv4 address'],
    ['169.254.169.254', 'a metadata address'],
    ['10.0.0.1', 'a private address'],
    ['localhost', 'a host name'],
  ])('rejects %s: %s', (address) => {
    expect(isLoopbackAddress(address)).toBe(false);
  });
});
