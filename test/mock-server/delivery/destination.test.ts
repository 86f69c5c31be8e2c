import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDestination, checkNewDestination } from '../../../mock-server/send/destination.ts';
import type { Destination, Resolve } from '../../../mock-server/send/destination.ts';
import { readCases } from '../../support/case-files.ts';
import type { DestinationCase } from './destination-cases.ts';

const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;
const never: Resolve = () => {
  throw new Error('The resolver must not be called');
};
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
    [
      'https://localhost:4011/',
      'destination_not_public',
      'loopback with TLS is not allowed either',
    ],
    ['https://u:p@hooks.example.com/', 'invalid_url', 'credentials would be stored and shown'],
    ['https://hooks.example.com:0/', 'invalid_url', 'port 0'],
    ['https://hooks.exa\tmple.com/', 'invalid_url', 'the URL parser would drop the tab'],
    ['https://hooks.example.com\\@10.0.0.1/', 'invalid_url', 'parsers disagree on a backslash'],
    ['https:/hooks.example.com/', 'invalid_url', 'the URL parser would add a slash'],
    ['https:///hooks.example.com/', 'invalid_url', 'the URL parser would drop a slash'],
    ['https://intranet/', 'destination_not_public', 'a name with one label'],
    ['https://hooks..example.com/', 'destination_not_public', 'an empty label'],
    ['https://db.internal/', 'destination_not_public', 'a local name'],
    ['https://home.arpa/', 'destination_not_public', 'a local suffix alone'],
    ['https://hooks.example.com../', 'destination_not_public', 'two trailing dots'],
    [
      `https://${'a.'.repeat(127)}example/`,
      'unresolved',
      'more than 253 octets, which DNS cannot resolve',
    ],
  ])('rejects %j with %s: %s', async (input, error) => {
    expect(errorOf(await checkDestination(input, { resolve: never }))).toBe(error);
  });

  it('rejects a name without addresses and a name that cannot be resolved', async () => {
    const broken: Resolve = async () => {
      throw new Error('SERVFAIL');
    };
    for (const resolve of [answering(), broken]) {
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

  it('rejects a name if any one of its addresses is not public (property)', async () => {
    const open = fc.constantFrom<string>(
      '93.184.216.34',
      '8.8.8.8',
      '1.1.1.1',
      '2606:4700:4700::1111',
    );
    const closed = fc.constantFrom<string>(
      '10.0.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '::1',
      'fd00::1',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(open, { maxLength: 6 }),
        closed,
        fc.nat(6),
        async (list, bad, at) => {
          const answers = list.toSpliced(at % (list.length + 1), 0, bad);
          const destination = await checkDestination('https://hooks.example.com/', {
            resolve: answering(...answers),
          });
          expect(errorOf(destination)).toBe('destination_not_public');
        },
      ),
    );
  });

  it('rejects private and loopback IPv4 addresses in unusual notations (property)', async () => {
    const byte = fc.nat(255);
    const spellings: ((a: number, b: number, c: number, d: number) => string)[] = [
      (a, b, c, d) => `${((a * 256 + b) * 256 + c) * 256 + d}`,
      (a, b, c, d) => `0x${(((a * 256 + b) * 256 + c) * 256 + d).toString(16)}`,
      (...parts) => parts.map((part) => `0x${part.toString(16)}`).join('.'),
      (...parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
      (...parts) => parts.map((part) => `000${part.toString(8)}`).join('.'),
      (a, b, c, d) => `${a}.${b}.${c * 256 + d}`,
      (a, b, c, d) => `${a}.${(b * 256 + c) * 256 + d}`,
      (...parts) => `${parts.join('.')}.`,
      (...parts) => parts.join('\u3002'),
      (...parts) => parts.join('.').replace(/\d/g, (n) => String.fromCharCode(0xff10 + Number(n))),
      (...parts) => parts.join('.').replace(/\d/g, (n) => `%3${n}`),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(10, 127),
        byte,
        byte,
        byte,
        fc.constantFrom(...spellings),
        async (a, b, c, d, spell) => {
          const destination = await checkDestination(`https://${spell(a, b, c, d)}/`, {
            resolve: never,
          });
          expect(errorOf(destination)).toBe('destination_not_public');
        },
      ),
      { numRuns: 2_000 },
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
    expect(errorOf(await checkNewDestination(input, { resolve: never }))).toBe(error);
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
    const destination = await checkDestination(input, { allowLoopback: true, resolve: never });
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
    const destination = await checkDestination(input, { allowLoopback: true, resolve: never });
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
