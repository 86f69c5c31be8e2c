import { describe, expect, it } from 'vitest';
import { isAllowedUrl, isDomainEntry } from '../../../mock-server/rules/allowed-domains.ts';
import { readCases } from '../../support/case-files.ts';

interface AllowlistCase {
  allowlist: string[];
  returnUrl: string;
  expect: 'allow' | 'deny';
  why: string;
  judgement?: boolean;
}

describe('isAllowedUrl() on the cases', () => {
  const rows = readCases<AllowlistCase>('allowlist');
  const verdictOf = ({ allowlist, returnUrl }: AllowlistCase): string =>
    isAllowedUrl(returnUrl, allowlist) ? 'allow' : 'deny';

  it('returns the expected result for every row that is not a judgement call', () => {
    const firm = rows.filter(({ judgement }) => !judgement);
    expect(firm.filter((row) => verdictOf(row) !== row.expect)).toEqual([]);
  });

  it('returns the expected result for every judgement call, except wildcards', () => {
    // The case file treats "*.example.com" as an error. Here it allows every host below example.com.
    const differing = rows.filter((row) => verdictOf(row) !== row.expect);
    expect(differing.every(({ why }) => /^entry "\*\.[^"*]+" is not a bare domain/.test(why))).toBe(
      true,
    );
  });
});

describe('isAllowedUrl()', () => {
  it.each([
    ['https://shop.example/', ['shop.example'], true, 'the exact host'],
    ['https://shop.example:8443/a?b#c', ['shop.example'], true, 'any port and path'],
    ['https://SHOP.example/', ['shop.EXAMPLE'], true, 'hosts are case-insensitive'],
    ['https://a.shop.example/', ['shop.example'], false, 'an exact entry allows no subdomain'],
    ['https://a.shop.example/', ['*.shop.example'], true, 'a wildcard allows subdomains'],
    ['https://a.b.shop.example/', ['*.shop.example'], true, 'a wildcard allows deeper subdomains'],
    [
      'https://shop.example/',
      ['*.shop.example'],
      false,
      'a wildcard does not allow the domain itself',
    ],
    ['https://notshop.example/', ['*.shop.example'], false, 'a suffix is not a subdomain'],
    ['https://shop.example.evil.test/', ['shop.example'], false, 'a prefix is not the host'],
    ['http://localhost:3000/', [], true, 'a shop under development'],
    ['http://127.0.0.1/', [], true, 'a shop under development, by IP address'],
    ['http://localhost.evil.test/', [], false, 'localhost must be the whole host'],
    [
      'https://[::1]/',
      [],
      false,
      'of the loopback hosts, only localhost and 127.0.0.1 need no entry',
    ],
    ['https://shop.example/', [], false, 'an empty list allows only localhost and 127.0.0.1'],
    [
      'https://user@shop.example/',
      ['shop.example'],
      false,
      'credentials in a URL can mislead users',
    ],
    ['ftp://shop.example/', ['shop.example'], false, 'not a web page'],
    ['javascript:alert(1)//shop.example', ['shop.example'], false, 'not a web page'],
    [
      'https://xn--bcher-kva.example/',
      ['bücher.example'],
      true,
      'Punycode and Unicode are the same name',
    ],
    ['https://anything.example/', ['*'], false, 'a wildcard alone is not a domain'],
    ['https://anything.example/', ['*.'], false, 'a wildcard with a dot is not a domain'],
    ['https://*.shop.example/', ['*.shop.example'], false, 'a pattern is not a host'],
    ['https://.shop.example/', ['*.shop.example'], false, 'a subdomain has a name'],
    ['https://a..shop.example/', ['*.shop.example'], false, 'each part of a host has a name'],
    ['https://.a.shop.example/', ['*.shop.example'], false, 'the first part has a name too'],
  ])('for %s and the list %j returns %s: %s', (url, allowed, expected) => {
    expect(isAllowedUrl(url, allowed)).toBe(expected);
  });
});

describe('isDomainEntry()', () => {
  it.each([
    ['shop.example', true],
    ['*.shop.example', true],
    ['192.0.2.1', true],
    ['[2001:db8::1]', true],
    ['bücher.example', true],
    ['', false],
    ['*', false],
    ['*.*.example', false],
    ['https://shop.example', false],
    ['shop.example/path', false],
    ['shop.example:8443', false],
    ['shop.example:443', false],
    ['.shop.example', false],
    ['shop.example.', false],
    ['user@shop.example', false],
    ['shop example', false],
  ])('for %j returns %s', (entry, expected) => {
    expect(isDomainEntry(entry)).toBe(expected);
  });
});
