import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText, anyWebUrl } from '../support/any-text.ts';
import { isOfAgeError, OfAge } from 'ofage';
import { appendParams } from '../../src/urls.ts';
import { readCases } from '../support/case-files.ts';

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

describe('new OfAge() with the cases of returnUrl', () => {
  it('has the result of every row', () => {
    const rows = readCases<{ input: unknown; result: string }>('returnurl');
    expect(rows.filter(({ input, result }) => checkReturnUrl(input) !== result)).toEqual([]);
    expect(rows.length).toBeGreaterThan(300);
  });
});

interface AppendRow {
  base: string;
  params: Record<string, string | number>;
  expect: string;
}

describe('appendParams()', () => {
  it('matches every case byte for byte', () => {
    const rows = readCases<AppendRow>('append');
    const wrong = rows.filter((row) => appendParams(row.base, row.params) !== row.expect);
    expect(wrong).toEqual([]);
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
    anyWebUrl(),
    anyText(),
    fc.string({ unit: fc.constantFrom('?', '&', '#', '=', '%', 'a', '\n', '\u2028', '+') }),
  );
  const values = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), anyText(1), {
    minKeys: 1,
    maxKeys: 4,
  });

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
