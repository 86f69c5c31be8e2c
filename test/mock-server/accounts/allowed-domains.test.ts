import { describe, expect, it } from 'vitest';
import { isAllowedUrl, isDomainEntry } from '../../../mock-server/accounts/allowed-domains.ts';
import { readCaseFile } from '../../support/case-files.ts';

interface AllowlistCase {
  allowlist: string[];
  returnUrl: string;
  expect: 'allow' | 'deny';
  why: string;
  judgement?: boolean;
}

const shared = readCaseFile<AllowlistCase[]>('allowlist.json');

describe.skipIf(!shared)('the shared allowlist cases', () => {
  const verdictOf = ({ allowlist, returnUrl }: AllowlistCase): string =>
    isAllowedUrl(returnUrl, allowlist) ? 'allow' : 'deny';

  it('agree in every firm row', () => {
    const firm = (shared ?? []).filter(({ judgement }) => !judgement);
    expect(firm.filter((row) => verdictOf(row) !== row.expect)).toEqual([]);
  });

  it('agree where two readings are defensible, but for wildcards', () => {
    // The cases read "*.example.com" as a mistake; we let it allow the hosts below example.com.
    const differing = (shared ?? []).filter((row) => verdictOf(row) !== row.expect);
    expect(differing.every(({ why }) => /^entry "\*\.[^"*]+" is not a bare domain/.test(why))).toBe(
      true,
    );
  });

  it('hold both verdicts, so that neither "always" nor "never" would agree', () => {
    const firm = (shared ?? []).filter(({ judgement }) => !judgement);
    expect(firm.filter((row) => row.expect === 'allow').length).toBeGreaterThan(50);
    expect(firm.filter((row) => row.expect === 'deny').length).toBeGreaterThan(50);
  });
});

describe('isAllowedUrl', () => {
  it.each([
    ['https://shop.example/', ['shop.example'], true, 'the exact host'],
    ['https://shop.example:8443/a?b#c', ['shop.example'], true, 'any port and path'],
    ['https://SHOP.example/', ['shop.EXAMPLE'], true, 'hosts have no case'],
    ['https://a.shop.example/', ['shop.example'], false, 'an exact entry allows no subdomain'],
    ['https://a.shop.example/', ['*.shop.example'], true, 'a wildcard allows subdomains'],
    ['https://a.b.shop.example/', ['*.shop.example'], true, 'at any depth'],
    ['https://shop.example/', ['*.shop.example'], false, 'but not the domain itself'],
    ['https://notshop.example/', ['*.shop.example'], false, 'a suffix is no subdomain'],
    ['https://shop.example.evil.test/', ['shop.example'], false, 'a prefix is no host'],
    ['http://localhost:3000/', [], true, 'a shop under development'],
    ['http://127.0.0.1/', [], true, 'the same by address'],
    ['http://localhost.evil.test/', [], false, 'localhost is a whole name'],
    ['https://[::1]/', [], false, 'only the two spellings of the specification'],
    ['https://shop.example/', [], false, 'an empty list allows nobody else'],
    ['https://user@shop.example/', ['shop.example'], false, 'credentials deceive the reader'],
    ['ftp://shop.example/', ['shop.example'], false, 'no page'],
    ['javascript:alert(1)//shop.example', ['shop.example'], false, 'no page'],
    ['https://xn--bcher-kva.example/', ['bücher.example'], true, 'one name, two spellings'],
    ['https://anything.example/', ['*'], false, 'a lone wildcard is no domain'],
    ['https://anything.example/', ['*.'], false, 'nor is one with a dot'],
    ['https://*.shop.example/', ['*.shop.example'], false, 'a pattern is no address'],
  ])('%s under %j is %s: %s', (url, allowed, expected) => {
    expect(isAllowedUrl(url, allowed)).toBe(expected);
  });
});

describe('isDomainEntry', () => {
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
  ])('%s: %s', (entry, expected) => {
    expect(isDomainEntry(entry)).toBe(expected);
  });
});
