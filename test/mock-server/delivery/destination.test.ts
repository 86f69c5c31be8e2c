import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  checkDestination,
  checkNewDestination,
} from '../../../mock-server/delivery/destination.ts';
import type { Destination, Resolve } from '../../../mock-server/delivery/destination.ts';
import { readCaseFile } from '../../support/case-files.ts';
import type { DestinationCase } from './destination-cases.ts';

const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;
const never: Resolve = () => {
  throw new Error('nobody should have been asked');
};
const verdict = ({ kind }: Destination) => (kind === 'allowed' ? 'allow' : 'reject');
const errorOf = (destination: Destination) =>
  destination.kind === 'refused' ? destination.error : null;

const cases = (readCaseFile<DestinationCase[]>('ssrf.json') ?? []).filter(
  ({ kind }) => kind !== 'redirect' && kind !== 'rebind',
);
const firm = cases.filter(({ level }) => level !== 'policy');
const policy = cases.filter(({ level }) => level === 'policy');

describe.skipIf(firm.length === 0)('checkDestination() on the published tricks', () => {
  it.each(firm)('$expect $input: $why ($id)', async (row) => {
    const asked: string[] = [];
    const destination = await checkDestination(row.input, {
      resolve: async (host) => {
        asked.push(host);
        return row.answers ?? [];
      },
    });
    expect(verdict(destination)).toBe(row.expect);
    expect(asked.length).toBeLessThanOrEqual(1);
    // A literal address is judged without a resolver, which could not do it.
    if (row.kind === 'literal' || row.kind === 'spelling') expect(asked).toEqual([]);
  });

  const disagreements: string[] = [];
  it.skipIf(policy.length === 0).each(policy)('records $id', async (row) => {
    const destination = await checkDestination(row.input, {
      resolve: answering(...(row.answers ?? [])),
    });
    if (verdict(destination) !== row.expect)
      disagreements.push(`${row.id} ${row.input}: we ${verdict(destination)}, ${row.why}`);
  });
  afterAll(() => {
    const agreed = policy.length - disagreements.length;
    if (policy.length > 0)
      console.info(`Matters of policy: ${agreed} of ${policy.length} as the case file proposes`);
    for (const line of disagreements) console.info(line);
  });
});

