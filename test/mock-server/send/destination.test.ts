import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkDestination,
  checkNewDestination,
  type Destination,
  type Resolve,
} from '../../../mock-server/send/destination.ts';
import { isAddress, isLoopbackAddress } from '../../../mock-server/send/address.ts';
import {
  IPV4_DENY_LIST,
  IPV6_ALLOW_LIST,
  IPV6_HOLE_LIST,
  isPublicAddress,
} from '../../../mock-server/send/public-address.ts';
import { readCases } from '../../support/case-files.ts';
import type { DestinationCase } from './destination-cases.ts';

const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;
/** For destinations that are decided without a resolver. */
const unused = vi.fn(answering('93.184.216.34'));
afterEach(() => expect(unused).not.toHaveBeenCalled());
const verdict = ({ kind }: Destination) => (kind === 'allowed' ? 'allow' : 'reject');
const errorOf = (destination: Destination) =>
  destination.kind === 'refused' ? destination.error : null;

describe('checkDestination() on the cases', () => {
  const rows = readCases<DestinationCase>('ssrf').filter(
    ({ kind }) => kind !== 'redirect' && kind !== 'rebind',
  );

  it.each(rows)('has the result "$expect" for "$input": $why ($id)', async (row) => {
    const asked: string[] = [];
    const destination = await checkDestination(row.input, {
      resolve: async (host) => {
        asked.push(host);
        return row.answers ?? [];
      },
    });
    expect(verdict(destination)).toBe(row.expect);
    expect(asked.length).toBeLessThanOrEqual(1);
    // A literal address is checked without the resolver, which cannot resolve it.
    if (row.kind === 'literal' || row.kind === 'spelling') expect(asked).toEqual([]);
  });
});

describe('checkDestination()', () => {
  it.each([
    ['https://hooks.example.com/a?b=c', 'https://hooks.example.com/a?b=c', 'unchanged'],
    ['https://hooks.example.com', 'https://hooks.example.com/', 'a slash is added'],
    [
      'https://hooks.example.com:443/a',
      'https://hooks.example.com/a',
      'the default port is removed',
    ],
    [
      'https://hooks.example.com:25/a',
      'https://hooks.example.com:25/a',
      'a different port is kept',
    ],
    ['https://hooks.example.com/a#b', 'https://hooks.example.com/a', 'a fragment is never sent'],
    [' https://hooks.example.com/a ', 'https://hooks.example.com/a', 'white space is trimmed'],
    ['HTTPS://HOOKS.example.com/A', 'https://hooks.example.com/A', 'the path keeps its case'],
  ])('normalises %j to %j: %s', async (input, url) => {
    const destination = await checkDestination(input, { resolve: answering('93.184.216.34') });
    expect(destination).toEqual({
      kind: 'allowed',
      url,
      host: 'hooks.example.com',
      addresses: ['93.184.216.34'],
      network: 'public',
    });
  });

  it.each([
    ['', 'invalid_url', 'an empty string'],
    ['hooks.example.com/a', 'invalid_url', 'no scheme'],
    ['http://hooks.example.com/', 'not_https', 'plain http'],
    ['http://localhost:4011/', 'not_https', 'loopback is not allowed by default'],
    ['https://localhost:4011/', 'destination_not_public', 'nor is loopback with TLS'],
    ['https://u:p@hooks.example.com/', 'invalid_url', 'credentials would be stored and shown'],
    ['https://intranet/', 'destination_not_public', 'a name with one label'],
    [`https://${'a.'.repeat(127)}example/`, 'unresolved', 'more octets than DNS can resolve'],
  ])('rejects %j with %s: %s', async (input, error) => {
    expect(errorOf(await checkDestination(input, { resolve: unused }))).toBe(error);
  });

  it('rejects a name without addresses and a name that cannot be resolved', async () => {
    const broken: Resolve = async () => {
      throw new Error('SERVFAIL');
    };
    const brokenAtOnce: Resolve = () => {
      throw new Error('not a name');
    };
    for (const resolve of [answering(), broken, brokenAtOnce]) {
      const destination = await checkDestination('https://hooks.example.com/', { resolve });
      expect(errorOf(destination)).toBe('unresolved');
    }
  });

  it('checks only the text of a name if there is no resolver', async () => {
    const destination = await checkDestination('https://hooks.example.com/', {});
    expect(destination).toMatchObject({ kind: 'allowed', addresses: null });
    expect(errorOf(await checkDestination('https://127.0.0.1/', {}))).toBe(
      'destination_not_public',
    );
  });
});

