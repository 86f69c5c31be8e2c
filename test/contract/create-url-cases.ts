import { ok, type ContractCase } from './case.ts';
import { CREATE } from './world.ts';
import { create, created } from './create-calls.ts';

/** What a URL parser mends, and another parser, or the hosted page, reads differently. */
const NOT_SPELLED_OUT: readonly (readonly [url: string, why: string])[] = [
  ['http:localhost:3000/x', 'relative on a page of the same scheme'],
  ['https:shop.example', 'relative on a page of the same scheme'],
  ['https:/shop.example/return', 'a slash is missing'],
  [' https://shop.example/', 'the parser trims'],
  ['https://shop.example/ ', 'the parser trims'],
  ['https://shop.example/a b', 'a space is no part of an address'],
  ['https://shop.example/\r\nX: y', 'a line break is the end of a header'],
  ['https://shop.example/\tx', 'the parser drops tabs'],
  ['ht\ntps://shop.example/', 'the parser drops line breaks, in the scheme too'],
  ['https://shop.example/\u007f', 'a control character'],
  ['https://shop.example/\u0000', 'a control character'],
  ['https:\\\\shop.example/', 'the parser takes a backslash for a slash'],
  ['https://shop.example\\@evil.example/', 'other parsers see another host'],
];

const SPELLED_OUT: readonly (readonly [url: string, why: string])[] = [
  ['HTTPS://shop.example/return', 'schemes have no case'],
  ['https://shop.example/ü?q=ü#ü', 'letters of any language'],
  ['https://shop.example/?path=C:\\x', 'a backslash in the query is a letter'],
  ['https://shop.example?a=1', 'a host alone with a query'],
  ['https://shop.example/a%20b?next=https://other.example//', 'slashes further on'],
];

/** Return and cancel addresses. */
export const URL_CASES: readonly ContractCase[] = [
  {
    name: 'no returnUrl',
    why: 'the one required property',
    call: create({}),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'no body at all',
    why: 'an empty body lacks what an empty object lacks',
    call: ({ sk }) => ({
      path: CREATE,
      init: { method: 'POST', headers: { authorization: `Bearer ${sk}` } },
    }),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'an empty returnUrl',
    why: 'a value that is there, and empty',
    call: create({ returnUrl: '' }),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'a relative returnUrl',
    why: 'there is no page to be relative to',
    call: create({ returnUrl: '/return' }),
    status: 400,
    message: ['returnUrl must be a URL address'],
  },
  {
    name: 'a returnUrl of another scheme',
    why: 'nobody returns to a script',
    call: create({ returnUrl: 'javascript:alert(1)' }),
    status: 400,
    message: ['returnUrl must be a URL address'],
  },
  ...(['returnUrl', 'cancelUrl'] as const).flatMap((property) =>
    NOT_SPELLED_OUT.map(([url, why]): ContractCase => ({
      name: `the ${property} ${JSON.stringify(url)}`,
      why,
      call: create(ok({ [property]: url })),
      status: 400,
      message: [
        `${property} must be spelled out, as in https://shop.example/return: // after the scheme, no spaces, control characters or backslashes`,
      ],
    })),
  ),
  ...SPELLED_OUT.map(([url, why]): ContractCase => ({
    name: `the returnUrl ${JSON.stringify(url)}`,
    why,
    call: create({ returnUrl: url }),
    status: 201,
    body: created(),
  })),

  {
    name: 'a returnUrl elsewhere',
    why: 'the allowlist',
    call: create({ returnUrl: 'https://evil.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    name: 'a returnUrl below an allowed domain',
    why: 'an entry is one host',
    call: create({ returnUrl: 'https://a.shop.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    name: 'a cancelUrl elsewhere',
    why: 'it redirects the same shopper',
    call: create(ok({ cancelUrl: 'https://evil.example/' })),
    status: 400,
    message: 'Cancel URL domain not allowed',
  },
];
