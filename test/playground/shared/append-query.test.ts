import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendQuery } from '../../../playground/shared/append-query.ts';
import { readCases } from '../../support/case-files.ts';
import { anyText, anyWebUrl } from '../../support/any-text.ts';

interface Row {
  kind: 'verifyUrl' | 'returnUrl';
  base: string;
  params: Record<string, string | number>;
  expect: string;
  why: string;
}

describe('appendQuery', () => {
  it('passes every returnUrl case', () => {
    const wrong = readCases<Row>('append')
      .filter(({ kind }) => kind === 'returnUrl')
      .map((row) => ({ ...row, got: appendQuery(row.base, toTexts(row.params)) }))
      .filter((row) => row.got !== row.expect)
      .map(({ base, why, got, expect: wanted }) => ({ base, why, got, wanted }));
    expect(wrong).toEqual([]);
  });

  it.each([
    { url: 'https://a.example', gives: 'https://a.example?x=1', why: 'no query and no path' },
    { url: 'https://a.example/?', gives: 'https://a.example/?x=1', why: 'an empty query' },
    { url: 'https://a.example/??', gives: 'https://a.example/??&x=1', why: 'a query that is a ?' },
    { url: 'https://a.example/?a&', gives: 'https://a.example/?a&x=1', why: 'a trailing &' },
    { url: 'https://a.example/#?', gives: 'https://a.example/?x=1#?', why: 'a ? in the fragment' },
    {
      url: 'https://a.example/?s=~%20+',
      gives: 'https://a.example/?s=~%20+&x=1',
      why: 'unusual characters in the query',
    },
  ])('appends to a URL with $why', ({ url, gives }) =>
    expect(appendQuery(url, { x: '1' })).toBe(gives),
  );

  it('keeps every byte of the URL and adds a parameter that can be parsed (property)', () => {
    const url = anyWebUrl();
    fc.assert(
      fc.property(url, anyText(), (before, value) => {
        const after = appendQuery(before, { added: value });
        const [, base = '', fragment = ''] = /^([^#]*)(.*)$/.exec(before) ?? [];
        expect(after.startsWith(base)).toBe(true);
        expect(after.endsWith(fragment)).toBe(true);
        const added = after.slice(base.length, after.length - fragment.length);
        expect(added).toMatch(/^[?&]?added=[^?&#]*$/);
        expect(new URL(after).searchParams.getAll('added').at(-1)).toBe(value);
      }),
    );
  });

  it('replaces a lone surrogate with U+FFFD, because encodeURIComponent would throw', () => {
    expect(appendQuery('https://a.example/', { x: 'a\ud800' })).toBe(
      'https://a.example/?x=a%EF%BF%BD',
    );
  });
});

const toTexts = (params: Row['params']) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
