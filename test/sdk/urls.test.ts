import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { isOfAgeError, OfAge } from 'ofage';
import { appendParams } from '../../src/urls.ts';
import { readCases } from '../support/case-files.ts';

interface ReturnUrlRow {
  input: unknown;
  sdk: 'accept' | 'reject';
  class: string;
  why: string;
  judgement: boolean;
  issue?: string;
}

/** Passes a returnUrl to the constructor. Returns "accept" or the error code. */
function checkReturnUrl(returnUrl: unknown): string {
  try {
    void new OfAge({ apiKey: 'pk_test_1', returnUrl: returnUrl as string });
    return 'accept';
  } catch (error) {
    if (!isOfAgeError(error)) throw error;
    return error.code;
  }
}

/**
 * The judgement calls of the case file on which the SDK differs, and why. It agrees with all others. A URL
 * parser drops tabs and line feeds, trims control characters and spaces at both ends, turns a backslash
 * into a slash and adds missing slashes. A service with a different parser would see a different URL than
 * the one that was checked, because the string is sent unchanged. No merchant writes such a URL on purpose.
 */
const DIFFERENCES: Array<{ issue: RegExp; rows: number; why: string }> = [
  {
    issue: /^ctl-or-space/,
    rows: 14,
    why: 'refuses control characters and spaces, because parsers drop or trim them',
  },
  {
    issue: /^backslash/,
    rows: 9,
    why: 'refuses a backslash before the query, because parsers turn it into a slash',
  },
  {
    issue: /^slashes/,
    rows: 3,
    why: 'refuses a URL without two slashes, because an https page reads https:host/x as a relative path',
  },
];

describe('checkReturnUrl() with the cases', () => {
  const rows = readCases<ReturnUrlRow>('returnurl');
  it('agrees with every row that is not a judgement call', () => {
    const wrong = rows.filter(
      (row) =>
        !row.judgement && (checkReturnUrl(row.input) === 'accept') !== (row.sdk === 'accept'),
    );
    expect(wrong).toEqual([]);
  });

  it('rejects blocked schemes and plain http with the error codes of their classes, except for judgement calls', () => {
    const codes: Record<string, string> = {
      'blocked-scheme': 'url_scheme_blocked',
      'https-required': 'https_required',
    };
    const wrong = rows.filter(
      (row) => !row.judgement && codes[row.class] && checkReturnUrl(row.input) !== codes[row.class],
    );
    expect(wrong).toEqual([]);
  });

  it('deviates from judgement calls only as listed in DIFFERENCES', () => {
    const differing = rows.filter(
      (row) => row.judgement && (checkReturnUrl(row.input) === 'accept') !== (row.sdk === 'accept'),
    );
    for (const { issue, rows: count } of DIFFERENCES) {
      expect(
        differing.filter((row) => issue.test(row.issue ?? '')),
        String(issue),
      ).toHaveLength(count);
    }
    expect(
      differing.filter((row) => !DIFFERENCES.some(({ issue }) => issue.test(row.issue ?? ''))),
    ).toEqual([]);
  });
});

interface AppendRow {
  kind: 'verifyUrl' | 'returnUrl';
  base: string;
  params: Record<string, string | number>;
  expect: string;
  why: string;
}

describe('appendParams() with the cases', () => {
  it('matches every row byte for byte, including judgement calls', () => {
    const rows = readCases<AppendRow>('append');
    const wrong = rows.filter((row) => appendParams(row.base, row.params) !== row.expect);
    expect(wrong).toEqual([]);
  });
});

describe('appendParams()', () => {
  it.each([
    ['no query', 'https://v.example/a', 'https://v.example/a?lang=d%20e'],
    ['a query', 'https://v.example/?a=%7e+%20', 'https://v.example/?a=%7e+%20&lang=d%20e'],
    ['an empty query', 'https://v.example/?', 'https://v.example/?lang=d%20e'],
    ['a trailing &', 'https://v.example/?a&', 'https://v.example/?a&lang=d%20e'],
    [
      'a query that is a question mark, without naming our parameter "?lang"',
      'https://v.example/??',
      'https://v.example/??&lang=d%20e',
    ],
    ['a fragment', 'https://v.example/#f?x', 'https://v.example/?lang=d%20e#f?x'],
    ['two fragments', 'https://v.example/?a#f#g', 'https://v.example/?a&lang=d%20e#f#g'],
    [
      'a parameter of the same name, which stays first',
      'https://v.example/?lang=it',
      'https://v.example/?lang=it&lang=d%20e',
    ],
  ])('appends to a URL with %s', (_, url, expected) => {
    expect(appendParams(url, { lang: 'd e' })).toBe(expected);
  });

  it('omits parameters that are undefined or false', () => {
    expect(
      appendParams('https://v.example/?a', {
        lang: undefined,
        skip_intro: false,
        auto_return: true,
      }),
    ).toBe('https://v.example/?a&auto_return=true');
    expect(appendParams('https://v.example/#f', { lang: undefined })).toBe('https://v.example/#f');
  });

  const urls = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    anyText(),
    fc.string({ unit: fc.constantFrom('?', '&', '#', '=', '%', 'a', '\n', '\u2028', '+') }),
  );
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    { minKeys: 1, maxKeys: 4 },
  );

  it('changes no byte of the URL and inserts before the fragment (property)', () => {
    fc.assert(
      fc.property(urls, values, (url, params) => {
        const result = appendParams(url, params);
        const cut = url.indexOf('#') < 0 ? url.length : url.indexOf('#');
        expect(result.slice(0, cut)).toBe(url.slice(0, cut));
        expect(result.slice(result.length - (url.length - cut))).toBe(url.slice(cut));
        const added = result.slice(cut, result.length - (url.length - cut));
        expect(added).toMatch(/^[?&]?[a-z_]+=/);
        expect(added).not.toContain('#');
        const read = [...new URLSearchParams(added.replace(/^[?&]/, ''))];
        expect(read).toEqual(Object.entries(params));
      }),
      { numRuns: 500 },
    );
  });
});

describe('new OfAge()', () => {
  it('accepts any returnUrl or rejects it with a documented code (property)', () => {
    const schemes = fc.constantFrom(
      'https:',
      'http:',
      'javascript:',
      'java\tscript:',
      'data:',
      ' https:',
      '//',
      'HTTPS:',
    );
    const hosts = fc.constantFrom(
      'localhost',
      '127.0.0.1',
      'localhost.evil.example',
      '[::1]',
      'a@b',
      '0x7f.1',
      '',
      'm.example',
    );
    const input = fc.oneof(
      fc.anything(),
      anyText(),
      fc
        .tuple(schemes, fc.constantFrom('//', '/', '', '\\\\'), hosts, fc.string())
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(input, (returnUrl) => {
        const verdict = checkReturnUrl(returnUrl);
        expect(verdict).toMatch(
          /^(accept|return_url_required|return_url_invalid|invalid_option|https_required|url_scheme_blocked)$/,
        );
        if (verdict !== 'accept') return;
        const url = new URL(returnUrl as string);
        expect(url.protocol === 'https:' || /^(localhost|127\.0\.0\.1)$/.test(url.hostname)).toBe(
          true,
        );
        expect(url.username + url.password).toBe('');
      }),
      { numRuns: 1000 },
    );
  });
});