describe('checkNewDestination()', () => {
  const HOST = 'https://hooks.example.com/';
  const resolve = answering('93.184.216.34');

  it.each([
    ['the longest URL', HOST + 'a'.repeat(2022)],
    ['a long fragment, because it is not stored', `${HOST}a#${'b'.repeat(4096)}`],
    ['the longest URL with characters that are encoded', HOST + 'ü'.repeat(337)],
  ])('accepts %s', async (_why, input) => {
    const destination = await checkNewDestination(input, { resolve });
    expect(destination).toMatchObject({ kind: 'allowed', addresses: ['93.184.216.34'] });
  });

  it.each([
    ['a URL that is one character too long', HOST + 'a'.repeat(2023), 'invalid_url'],
    ['a URL that is too long after encoding', HOST + 'ü'.repeat(338), 'invalid_url'],
    ['a URL that is not public', 'https://127.0.0.1/', 'destination_not_public'],
  ])('rejects %s', async (_why, input, error) => {
    expect(errorOf(await checkNewDestination(input, { resolve: unused }))).toBe(error);
  });

  it('has a length limit that does not apply to connections', async () => {
    const destination = await checkDestination(HOST + 'ü'.repeat(400), { resolve });
    expect(destination).toMatchObject({ kind: 'allowed' });
  });
});

describe('checkDestination() with loopback allowed', () => {
  it.each([
    ['http://localhost:4011/hook', ['127.0.0.1', '::1'], 'localhost, without the resolver'],
    ['https://localhost/hook', ['127.0.0.1', '::1'], 'localhost over TLS'],
    ['http://localhost.:4011/hook', ['127.0.0.1', '::1'], 'localhost with a trailing dot'],
    ['http://127.0.0.1:4011/hook', ['127.0.0.1'], 'an IPv4 address'],
    ['http://127.8.9.1/hook', ['127.8.9.1'], 'all of 127.0.0.0/8'],
    ['http://[::1]:4011/hook', ['::1'], 'an IPv6 address'],
  ])('allows %s with the addresses %j: %s', async (input, addresses) => {
    const destination = await checkDestination(input, { allowLoopback: true, resolve: unused });
    expect(destination).toMatchObject({ kind: 'allowed', network: 'loopback', addresses });
  });

  it.each([
    ['https://169.254.169.254/', 'destination_not_public', 'a metadata address'],
    ['http://169.254.169.254/', 'not_https', 'a metadata address over http'],
    ['https://10.0.0.1/', 'destination_not_public', 'a private address'],
    ['https://0.0.0.0/', 'destination_not_public', 'the unspecified address'],
    ['https://[::ffff:127.0.0.1]/', 'destination_not_public', 'a mapped loopback address'],
    ['https://api.localhost/', 'destination_not_public', 'a name under localhost'],
    ['http://hooks.example.com/', 'not_https', 'http to a public name'],
    ['http://user@localhost/', 'invalid_url', 'credentials'],
    ['ftp://localhost/', 'not_https', 'an unsupported scheme'],
  ])('still rejects %s with %s: %s', async (input, error) => {
    const destination = await checkDestination(input, { allowLoopback: true, resolve: unused });
    expect(errorOf(destination)).toBe(error);
  });

  it('still rejects a public name that resolves to loopback', async () => {
    const destination = await checkDestination('https://localtest.example/', {
      allowLoopback: true,
      resolve: answering('127.0.0.1'),
    });
    expect(errorOf(destination)).toBe('destination_not_public');
  });
});

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