describe('checkDestination()', () => {
  it.each([
    ['https://hooks.example.com/a?b=c', 'https://hooks.example.com/a?b=c', 'as it is'],
    ['https://hooks.example.com', 'https://hooks.example.com/', 'with its slash'],
    ['https://hooks.example.com:443/a', 'https://hooks.example.com/a', 'without the usual port'],
    ['https://hooks.example.com:25/a', 'https://hooks.example.com:25/a', 'any other port stays'],
    ['https://hooks.example.com/a#b', 'https://hooks.example.com/a', 'a fragment is never sent'],
    [' https://hooks.example.com/a ', 'https://hooks.example.com/a', 'trimmed'],
    ['HTTPS://HOOKS.example.com/A', 'https://hooks.example.com/A', 'the path keeps its case'],
  ])('stores %j as %j: %s', async (input, url) => {
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
    ['', 'invalid_url', 'empty'],
    ['hooks.example.com/a', 'invalid_url', 'no scheme'],
    ['http://hooks.example.com/', 'not_https', 'plain http'],
    ['http://localhost:4011/', 'not_https', 'loopback is closed unless it was opened'],
    ['https://localhost:4011/', 'destination_not_public', 'the same with TLS'],
    ['https://u:p@hooks.example.com/', 'invalid_url', 'credentials would be stored and shown'],
    ['https://hooks.example.com:0/', 'invalid_url', 'port 0'],
    ['https://hooks.exa\tmple.com/', 'invalid_url', 'the URL parser would drop the tab'],
    ['https://hooks.example.com\\@10.0.0.1/', 'invalid_url', 'parsers disagree on a backslash'],
    ['https:/hooks.example.com/', 'invalid_url', 'the URL parser would add a slash'],
    ['https:///hooks.example.com/', 'invalid_url', 'the URL parser would drop a slash'],
    ['https://intranet/', 'destination_not_public', 'one label'],
    ['https://hooks..example.com/', 'destination_not_public', 'an empty label'],
    ['https://db.internal/', 'destination_not_public', 'a local name'],
    ['https://home.arpa/', 'destination_not_public', 'a local suffix itself'],
    ['https://hooks.example.com../', 'destination_not_public', 'two trailing dots'],
    [`https://${'a.'.repeat(127)}example/`, 'unresolved', 'over 253 octets, DNS cannot ask'],
  ])('refuses %j with %s: %s', async (input, error) => {
    expect(errorOf(await checkDestination(input, { resolve: never }))).toBe(error);
  });

  it('refuses a name that has no address, and one that nobody can resolve', async () => {
    const broken: Resolve = async () => {
      throw new Error('SERVFAIL');
    };
    for (const resolve of [answering(), broken]) {
      const destination = await checkDestination('https://hooks.example.com/', { resolve });
      expect(errorOf(destination)).toBe('unresolved');
    }
  });

  it('judges a name by its spelling where there is no resolver', async () => {
    const destination = await checkDestination('https://hooks.example.com/', {});
    expect(destination).toMatchObject({ kind: 'allowed', addresses: null });
    expect(errorOf(await checkDestination('https://127.0.0.1/', {}))).toBe(
      'destination_not_public',
    );
  });

  it('refuses a name when one address of any number is not public, wherever it stands', async () => {
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

  it('sees through every spelling of an address', async () => {
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
    ['the longest', HOST + 'a'.repeat(2022)],
    ['a long fragment, which is not stored', `${HOST}a#${'b'.repeat(4096)}`],
    ['the longest of letters that are encoded', HOST + 'ü'.repeat(337)],
  ])('allows %s', async (_why, input) => {
    const destination = await checkNewDestination(input, { resolve });
    expect(destination).toMatchObject({ kind: 'allowed', addresses: ['93.184.216.34'] });
  });

  it.each([
    ['one character too many', HOST + 'a'.repeat(2023), 'invalid_url'],
    ['what is too long once it is encoded', HOST + 'ü'.repeat(338), 'invalid_url'],
    ['what is not public', 'https://127.0.0.1/', 'destination_not_public'],
  ])('refuses %s', async (_why, input, error) => {
    expect(errorOf(await checkNewDestination(input, { resolve: never }))).toBe(error);
  });

  it('has a limit that connections have not', async () => {
    const destination = await checkDestination(HOST + 'ü'.repeat(400), { resolve });
    expect(destination).toMatchObject({ kind: 'allowed' });
  });
});

describe('checkDestination() with loopback opened', () => {
  it.each([
    ['http://localhost:4011/hook', ['127.0.0.1', '::1'], 'by name, without asking anybody'],
    ['https://localhost/hook', ['127.0.0.1', '::1'], 'over TLS too'],
    ['http://localhost.:4011/hook', ['127.0.0.1', '::1'], 'with its trailing dot'],
    ['http://127.0.0.1:4011/hook', ['127.0.0.1'], 'by address'],
    ['http://127.8.9.1/hook', ['127.8.9.1'], 'all of 127.0.0.0/8'],
    ['http://[::1]:4011/hook', ['::1'], 'IPv6'],
  ])('allows %s %s: %s', async (input, addresses) => {
    const destination = await checkDestination(input, { allowLoopback: true, resolve: never });
    expect(destination).toMatchObject({ kind: 'allowed', network: 'loopback', addresses });
  });

  it.each([
    ['https://169.254.169.254/', 'destination_not_public', 'metadata stays closed'],
    ['http://169.254.169.254/', 'not_https', 'over http as well'],
    ['https://10.0.0.1/', 'destination_not_public', 'private'],
    ['https://0.0.0.0/', 'destination_not_public', 'unspecified'],
    ['https://[::ffff:127.0.0.1]/', 'destination_not_public', 'a second spelling of loopback'],
    ['https://api.localhost/', 'destination_not_public', 'a name under localhost'],
    ['http://hooks.example.com/', 'not_https', 'http anywhere else'],
    ['http://user@localhost/', 'invalid_url', 'credentials'],
    ['ftp://localhost/', 'not_https', 'another scheme'],
  ])('still refuses %s with %s: %s', async (input, error) => {
    const destination = await checkDestination(input, { allowLoopback: true, resolve: never });
    expect(errorOf(destination)).toBe(error);
  });

  it('still refuses a public name that resolves to loopback', async () => {
    const destination = await checkDestination('https://localtest.example/', {
      allowLoopback: true,
      resolve: answering('127.0.0.1'),
    });
    expect(errorOf(destination)).toBe('destination_not_public');
  });
});
