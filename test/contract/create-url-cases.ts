import { ok, type ContractCase } from './case.ts';
import { CREATE } from './world.ts';
import { create, created } from './create-calls.ts';

/** URLs that a URL parser repairs, and that other parsers or the hosted page read differently. */
const INCOMPLETE_URLS: readonly (readonly [url: string, why: string])[] = [
  ['http:localhost:3000/x', 'relative on a page of the same scheme'],
  ['https:shop.example', 'relative on a page of the same scheme'],
  ['https:/shop.example/return', 'a slash is missing'],
  [' https://shop.example/', 'the parser trims spaces'],
  ['https://shop.example/ ', 'the parser trims spaces'],
  ['https://shop.example/a b', 'a space is not allowed in a URL'],
  ['https://shop.example/\r\nX: y', 'a line break could inject a header'],
  ['https://shop.example/\tx', 'the parser removes tabs'],
  ['ht\ntps://shop.example/', 'the parser removes line breaks, even in the scheme'],
  ['https://shop.example/\u007f', 'a control character'],
  ['https://shop.example/\u0000', 'a control character'],
  ['https:\\\\shop.example/', 'the parser treats a backslash as a slash'],
  ['https://shop.example\\@evil.example/', 'other parsers see a different host'],
];

const COMPLETE_URLS: readonly (readonly [url: string, why: string])[] = [
  ['HTTPS://shop.example/return', 'schemes are case-insensitive'],
  ['https://shop.example/ü?q=ü#ü', 'non-ASCII letters are allowed'],
  ['https://shop.example/?path=C:\\x', 'a backslash in the query is a normal character'],
  ['https://shop.example?a=1', 'a query may follow the host directly'],
  ['https://shop.example/a%20b?next=https://other.example//', 'more slashes may follow later'],
];

/** Return and cancel URLs. */
export const URL_CASES: readonly ContractCase[] = [
  {
    name: 'no returnUrl',
    why: 'it is the only required property',
    call: create({}),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'no body at all',
    why: 'an empty body counts as an empty object',
    call: ({ sk }) => ({
      path: CREATE,
      init: { method: 'POST', headers: { authorization: `Bearer ${sk}` } },
    }),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'an empty returnUrl',
    why: 'the value is present but empty',
    call: create({ returnUrl: '' }),
    status: 400,
    message: ['returnUrl should not be empty', 'returnUrl must be a URL address'],
  },
  {
    name: 'a relative returnUrl',
    why: 'there is no base URL',
    call: create({ returnUrl: '/return' }),
    status: 400,
    message: ['returnUrl must be a URL address'],
  },
  {
    name: 'a returnUrl with a different scheme',
    why: 'a script URL must not be opened',
    call: create({ returnUrl: 'javascript:alert(1)' }),
    status: 400,
    message: ['returnUrl must be a URL address'],
  },
  ...(['returnUrl', 'cancelUrl'] as const).flatMap((property) =>
    INCOMPLETE_URLS.map(([url, why]): ContractCase => ({
      name: `the ${property} ${JSON.stringify(url)}`,
      why,
      call: create(ok({ [property]: url })),
      status: 400,
      message: [
        `${property} must be a complete URL such as https://shop.example/return, with // after the scheme and without spaces, control characters or backslashes before the query`,
      ],
    })),
  ),
  ...COMPLETE_URLS.map(([url, why]): ContractCase => ({
    name: `the returnUrl ${JSON.stringify(url)}`,
    why,
    call: create({ returnUrl: url }),
    status: 201,
    body: created(),
  })),

  {
    name: 'a returnUrl on a different domain',
    why: 'the domain is not in the allowlist',
    call: create({ returnUrl: 'https://evil.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    name: 'a returnUrl below an allowed domain',
    why: 'an entry allows exactly one host',
    call: create({ returnUrl: 'https://a.shop.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    name: 'a cancelUrl on a different domain',
    why: 'it redirects the shopper as well',
    call: create(ok({ cancelUrl: 'https://evil.example/' })),
    status: 400,
    message: 'Cancel URL domain not allowed',
  },
];
