import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { PAGES, parseRoute, toHash } from '../../../playground/console/route.ts';

describe('parseRoute', () => {
  it.each([
    ['', { page: 'overview', id: null, query: {} }],
    ['#', { page: 'overview', id: null, query: {} }],
    ['#overview', { page: 'overview', id: null, query: {} }],
    ['#/sessions', { page: 'sessions', id: null, query: {} }],
    ['#sessions/', { page: 'sessions', id: null, query: {} }],
    ['#sessions/4f1c', { page: 'sessions', id: '4f1c', query: {} }],
    ['#webhooks/a%2Fb', { page: 'webhooks', id: 'a/b', query: {} }],
    ['#sessions/100%', { page: 'sessions', id: '100%', query: {} }],
    ['#sessions?status=failed&q=', { page: 'sessions', id: null, query: { status: 'failed' } }],
    ['#nowhere?account=7', { page: 'overview', id: null, query: { account: '7' } }],
    ['#constructor', { page: 'overview', id: null, query: {} }],
  ])('parses "%s" as %o', (hash, route) => expect(parseRoute(hash)).toEqual(route));

  it('returns a known page for any text (property)', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(PAGES.map(({ id }) => id)).toContain(parseRoute(`#${text}`).page);
      }),
    );
  });
});

describe('toHash', () => {
  it('omits empty parameters', () => {
    expect(toHash({ page: 'sessions', id: null, query: { q: '', status: 'failed' } })).toBe(
      '#sessions?status=failed',
    );
  });

  it('is the inverse of parseRoute (property)', () => {
    const text = anyText(1);
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...PAGES),
        // No id ends with a slash, because parseRoute ignores a trailing slash.
        fc.option(text.filter((id) => !id.endsWith('/'))),
        fc.dictionary(name, text, { noNullPrototype: true }),
        ({ id: page }, id, query) => {
          expect(parseRoute(toHash({ page, id, query }))).toEqual({ page, id, query });
        },
      ),
    );
  });
});
