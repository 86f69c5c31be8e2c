import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { parseRoute, SECTIONS, toHash } from '../../../playground/dashboard/route.ts';

describe('parseRoute', () => {
  it.each([
    ['', { section: 'overview', id: null, query: {} }],
    ['#', { section: 'overview', id: null, query: {} }],
    ['#overview', { section: 'overview', id: null, query: {} }],
    ['#/sessions', { section: 'sessions', id: null, query: {} }],
    ['#sessions/', { section: 'sessions', id: null, query: {} }],
    ['#sessions/4f1c', { section: 'sessions', id: '4f1c', query: {} }],
    ['#webhooks/a%2Fb', { section: 'webhooks', id: 'a/b', query: {} }],
    ['#sessions/100%', { section: 'sessions', id: '100%', query: {} }],
    ['#sessions?status=failed&q=', { section: 'sessions', id: null, query: { status: 'failed' } }],
    ['#nowhere?account=7', { section: 'overview', id: null, query: { account: '7' } }],
    ['#constructor', { section: 'overview', id: null, query: {} }],
  ])('parses "%s" as %o', (hash, route) => expect(parseRoute(hash)).toEqual(route));

  it('returns a known section for any text (property)', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(SECTIONS.map(({ id }) => id)).toContain(parseRoute(`#${text}`).section);
      }),
    );
  });
});

describe('toHash', () => {
  it('omits empty parameters', () => {
    expect(toHash({ section: 'sessions', id: null, query: { q: '', status: 'failed' } })).toBe(
      '#sessions?status=failed',
    );
  });

  it('is the inverse of parseRoute (property)', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...SECTIONS),
        // No id ends with a slash, because parseRoute ignores a trailing slash.
        fc.option(text.filter((id) => !id.endsWith('/'))),
        fc.dictionary(name, text, { noNullPrototype: true }),
        ({ id: section }, id, query) => {
          expect(parseRoute(toHash({ section, id, query }))).toEqual({ section, id, query });
        },
      ),
    );
  });
});
