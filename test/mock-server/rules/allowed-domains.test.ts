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

describe('isAllowedUrl() with a wildcard', () => {
  it.each([
    ['https://a.shop.example/', '*.shop.example', true, 'subdomains are allowed'],
    ['https://a.b.shop.example/', '*.shop.example', true, 'deeper subdomains too'],
    ['https://shop.example/', '*.shop.example', false, 'the domain itself is not'],
    ['https://notshop.example/', '*.shop.example', false, 'a suffix is not a subdomain'],
    ['https://anything.example/', '*', false, 'a wildcard alone is not a domain'],
    ['https://anything.example/', '*.', false, 'a wildcard with a dot is not a domain'],
    ['https://*.shop.example/', '*.shop.example', false, 'a pattern is not a host'],
    ['https://.shop.example/', '*.shop.example', false, 'a subdomain has a name'],
    ['https://a..shop.example/', '*.shop.example', false, 'each part of a host has a name'],
    ['https://.a.shop.example/', '*.shop.example', false, 'the first part has a name too'],
  ])('for %s and the entry %j returns %s: %s', (url, entry, expected) => {
    expect(isAllowedUrl(url, [entry])).toBe(expected);
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
